"""How much two stretches of speech sound like the same person: the proof that the avatar's voice does not drift.

A network that was taught to tell some thousands of speakers apart (GE2E, Resemblyzer's weights) makes a direction of each
stretch; the cosine between two directions is their likeness. It hears the voice and not the words, but also, less, the feeling,
the microphone and the room: compare with `apart` what changes of those do to one person with what lies between two.
"""

import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.expression.proof.likeness_graph import SPECTRA, VECTOR, WIDTH, write_graph
from heartfelt.expression.proof.likeness_sound import partial_spectra, raised, trimmed, voiced
from heartfelt.expression.voice.measure import at_rate
from heartfelt.records import Record
from heartfelt.senses.voice.detect import FRAME, Detector, Silero
from heartfelt.senses.voice.samples import RATE, Samples, checked
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Vector: TypeAlias = NDArray[np.float32]
"""256 numbers, none below 0, of length one."""

LEAST_SPEECH = 0.4
"""Seconds. From about 1.6 on a likeness can be relied on; between the two it is rather too low."""
_LOWEST_RATE = 8_000
_SILENT = 1e-3
"""What no sample of a silence exceeds: 60 decibels below full scale."""
_BATCH = 32
_THREADS = 1
# A conversion is found by its name, so the number goes up whenever `likeness_graph` changes what it writes.
_GRAPH = "likeness-1.onnx"


class Margin(Record):
    """How far the stretches of each person lie together, and those of different people apart."""

    same: float
    """The mean likeness of two stretches of one person."""
    same_lowest: float
    """The least that two stretches of one person are alike."""
    different: float
    """The mean likeness of two stretches of different people."""
    different_highest: float
    """The most that two stretches of different people are alike."""
    margin: float
    """`same` less `different`."""
    equal_error_rate: float
    """Where one bar decides who is the same: the share of wrong verdicts on either side when both sides have as many.
    0: the bar never errs; 0.5: as good as a coin."""
    same_pairs: int
    different_pairs: int


class Likeness:
    """Needs `resemblyzer` and `silero` in the store. Loaded at the first stretch; safe to share between threads."""

    def __init__(self, store: Store | None = None, *, detector: Detector | None = None):
        self.store = store or Store()
        self.detector = detector or Silero(self.store)
        self._loading, self._listening = threading.Lock(), threading.Lock()

    def of(self, samples: NDArray[np.floating], rate: int) -> Vector:
        """Who speaks, as a direction. One channel, at any rate from 8,000 on; silences are left out before.
        Below 16,000 the high sounds are missing: such vectors are to be compared with their like only (0.88 for one voice).

        Raises InputError where the sound is not numbers, silent, or holds less than 0.4 seconds of speech.
        """
        sound = raised(_audible(samples, rate))
        with self._listening:
            speech = voiced(sound, self.detector)
        seconds = speech.sum() * FRAME / RATE
        if seconds < LEAST_SPEECH:
            raise InputError(
                f"The sound holds {seconds:.2f} seconds of speech, too little to know a voice by: "
                f"give {LEAST_SPEECH} at least, better two."
            )
        return self.of_speech(trimmed(sound, speech))

    def of_speech(self, sound: Samples) -> Vector:
        """The same of sound that is ready: 16,000 samples a second, loud enough and without silences."""
        stretches = partial_spectra(sound)
        session = self._loaded()
        total = np.zeros(WIDTH)
        for start in range(0, len(stretches), _BATCH):
            found = cast(Vector, session.run([VECTOR], {SPECTRA: stretches[start : start + _BATCH]})[0])
            total += found.sum(axis=0, dtype=np.float64)
        return _unit(total).astype(np.float32)

    @staticmethod
    def between(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
        """The likeness of two vectors: 1 for the same direction, 0 for nothing in common."""
        return float(np.clip(_unit(a) @ _unit(b), -1.0, 1.0))

    def graph(self) -> Path:
        """The ONNX file, converted from the checkpoint at the first call."""
        checkpoint = self.store.path("resemblyzer")
        return self.store.converted("resemblyzer", _GRAPH, lambda target: write_graph(checkpoint, target))

    def _loaded(self) -> "InferenceSession":
        with self._loading:
            return self._session

    @cached_property
    def _session(self) -> "InferenceSession":
        return open_session(self.graph(), _THREADS)


def apart(groups: Mapping[str, Sequence[NDArray[np.floating]]]) -> Margin:
    """What lies between the vectors of each person, and between those of different people."""
    rows = [(name, _unit(vector)) for name, vectors in groups.items() for vector in vectors]
    same: list[float] = []
    different: list[float] = []
    for (name, one), (other_name, other) in combinations(rows, 2):
        (same if name == other_name else different).append(Likeness.between(one, other))
    if not same or not different:
        raise InputError("A margin needs two people at least, and two stretches of one of them.")
    return Margin(
        same=float(np.mean(same)),
        same_lowest=min(same),
        different=float(np.mean(different)),
        different_highest=max(different),
        margin=float(np.mean(same) - np.mean(different)),
        equal_error_rate=equal_error_rate(same, different),
        same_pairs=len(same),
        different_pairs=len(different),
    )


def equal_error_rate(same: Sequence[float], different: Sequence[float]) -> float:
    """Raise the bar from score to score: fewer strangers pass, more friends fail. Where the two shares meet is the rate."""
    bars = np.append(np.unique([*same, *different]), np.inf)
    failing = np.searchsorted(np.sort(same), bars) / len(same)
    passing = 1 - np.searchsorted(np.sort(different), bars) / len(different)
    after = int(np.argmax(failing >= passing))
    before = after - 1  # at the lowest bar everybody passes, so the shares never meet there
    gap, rest = passing[before] - failing[before], failing[after] - passing[after]
    return float((passing[before] * rest + passing[after] * gap) / (gap + rest))


def _audible(samples: NDArray[np.floating], rate: int) -> Samples:
    if rate < _LOWEST_RATE:
        raise InputError(f"{rate:,} samples a second are too few to know a voice by: give {_LOWEST_RATE:,} at least.")
    sound = checked(samples)
    if np.abs(sound).max(initial=0.0) <= _SILENT:
        raise InputError("The sound is silent, or all but silent: there is no voice in it to compare.")
    return at_rate(sound, rate)


def _unit(vector: NDArray[np.floating]) -> NDArray[np.float64]:
    length = float(np.linalg.norm(np.asarray(vector, np.float64)))
    if not 0 < length < np.inf:
        raise InputError("This is no voice's vector: it is all zeros, or holds what is not a number.")
    return np.asarray(vector, np.float64) / length
