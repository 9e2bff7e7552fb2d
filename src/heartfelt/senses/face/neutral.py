"""A person's own face at rest, learnt while they are watched: the median of their calmest moments.

One person's brows hang low and another's mouth turns down; neither is angry or sad for that. Until enough has been seen, the
generic face stands in, and it never lets go altogether: somebody who smiles from the first frame to the last was smiling.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.face.gaze import Gaze
from heartfelt.senses.face.pose import HeadPose
from heartfelt.senses.face.shape import Shape
from heartfelt.senses.face.units import generic_neutral, units

# How far people's faces at rest lie from the generic one, in centimetres (openings: in widths of the eye; angles: in degrees).
_SPREAD = {
    "inner brow": 0.6,
    "outer brow": 0.6,
    "brow gap": 0.6,
    "upper lid": 0.3,
    "lower lid": 0.2,
    "right opening": 0.14,
    "left opening": 0.14,
    "cheek": 0.6,
    "nose wing": 0.7,
    "upper lip": 0.6,
    "mouth width": 0.9,
    "corner rise": 0.3,
    "corner height": 0.7,
    "corner skew": 0.25,
    "lip gap": 0.2,
    "lip red": 0.6,
    "lower lip": 0.8,
    "chin": 1.0,
    "yaw": 20.0,
    "pitch": 20.0,
    "roll": 12.0,
    "gaze yaw": 12.0,
    "gaze pitch": 12.0,
}
_ANGLES = ("yaw", "pitch", "roll", "gaze yaw", "gaze pitch")
# Ten moments a second for a minute: what happened before that is no longer how the person sits now.
_EVERY = 0.1
_KEPT = 600
# As many calm moments as the generic face counts for.
_GENERIC_COUNTS = 8
_READABLE = 0.25
# The mean of all units, against the generic face: below the first a face is at rest, above the second it surely is not. Even
# such a moment counts a little, as some people's rest looks like that.
_STILL, _LIVELY = 0.12, 0.25
_LEAST_COUNT = 0.05


@dataclass(frozen=True)
class Rest:
    """A face at rest: its measures, and how its owner holds head and eyes."""

    shape: Shape
    angles: Mapping[str, float]


class Neutral:
    """Told every frame, and asked for the rest of the person so far."""

    def __init__(self) -> None:
        self._generic: dict[str, float] = generic_neutral() | dict.fromkeys(_ANGLES, 0.0)
        self._names = list(self._generic)
        self._moments: deque[tuple[float, float, NDArray[np.float64]]] = deque(maxlen=_KEPT)
        self._last: tuple[float, NDArray[np.float64]] | None = None
        self.rest = self._as_rest(self._generic)

    def add(self, time: float, shape: Shape, head: HeadPose, gaze: Gaze, quality: float) -> Rest:
        """Take a moment into account, where it can be read and is not too soon after the last, and give the rest as of now."""
        if quality < _READABLE or (self._last is not None and time - self._last[0] < _EVERY):
            return self.rest
        turned = {"yaw": head.yaw, "pitch": head.pitch, "roll": head.roll, "gaze yaw": gaze.yaw, "gaze pitch": gaze.pitch}
        values = np.array([(shape | turned)[name] for name in self._names])
        self._moments.append((*self._judged(time, shape, values), values))
        self._last = time, values
        self.rest = self._as_rest(dict(zip(self._names, self._learnt(), strict=True)))
        return self.rest

    def _judged(self, time: float, shape: Shape, values: NDArray[np.float64]) -> tuple[float, float]:
        """How lively a moment is (how much the face shows, and how fast it changes), and how much it counts for."""
        shown = float(np.mean(list(units(shape, self._generic).values())))
        counts = float(np.clip((_LIVELY - shown) / (_LIVELY - _STILL), _LEAST_COUNT, 1))
        if self._last is None:
            return shown, counts
        spread = np.array([_SPREAD[name] for name in self._names])
        speed = float(np.mean(np.abs(values - self._last[1]) / spread)) / max(time - self._last[0], _EVERY)
        return shown + 0.1 * speed, counts

    def _learnt(self) -> list[float]:
        calm = sorted(self._moments, key=lambda moment: moment[0])[: (len(self._moments) + 1) // 2]
        middle = np.median([values for _, _, values in calm], axis=0)
        count = sum(counts for _, counts, _ in calm)
        weight = count / (count + _GENERIC_COUNTS)
        generic = np.array([self._generic[name] for name in self._names])
        spread = np.array([_SPREAD[name] for name in self._names])
        return (generic + weight * np.clip(middle - generic, -spread, spread)).tolist()

    def _as_rest(self, values: Mapping[str, float]) -> Rest:
        shape = {name: value for name, value in values.items() if name not in _ANGLES}
        return Rest(shape, {name: values[name] for name in _ANGLES})
