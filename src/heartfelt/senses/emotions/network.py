"""A network of emotions: its graph, and beside it the file that says how its scores are read."""

import json
import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import DamagedError
from heartfelt.fusion.fuse import LABELS
from heartfelt.labels import label_set
from heartfelt.records import Record, Scores
from heartfelt.senses.face.light import shown
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


_HERE = Path(__file__).parent


class Terms(Record):
    """What the file beside a graph says."""

    labels: tuple[str, ...]
    """In the order of the scores, in the words of the corpus."""
    meant: dict[str, str]
    """Each of these in the senses' label set. Two may mean the same: a calm voice is a neutral one."""
    temperature: float
    """What the scores are divided by, so that the network is as sure as it is right."""
    least: dict[str, float] = {}
    """The share that each emotion must have, where it is the likeliest, to be taken at its word."""
    licence: str
    data: str


class EmotionNetwork:
    """Loaded at the first look; safe to share between threads."""

    def __init__(self, path: Path):
        self.path = path
        self._loading = threading.Lock()

    @classmethod
    def shipped(cls, name: str) -> "EmotionNetwork":
        return cls(_HERE / f"{name}.onnx")

    def shares(self, one: NDArray[np.float32]) -> Scores:
        """How likely each emotion is, by one input in the shape that the graph asks for without its first axis."""
        terms, session = self.load()
        scores = np.asarray(session.run(None, {session.get_inputs()[0].name: one[None]})[0], np.float64)[0] / terms.temperature
        raised = np.exp(scores - scores.max())
        found = dict.fromkeys(label_set(LABELS).labels, 0.0)
        for label, share in zip(terms.labels, raised / raised.sum(), strict=True):
            found[terms.meant[label]] += float(share)
        return found

    def sure(self, shares: Scores) -> bool:
        """Whether the likeliest emotion is likely enough to be taken at its word."""
        best = max(shares, key=lambda label: shares[label])
        return shares[best] >= self.load()[0].least.get(best, 0.0)

    def load(self) -> "tuple[Terms, InferenceSession]":
        with self._loading:
            return self._parts

    @cached_property
    def _parts(self) -> "tuple[Terms, InferenceSession]":
        try:
            terms = Terms.model_validate(json.loads(self.path.with_suffix(".json").read_text("utf-8")))
        except (OSError, ValueError):
            raise DamagedError(f"{self.path.with_suffix('.json')} is missing or damaged; install Heartfelt again.") from None
        return terms, open_session(self.path, threads=1)


class ExpressionNetwork:
    """An `Expression`. Safe to share between threads."""

    def __init__(self, network: EmotionNetwork | None = None):
        self.network = network or EmotionNetwork.shipped("face")

    def __call__(self, face: NDArray[np.uint8]) -> Scores:
        return self.network.shares(shown(face[None])[0])
