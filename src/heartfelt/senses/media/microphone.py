"""Sound of a live microphone, in the shape of a recording's sound."""

from collections import deque
from collections.abc import Iterator
from threading import Condition
from typing import Any

import numpy as np
from av.audio.frame import AudioFrame
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.senses.media.pieces import SAMPLE_RATE, Samples, Sound
from heartfelt.senses.media.resampling import Chunks, Mono, clean


class Microphone:
    """A queue between whoever records and whoever listens. No sound is ever dropped: too much of it is refused.

    `push` never waits; `audio` waits for the next chunk and ends once the microphone is closed and all was heard.
    """

    def __init__(self, *, sample_rate: int = SAMPLE_RATE, seconds: float = 1.0, longest: float = 60.0):
        if not 1_000 <= sample_rate <= 768_000:
            raise InputError(f"A sample rate of {sample_rate} cannot be used. Record at 8,000 to 48,000 a second.")
        if not seconds <= longest:
            raise InputError(f"A queue of {longest} s holds no chunk of {seconds} s. Make it longer than a chunk.")
        self._rate = sample_rate
        self._longest = longest
        self._mono = None if sample_rate == SAMPLE_RATE else Mono()
        self._chunks = Chunks(seconds)
        self._waiting: deque[Sound] = deque()
        self._changed = Condition()
        self._is_closed = False

    def push(self, samples: NDArray[Any]) -> None:
        """Samples as floats from -1 to 1 or as 16-bit integers; of several channels as samples × channels.

        Beyond the queue's limit nothing of it is taken, so that it can be given again once someone has listened.
        """
        mono = _mono(samples)
        with self._changed:
            if self._is_closed:
                raise InputError("The microphone is closed. Open a new one for further sound.")
            if self._unheard() + len(mono) / self._rate > self._longest:
                raise InputError(
                    f"More than {self._longest:g} s of sound would wait unheard. Listen faster, or give it in smaller parts."
                )
            self._waiting.extend(self._chunks.push(self._resampled(mono)))
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            if not self._is_closed:
                self._is_closed = True
                if self._mono:
                    self._waiting.extend(self._chunks.push(self._mono.flush()))
                self._waiting.extend(self._chunks.rest())
            self._changed.notify_all()

    def audio(self) -> Iterator[Sound]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closed)
                if not self._waiting:
                    return
                sound = self._waiting.popleft()
            yield sound

    def _unheard(self) -> float:
        return (self._chunks.held + sum(len(sound.samples) for sound in self._waiting)) / SAMPLE_RATE

    def _resampled(self, samples: Samples) -> Samples:
        if not self._mono or not len(samples):
            return samples
        frame = AudioFrame.from_ndarray(samples.reshape(1, -1), "flt", "mono")
        frame.sample_rate = self._rate
        return self._mono.push(frame)


def _mono(samples: NDArray[Any]) -> Samples:
    is_wide = samples.ndim == 2 and 1 <= samples.shape[1] <= 64
    if samples.ndim != 1 and not is_wide:
        raise InputError(f"Sound of shape {samples.shape} cannot be read. Give samples, or samples × channels.")
    if samples.dtype == np.int16:
        scale = np.float32(1 / 32768)
    elif samples.dtype.kind == "f":
        scale = np.float32(1)
    else:
        raise InputError(f"Sound of type {samples.dtype} cannot be read. Give floats from -1 to 1, or 16-bit integers.")
    floats: Samples = samples.astype(np.float32) * scale
    return clean(np.asarray(floats.mean(axis=1), np.float32) if is_wide else floats)
