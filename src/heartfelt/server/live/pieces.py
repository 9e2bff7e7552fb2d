"""The binary messages of the socket: a byte that says what it is, where it belongs, and the bytes themselves."""

import io
import struct
from dataclasses import dataclass

import numpy as np
from PIL import Image, UnidentifiedImageError

from heartfelt.errors import InputError
from heartfelt.senses.media.pieces import Picture, Sound
from heartfelt.server.wire import SOUND_IN

SOUND, PICTURE, REPLY = 1, 2, 3
_IN = struct.Struct("<Bd")
_OUT = struct.Struct("<BII")
_LONGEST = 1.0
"""Seconds of sound in one message."""
_MOST_PIXELS = 1920 * 1920


@dataclass(frozen=True)
class ReplyPiece:
    kind: int
    time: float
    """Seconds since the socket was opened, by the client's clock."""
    data: bytes


def piece_of(message: bytes) -> ReplyPiece:
    if len(message) <= _IN.size:
        raise InputError("A binary message needs a byte for its kind, eight for its time, and then its bytes.")
    kind, time = _IN.unpack_from(message)
    if kind not in (SOUND, PICTURE):
        raise InputError(f"A binary message of kind {kind} is not known: send 1 for sound or 2 for a picture.")
    if not 0 <= time < 1e7:
        raise InputError(f"The time {time} is not one of this conversation: count seconds from the opening of the socket.")
    return ReplyPiece(kind, time, message[_IN.size :])


def sound_of(piece: ReplyPiece) -> Sound:
    if len(piece.data) % 2 or len(piece.data) > 2 * SOUND_IN * _LONGEST:
        raise InputError(f"Sound comes as 16-bit samples, {SOUND_IN} a second, at most a second at once.")
    return Sound(piece.time, np.frombuffer(piece.data, "<i2").astype(np.float32) / np.float32(32768))


def picture_of(piece: ReplyPiece) -> Picture:
    """Decoded here, so that only pixels go further."""
    try:
        with Image.open(io.BytesIO(piece.data), formats=("JPEG",)) as image:
            if image.width * image.height > _MOST_PIXELS:
                raise InputError(f"A picture of {image.width} × {image.height} is too large for live use: send 640 × 480.")
            return Picture(piece.time, np.array(image.convert("RGB"), np.uint8))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise InputError("The picture cannot be read: send a whole JPEG.") from None


def reply_piece(turn: int, piece: int, sound: bytes) -> bytes:
    return _OUT.pack(REPLY, turn, piece) + sound
