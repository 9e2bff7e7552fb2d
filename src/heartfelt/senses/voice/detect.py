"""Is somebody speaking? A probability for each frame of 32 ms, by Silero's network or, in tests, by loudness alone."""

from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.voice.samples import Samples, decibels
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Probabilities: TypeAlias = NDArray[np.float32]

FRAME = 512
"""Samples in a frame: the only size that Silero takes."""
_CONTEXT = 64
_BLOCK = 512
"""Frames in one call of the network, so that a long recording needs little memory."""


class Detector(Protocol):
    """Hears one stream from its start to its end, and remembers what went before."""

    def detect(self, frames: Samples) -> Probabilities:
        """How likely each row of [n, 512] holds speech; the rows follow on those of the last call."""
        ...

    def reset(self) -> None:
        """Forget the stream: another one begins."""
        ...


class Silero:
    """Silero VAD 6, in the form that takes many frames at once. Its state belongs to one stream, so streams do not share it.

    It hears everything twice, as it is and at half speed: it is deaf to screams and sobs above 450 hertz, which matter here,
    and an octave lower it knows most of them for a voice. Tones, chords and noise stay what they are at either speed.
    """

    def __init__(self, store: Store | None = None):
        self.store = store or Store()
        self.reset()

    def reset(self) -> None:
        self._plain, self._slow = _Ear(), _Ear()
        self._last = np.zeros(1, np.float32)

    def detect(self, frames: Samples) -> Probabilities:
        blocks = [self._block(frames[start : start + _BLOCK]) for start in range(0, len(frames), _BLOCK)]
        return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)

    def _block(self, frames: Samples) -> Probabilities:
        plain = self._plain.hear(frames, self._session)
        slow = self._slow.hear(self._slowed(frames), self._session)
        return np.maximum(plain, slow.reshape(-1, 2).max(axis=1))

    def _slowed(self, frames: Samples) -> Samples:
        """Twice as many frames: before each sample stands the mean of it and its forerunner."""
        sound = np.concatenate([self._last, frames.ravel()])
        self._last = sound[-1:].copy()
        between = (sound[:-1] + sound[1:]) * np.float32(0.5)
        return np.stack([between, sound[1:]], axis=1).reshape(-1, FRAME)

    @cached_property
    def _session(self) -> "InferenceSession":
        return open_session(self.store.path("silero"), threads=1)


class _Ear:
    """What the network remembers of one stream."""

    def __init__(self) -> None:
        self._hidden = np.zeros((1, 1, 128), np.float32)
        self._cell = np.zeros((1, 1, 128), np.float32)
        self._context = np.zeros(_CONTEXT, np.float32)

    def hear(self, frames: Samples, session: "InferenceSession") -> Probabilities:
        """Each frame is preceded by the last samples of the one before it: the network was trained so."""
        contexts = np.vstack([self._context, frames[:-1, -_CONTEXT:]])
        self._context = frames[-1, -_CONTEXT:].copy()
        inputs = {"input": np.hstack([contexts, frames]), "h": self._hidden, "c": self._cell}
        found, self._hidden, self._cell = cast(list[Samples], session.run(["speech_probs", "hn", "cn"], inputs))
        return found


class LoudnessDetector:
    """The double for tests: whatever is louder than a level is speech. Instant, without weights, and easily fooled."""

    def __init__(self, level: float = -50.0):
        self.level = level

    def reset(self) -> None:
        pass

    def detect(self, frames: Samples) -> Probabilities:
        return (decibels(np.mean(np.square(frames), axis=1)) > self.level).astype(np.float32)
