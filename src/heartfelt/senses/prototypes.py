"""Emotions from action units, by the prototypes of EMFACS (Friesen and Ekman 1983): a rule, where no network reads the face.

Each emotion is as likely as the mean of its units is high and the strongest unit against it is low; a face at rest is neutral.
A rule of this kind knows posed faces better than lived ones, so it is trusted less than a network would be.
"""

import math

from heartfelt.labels import label_set
from heartfelt.records import Scores
from heartfelt.senses.labels import LABELS

TRUST = 0.5
"""How far the rule can be trusted, beside a trained network."""
SHARPNESS = 5.0
"""How fast an emotion gains as its units rise."""
AT_REST = 0.3
"""The mean unit at which an emotion is as likely as a neutral face."""
SHOWS: dict[str, tuple[dict[str, float], tuple[str, ...]]] = {
    "joy": ({"AU12": 0.75, "AU6": 0.25}, ("AU15", "AU4")),
    "sadness": ({"AU1": 0.4, "AU15": 0.6}, ("AU12",)),
    "surprise": ({"AU1": 0.25, "AU2": 0.25, "AU5": 0.25, "AU26": 0.25}, ("AU4",)),
    "fear": ({"AU1": 0.25, "AU4": 0.25, "AU5": 0.25, "AU20": 0.25}, ("AU12",)),
    "anger": ({"AU4": 0.5, "AU7": 0.25, "AU23": 0.25}, ("AU12", "AU1")),
    "disgust": ({"AU9": 0.5, "AU10": 0.5}, ("AU12",)),
}
"""Units that make an emotion with what each counts, more where points tell it more surely; and units that speak against it."""


def by_prototype(units: dict[str, float]) -> Scores:
    """Shares in the senses' label set."""
    raised = {emotion: _shown(units, *wanted) for emotion, wanted in SHOWS.items()}
    weights = {emotion: math.exp(SHARPNESS * (value - AT_REST)) for emotion, value in raised.items()} | {"neutral": 1.0}
    total = sum(weights.values())
    return {label: weights[label] / total for label in label_set(LABELS).labels}


def _shown(units: dict[str, float], make: dict[str, float], against: tuple[str, ...]) -> float:
    mean = sum(units.get(name, 0.0) * weight for name, weight in make.items())
    return mean * (1 - max(units.get(name, 0.0) for name in against))
