"""Bringing sound of any rate, format and number of channels to one channel at 16 kHz, in steady chunks."""

from collections.abc import Iterator
from typing import cast

import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.senses.media.pieces import SAMPLE_RATE, Samples, Sound

_MOST_CHANNELS = 8
"""Of more than these a recorder does not say which is which, and the resampler refuses to mix them."""
_U8_MIDDLE = 128


class Mono:
    """One unbroken run of sound of one kind."""

    def __init__(self):
        # Without this limit two equal channels would add up to more than either of them and clip.
        self._resampler = AudioResampler("flt", "mono", SAMPLE_RATE, options={"rematrix_maxval": "1.0"})

    def push(self, frame: AudioFrame) -> Samples:
        return self._joined(evenly_mixed(frame) if frame.layout.nb_channels > _MOST_CHANNELS else frame)

    def flush(self) -> Samples:
        """What is still inside the filter."""
        return self._joined(None)

    def _joined(self, frame: AudioFrame | None) -> Samples:
        resampled = cast("list[AudioFrame | None]", self._resampler.resample(frame))
        parts = [cast(Samples, piece.to_ndarray()).reshape(-1) for piece in resampled if piece is not None]
        return clean(np.concatenate(parts)) if parts else np.zeros(0, np.float32)


def evenly_mixed(frame: AudioFrame) -> AudioFrame:
    """One channel, the mean of all."""
    channels, stored = frame.layout.nb_channels, cast("NDArray[np.float32 | np.int32]", frame.to_ndarray())
    apart = stored if frame.format.is_planar else stored.reshape(-1, channels).T
    mean = cast("NDArray[np.float64]", apart.mean(axis=0, dtype=np.float64))
    if frame.format.name.startswith("u8"):
        mean -= _U8_MIDDLE
    if np.issubdtype(stored.dtype, np.integer):
        mean /= 2.0 ** (8 * stored.dtype.itemsize - 1)
    mixed = AudioFrame.from_ndarray(mean.astype(np.float32).reshape(1, -1), "flt", "mono")
    mixed.sample_rate, mixed.pts, mixed.time_base = frame.sample_rate, frame.pts, frame.time_base
    return mixed


class Chunks:
    """Cuts sound into chunks of one length; the last may be shorter. Holds less than one chunk."""

    def __init__(self, seconds: float):
        if not 0.01 <= seconds <= 60:
            raise InputError(f"Chunks of {seconds} s cannot be made. Wish for 0.01 to 60 seconds.")
        self._size = round(seconds * SAMPLE_RATE)
        self._parts: list[Samples] = []
        self._held = 0
        self._given = 0

    @property
    def written(self) -> int:
        """Samples since the start of the clip."""
        return self._given + self._held

    @property
    def held(self) -> int:
        return self._held

    def push(self, samples: Samples) -> Iterator[Sound]:
        for offset in range(0, len(samples), self._size):
            part = samples[offset : offset + self._size]
            self._parts.append(part)
            self._held += len(part)
            if self._held >= self._size:
                yield self._cut(self._size)

    def silence(self, samples: int) -> Iterator[Sound]:
        for offset in range(0, samples, self._size):
            yield from self.push(np.zeros(min(self._size, samples - offset), np.float32))

    def rest(self) -> Iterator[Sound]:
        if self._held:
            yield self._cut(self._held)

    def _cut(self, size: int) -> Sound:
        joined = np.concatenate(self._parts)
        chunk, rest = joined[:size], joined[size:]
        self._parts, self._held = [rest], len(rest)
        start = self._given / SAMPLE_RATE
        self._given += size
        return Sound(start, chunk)


def clean(samples: Samples) -> Samples:
    """From -1 to 1, and silence where a broken recorder wrote no number."""
    finite = np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0)
    return np.clip(finite, -1.0, 1.0).astype(np.float32, copy=False)
