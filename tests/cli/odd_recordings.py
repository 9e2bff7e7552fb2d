"""Files that people really give: every odd one that the project can make itself, tiny and in a moment."""

import struct
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import av
import numpy as np
from PIL import Image

from senses.face.drawing import draw_on, drawn
from senses.media.studio import Film, Voice, every, noise, save_wav, tone

RATE = 16_000


@cache
def _face() -> np.ndarray:
    return drawn(96, 128, x=64, y=48, size=60)


def face(_place: int = 0) -> np.ndarray:
    return _face()


def black(_place: int = 0) -> np.ndarray:
    return np.zeros((96, 128, 3), np.uint8)


@cache
def _two() -> np.ndarray:
    canvas = np.full((96, 192, 3), 90, np.float32)
    for x in (50, 140):
        draw_on(canvas, x=x, y=48, size=60)
    return np.clip(canvas, 0, 255).astype(np.uint8)


def two_faces(_place: int = 0) -> np.ndarray:
    return _two()


def film(draw: Callable[[int], np.ndarray] = face, *, seconds: float = 1.0, level: float = 0.5, **changes: object) -> Film:
    voices = [Voice(tone(seconds, RATE, level=level))] if level >= 0 else []
    return Film(**({"times": every(0.1, seconds), "draw": draw, "voices": voices} | changes))  # type: ignore[arg-type]


def gif(path: Path) -> Path:
    frames = [Image.fromarray(drawn(96, 128, x=64 + place, y=48, size=60)) for place in range(8)]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=100, loop=0)
    return path


def picture(path: Path, mode: str, size: tuple[int, int] = (97, 61)) -> Path:
    Image.fromarray(drawn(size[1], size[0], x=48, y=30, size=40)).convert(mode).save(path)
    return path


def deep(path: Path) -> Path:
    Image.fromarray((np.arange(61 * 97) * 11 % 65536).astype(np.uint16).reshape(61, 97)).save(path)
    return path


def png(path: Path, width: int, height: int, *, rows: int) -> Path:
    """A PNG in black that claims to be so large; with fewer rows than its height it is only a claim."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    packer, row = zlib.compressobj(1), bytes(1 + -(-width // 8))
    body = b"".join(packer.compress(row) for _ in range(rows)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b""))
    return path


def cut(path: Path, share: float, **options: str) -> Path:
    """The first part of a film, cut in the middle of a picture: where that lies depends on how the machine encodes."""
    whole = film(lambda place: noise(64, 48, place), seconds=2.0, codec="mpeg4", options=options).save(path).read_bytes()
    with av.open(str(path)) as container:
        places = [(packet.pos, packet.size) for packet in container.demux(video=0) if packet.pos is not None]
    at, size = next((at, size) for at, size in places if at >= len(whole) * share)
    path.write_bytes(whole[: at + size // 2])
    return path


def empty_film(path: Path) -> Path:
    """A film with a picture track and not one frame."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        container.start_encoding()
    return path


def empty_sound(path: Path) -> Path:
    return save_wav(path, tone(0, RATE), RATE)


def many_channels(path: Path) -> Path:
    return save_wav(path, tone(0.5, RATE, channels=64), RATE)


def of(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def unreadable(path: Path) -> Path:
    film().save(path)
    path.chmod(0)
    return path


def looping_link(path: Path) -> Path:
    path.symlink_to(path.name)
    return path
