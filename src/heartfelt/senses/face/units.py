"""Action units: what the muscles of a face do, under the names of the Facial Action Coding System, from 0 to 1.

Each is a weighted sum of how far the measures of `shape` have moved from the person's own face at rest. The lengths below are
what a strong movement comes to in centimetres: rules set by hand and checked on FER2013, not a fit. Points tell less of skin
than pixels do. Without the person's own rest, 12, 6, 1, 5 and 26 separate emotions there well, 4 and 9 somewhat, and 10, 17 and
24 not at all; 14, 20 and 23 could not be checked.
"""

from dataclasses import dataclass

from heartfelt.senses.face.canonical import canonical
from heartfelt.senses.face.shape import Shape, shape

Units = dict[str, float]
"""Intensities by name, such as `AU12`."""

NAMES = {
    "AU1": "inner brows raised",
    "AU2": "outer brows raised",
    "AU4": "brows lowered and drawn together",
    "AU5": "upper lids raised",
    "AU6": "cheeks raised",
    "AU7": "lids tightened",
    "AU9": "nose wrinkled",
    "AU10": "upper lip raised",
    "AU12": "corners of the mouth pulled up",
    "AU14": "one corner of the mouth tightened",
    "AU15": "corners of the mouth pulled down",
    "AU17": "chin raised",
    "AU20": "lips stretched",
    "AU23": "lips tightened",
    "AU24": "lips pressed",
    "AU25": "lips parted",
    "AU26": "jaw dropped",
    "AU43": "eyes closed",
}

# MediaPipe's canonical face has its mouth ajar and its eyes narrow. These are the mean lengths that anatomists give for adults.
_AT_REST = {
    "upper lid": 0.5,
    "right opening": 0.3,
    "left opening": 0.3,
    "upper lip": -1.4,
    "corner rise": -0.15,
    "corner height": -2.5,
    "lip gap": 0.05,
    "lip red": 1.65,
    "lower lip": -3.3,
    "chin": -6.75,
}
# An eye counts as shut at the first share of its usual opening, and as open from the second on.
_SHUT, _OPEN = 0.3, 0.75
# A mouth that is open this far can press nothing together.
_PARTED = 0.4


def generic_neutral() -> Shape:
    """Anybody's face at rest, for as long as the person's own is not known."""
    return shape(canonical()) | _AT_REST


@dataclass(frozen=True)
class UnitMoves:
    """How far each measure is from rest."""

    now: Shape
    rest: Shape

    def __getitem__(self, name: str) -> float:
        return self.now[name] - self.rest[name]


def units(now: Shape, rest: Shape) -> Units:
    """All intensities of one moment."""
    moved = UnitMoves(now, rest)
    return {name: round(min(max(0.0, value), 1.0), 4) for name, value in raw_units(moved).items()}


def closure(now: Shape, rest: Shape) -> tuple[float, float]:
    """How far the right and the left eye are shut, from 0 to 1."""
    right, left = (now[f"{side} opening"] / max(rest[f"{side} opening"], 0.05) for side in ("right", "left"))
    return _shut(right), _shut(left)


def raw_units(moved: UnitMoves) -> Units:
    """The same before they are kept between 0 and 1."""
    smile = (0.5 * moved["mouth width"] + moved["corner rise"]) / 1.6
    smiling = min(max(smile, 0.0), 1.0)
    shut = min(closure(moved.now, moved.rest))
    awake = 1 - shut
    together = max(0.0, 1 - moved.now["lip gap"] / _PARTED)
    return {
        "AU1": moved["inner brow"] / 0.7,
        "AU2": moved["outer brow"] / 0.7,
        "AU4": (-moved["inner brow"] - 0.25 * moved["brow gap"]) / 0.5,
        "AU5": moved["upper lid"] / 0.3,
        "AU6": (moved["cheek"] + 1.5 * moved["lower lid"]) / 0.55,
        "AU7": awake * (moved["lower lid"] - 0.4 * moved["upper lid"]) / 0.25,
        "AU9": (moved["nose wing"] - 0.5 * moved["inner brow"]) / 0.45 - 0.8 * smiling,
        "AU10": moved["upper lip"] / 0.5 - 0.8 * smiling,
        "AU12": smile,
        "AU14": together * moved["corner skew"] / 0.4,
        "AU15": -moved["corner rise"] / 0.4,
        "AU17": together * moved["lower lip"] / 0.5,
        "AU20": (0.5 * moved["mouth width"] - 2 * max(moved["corner rise"], 0.0)) / 0.6,
        "AU23": together * (-0.7 * moved["lip red"] - 0.3 * moved["mouth width"]) / 0.5,
        "AU24": together * -moved["lip red"] / 0.7 - 0.5 * smiling,
        "AU25": moved["lip gap"] / 0.5,
        "AU26": (moved["lip gap"] - 0.4 - 0.3 * moved["chin"]) / 1.5,
        "AU43": shut,
    }


def _shut(share: float) -> float:
    return min(max((_OPEN - share) / (_OPEN - _SHUT), 0.0), 1.0)
