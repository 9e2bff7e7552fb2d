"""What the speech recogniser hears on its way to the words: inner layers of Whisper's encoder, summed up over time.

A network that has learnt to write speech down has learnt to hear it. Its middle layers still know how something was said; its
last one has forgotten all but the words. So the emotion of a voice is read off the middle ones, which the speech of many
thousand people has made, by a head that some hundred acted utterances can teach.
"""

import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.records import Scores
from heartfelt.senses.emotions import EmotionNetwork
from heartfelt.senses.voice.mel import HOP, log_mel
from heartfelt.senses.voice.samples import RATE, Samples, checked
from heartfelt.senses.voice.whisper_graph import LAYERS, write_layers
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


ARTEFACT = "whisper-base"
WIDTH = 2 * 512 * len(LAYERS)
"""Numbers that sum up one stretch: the mean and the spread over time of each channel of each layer."""
LOUDNESS = 0.1
"""Root mean square to which speech is brought: how far away the microphone stood says nothing about a feeling."""
RANGE = 35.0
"""Decibels under the loud frames at which speech begins and ends."""
LONGEST = 15 * RATE
"""Of a longer stretch only the middle is heard: attention costs as the square of the length."""
GUESS = 0.1
"""What an emotion counts that is not likely enough to be claimed: too little to contradict anybody."""
_FRAME, _HOP, _MARGIN = 400, 160, 10
_STEP = 2 * HOP
"""Samples in one frame of the encoder: what is left over at the end is not heard."""
_LEAST = RATE // 2
"""A shorter stretch is repeated: a mean over a few frames says little."""
_GRAPH = "layers-1.onnx"  # the number goes up whenever `write_layers` changes what it writes


class Layers:
    """Loaded at the first stretch; safe to share between threads."""

    def __init__(self, store: Store | None = None):
        self.store = store or Store()
        self._loading = threading.Lock()

    def __call__(self, samples: Samples) -> NDArray[np.float32]:
        """[WIDTH] of one stretch of speech. InputError where it is silent."""
        wave = levelled(spoken(checked(samples)))
        bands = log_mel(wave[: len(wave) // _STEP * _STEP])
        found = cast(list[Samples], self.load().run(None, {"input_features": bands[None]}))
        return np.concatenate([part for layer in found for part in (layer[0].mean(0), layer[0].std(0))])

    def load(self) -> "InferenceSession":
        with self._loading:
            return self._session

    @cached_property
    def _session(self) -> "InferenceSession":
        return open_session(self.graph(), threads=1)

    def graph(self) -> Path:
        """The encoder up to the last layer that is listened to, converted at the first call."""
        source = self.store.path(ARTEFACT, "encoder_model_quantized.onnx")
        return self.store.converted(ARTEFACT, _GRAPH, lambda target: write_layers(source, target))


def spoken(wave: Samples) -> Samples:
    """From the first to the last frame that is not far quieter than the loud ones."""
    if len(wave) < _FRAME or not np.any(np.abs(wave) > 1e-5):
        raise InputError("The sound is silent; leave it out, for there is nothing to hear.")
    power = np.mean(np.lib.stride_tricks.sliding_window_view(wave, _FRAME)[::_HOP] ** 2, axis=1)
    decibels = 10 * np.log10(power + 1e-12)
    loud = np.flatnonzero(decibels > np.quantile(decibels, 0.95) - RANGE)
    first, last = max(0, int(loud[0]) - _MARGIN), int(loud[-1]) + _MARGIN
    return wave[first * _HOP : last * _HOP + _FRAME]


def levelled(wave: Samples) -> Samples:
    """At one loudness, and of a length that the encoder can take."""
    if len(wave) > LONGEST:
        start = (len(wave) - LONGEST) // 2
        wave = wave[start : start + LONGEST]
    wave = np.tile(wave, -(-_LEAST // len(wave)))
    return (wave * (LOUDNESS / max(1e-9, float(np.sqrt(np.mean(wave.astype(np.float64) ** 2)))))).astype(np.float32)


class VocalEmotion:
    """An `Emotion`. Safe to share between threads."""

    def __init__(self, layers: Layers | None = None, network: EmotionNetwork | None = None):
        self.layers = layers or Layers()
        self.network = network or EmotionNetwork.shipped("voice")

    def __call__(self, samples: Samples) -> Scores:
        return self.network.shares(self.layers(samples))

    def sure(self, shares: Scores) -> float:
        """How far to trust what was heard, 0 to 1: as far as it is likely, and hardly where it is a mere guess."""
        return max(shares.values()) * (1.0 if self.network.sure(shares) else GUESS)
