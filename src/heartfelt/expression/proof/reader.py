"""Reads an emotion off a look: from the muscles of the face and from what the face network sees, both against rest.

The network alone was taught on photographs and has no idea of rest. This reader weighs it together with the measured units; its
few weights (`reader.json`) were fitted on drawn people by chance, never on the ready ones, by `heartfelt tune reader`.
"""

import json
from collections.abc import Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.emotions import mixture
from heartfelt.expression.proof.seen import SeenLook
from heartfelt.records import Carried, Scores

Floats = NDArray[np.floating[Any]]

CLASSES = ("neutral", "joy", "sadness", "anger", "fear", "surprise", "disgust")
"""Those that the senses tell apart; but for neutral, the anchors of the face's bank have the same names."""
UNITS = ("AU1", "AU2", "AU4", "AU5", "AU6", "AU7", "AU9", "AU10", "AU12", "AU15", "AU17", "AU20", "AU26", "AU43")
"""Those that speech alone does not make."""
_FAINT, _CLEAR = 0.15, 0.45
"""How much of all anchors leaves a face neutral, and how much of one anchor makes it one of the classes."""
_STEPS, _RATE, _DECAY = 4000, 0.2, 3.0


class FaceReader:
    """A weighted sum for each class: multinomial regression."""

    def __init__(self, weights: dict[str, Any] | None = None):
        self._given = weights

    def read(self, look: SeenLook) -> Scores:
        """How likely each class is."""
        scores = np.append((_row(look) - self._mean) / self._spread, 1.0) @ self._weights
        shares = np.exp(scores - scores.max())
        return dict(zip(CLASSES, np.round(shares / shares.sum(), 4).tolist(), strict=True))

    @cached_property
    def _table(self) -> dict[str, Any]:
        if self._given is not None:
            return self._given
        return json.loads(files("heartfelt.expression.proof").joinpath("reader.json").read_text(encoding="utf-8"))

    @cached_property
    def _mean(self) -> Floats:
        return np.array(self._table["mean"])

    @cached_property
    def _spread(self) -> Floats:
        return np.array(self._table["spread"])

    @cached_property
    def _weights(self) -> Floats:
        return np.array(self._table["weights"])


def fit(looks: Sequence[SeenLook], classes: Sequence[str]) -> dict[str, Any]:
    """Weights for these looks. Nothing is drawn by chance: the same looks give the same weights."""
    rows, wanted = np.stack([_row(look) for look in looks]), np.eye(len(CLASSES))[[CLASSES.index(name) for name in classes]]
    mean, spread = rows.mean(0), rows.std(0) + 1e-6
    inputs = np.c_[(rows - mean) / spread, np.ones(len(rows))]
    weights = np.zeros((inputs.shape[1], len(CLASSES)))
    for _ in range(_STEPS):
        scores = inputs @ weights
        shares = np.exp(scores - scores.max(1, keepdims=True))
        slope = inputs.T @ (shares / shares.sum(1, keepdims=True) - wanted) / len(rows)
        slope[:-1] += _DECAY * weights[:-1] / len(rows)
        weights -= _RATE * slope
    return {name: np.round(values, 5).tolist() for name, values in (("mean", mean), ("spread", spread), ("weights", weights))}


def write_reader(weights: dict[str, Any], about: dict[str, Any], target: Path) -> None:
    target.write_text(json.dumps(about | weights, indent=1) + "\n", encoding="utf-8")


def seen_as(emotion: str, intensity: float) -> str:
    """The class that a face with this emotion should be recognised as; empty where the senses have none for it."""
    parts = {name: weight * intensity for name, weight in mixture(emotion).items()}
    if sum(parts.values()) < _FAINT:
        return "neutral"
    best = max(parts, key=lambda name: parts[name])
    return best if best in CLASSES and parts[best] >= _CLEAR else ""


def face_carried(emotion: str, expected: str, shares: Scores) -> Carried:
    """Intended against recognised, for one film."""
    if not shares:
        note = "no face is found in the film"
        return Carried(channel="face", intended=emotion, expected=expected, agrees=False, note=note)
    best = max(shares, key=lambda label: shares[label])
    found = Carried(channel="face", intended=emotion, expected=expected, recognised=best, shares=shares)
    if not expected:
        return found.model_copy(update={"note": f"the senses have no class for '{emotion}'"})
    if best == expected:
        return found
    return found.model_copy(update={"agrees": False, "note": f"the face looks like {best}, and {expected} was intended"})


def _row(look: SeenLook) -> Floats:
    return np.array([*(look.units[name] for name in UNITS), *(look.risen[name] for name in CLASSES)])
