"""A spoken reply as a WAV file that says of itself that it is synthetic."""

import io
import struct
import wave
from typing import Any

import numpy as np
from numpy.typing import NDArray

NOTE = "Synthetic: a computer-generated voice, made by Heartfelt. No person was recorded."


def marked_wav(samples: NDArray[np.floating[Any]], rate: int) -> bytes:
    """With the note where players and editors look for a comment."""
    data = wav_of(samples, rate) + _said(NOTE)
    return data[:4] + struct.pack("<I", len(data) - 8) + data[8:]


def wav_of(samples: NDArray[np.floating[Any]], rate: int) -> bytes:
    """One channel of 16 bits."""
    loud = np.round(np.clip(np.nan_to_num(samples), -1, 1) * 32767).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(loud.tobytes())
    return file.getvalue()


def _said(text: str) -> bytes:
    """The chunk of RIFF that holds a comment; chunks have an even length."""
    words = text.encode() + b"\0"
    comment = b"ICMT" + struct.pack("<I", len(words)) + words + b"\0" * (len(words) % 2)
    return b"LIST" + struct.pack("<I", len(comment) + 4) + b"INFO" + comment
