"""Moves the points of one person: units, lids over the eyeballs, gaze, and the head on its neck."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.ease import SIDES, eye_radius, held, let_go
from heartfelt.expression.face.head import Head, Shift
from heartfelt.expression.face.lips import Lips
from heartfelt.expression.face.look import Look
from heartfelt.expression.face.names import UNITS
from heartfelt.expression.face.pose import LOOK, Pose, gazes, settled
from heartfelt.expression.face.rounding import rounded
from heartfelt.expression.face.shape import bare

Floats = NDArray[np.floating[Any]]
Matrix = NDArray[np.floating[Any]]

_ONE = np.float32(1.0)
# The units of the mesh are shy: at 1 these do less than people do.
_GAIN = {
    name: np.float32(gain)
    for name, gain in {
        "mouthFrown": 1.1,
        "browDown": 1.2,
        "noseSneer": 1.5,
        "browInnerUp": 1.15,
        "eyeWide": 0.8,
        "mouthSmile": 0.8,
    }.items()
}

TONGUE_SINKS = (0.0, -0.17, -0.10)
"""Where the tongue goes with an open jaw; that of the mesh stays up. A tip that is put forward is held up too."""


@dataclass(frozen=True)
class MovedFace:
    """A person at one moment, before the head is turned."""

    points: Floats
    """The coarse vertices with all units, in the place of the body."""
    units: dict[str, float]
    """What was done of the pose after its rules."""
    eyes: dict[str, Matrix]
    """How each eyeball is turned."""
    turn: Floats
    """The head's turn as axis times angle in radians; the neck follows by each vertex's share of it."""


class Rig:
    """One person's moving parts. Makes new arrays at each call, so it can be shared between threads."""

    def __init__(self, head: Head, look: Look):
        self.head = head
        points = bare(head, look)
        self.rest = held(head, points)
        self.index, self.delta, self.starts = _joined(_shifts(head, points))
        self.eye_middles = {side: self.rest[head.mark(f"{side[0].lower()}-eye")] for side in SIDES}
        self.eye_radius = eye_radius(head, self.rest)
        self.pivot = _pivot(self.rest[head.mark("neck")], self.rest[head.mark("head")])
        self.follows = follows(head.points)
        self.lips = Lips(head)
        self.tongue = np.unique(head.quads[head.of_part("tongue")])

    def move(self, pose: Pose) -> MovedFace:
        units = settled(pose)
        looks = gazes(pose, units)
        points = self._blended(_lids_follow(units, looks))
        self.lips.close(points, units)
        sink = np.float32(units["jawOpen"] * max(1 - 3 * units["tongueOut"], 0))
        points[self.tongue] += sink * np.array(TONGUE_SINKS, np.float32)
        eyes = {side: turned(_axis(*looks[side], 0)) for side in SIDES}
        return MovedFace(points, units, eyes, _axis(pose.yaw, pose.pitch, pose.roll))

    def _blended(self, units: dict[str, float]) -> Floats:
        points = self.rest.copy()
        for row, name in enumerate(UNITS):
            amount = units[name]
            if amount:
                span = slice(self.starts[row], self.starts[row + 1])
                points[self.index[span]] += np.float32(amount) * self.delta[span]
        return points


def follows(points: Floats) -> Floats:
    """How far each point of the resting head goes with its turns: the skull wholly, the neck less and less, the chest not."""
    height = (points[:, 1] - 5.80) + 0.42 * (points[:, 2] - 0.3)
    share = np.clip(height / 0.8, 0, 1)
    return (share * share * (3 - 2 * share)).astype(np.float32)


def turned(axis: Floats) -> Matrix:
    """The matrix of a turn about an axis by its length in radians."""
    angle = float(np.linalg.norm(axis))
    if angle < 1e-9:
        return np.eye(3, dtype=np.float32)
    x, y, z = axis / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return (np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)).astype(np.float32)


def _axis(yaw: float, pitch: float, roll: float) -> Floats:
    """Left, up and towards the left shoulder, as one turn."""
    return np.radians(np.array([-pitch, yaw, -roll], np.float32)).astype(np.float32)


def _pivot(neck: Floats, head: Floats) -> Floats:
    return (0.35 * neck + 0.65 * head).astype(np.float32)


def _lids_follow(units: dict[str, float], looks: dict[str, tuple[float, float]]) -> dict[str, float]:
    """The look units as they follow from where the eyes really look, as the lids ride on the eyeballs."""
    followed = dict(units)
    for side, outward in (("Left", 1), ("Right", -1)):
        yaw, pitch = looks[side]
        open_share = 1 - units[f"eyeBlink{side}"]
        for name, amount in (("Out", outward * yaw), ("In", -outward * yaw), ("Up", pitch), ("Down", -pitch)):
            followed[f"eyeLook{name}{side}"] = open_share * min(max(amount / LOOK, 0.0), 1.0)
    return followed


def _shifts(head: Head, points: Floats) -> dict[str, Shift]:
    """The units as this person does them: as wide as people do, with round lips, and free of what is held at rest."""
    shifts = {name: Shift(shift.index, _GAIN.get(_unsided(name), _ONE) * shift.delta) for name, shift in head.units.items()}
    for more in (rounded(head), let_go(head, points)):
        for name, shift in more.items():
            shifts[name] = _added(shifts[name], shift)
    return shifts


def _added(one: Shift, other: Shift) -> Shift:
    index = np.union1d(one.index, other.index).astype(np.int32)
    delta = np.zeros((len(index), 3), np.float32)
    for shift in (one, other):
        delta[np.searchsorted(index, shift.index)] += shift.delta
    return Shift(index, delta)


def _joined(shifts: dict[str, Shift]) -> tuple[NDArray[np.int32], Floats, list[int]]:
    ordered = [shifts[name] for name in UNITS]
    starts = np.cumsum([0, *(len(shift.index) for shift in ordered)])
    return np.concatenate([s.index for s in ordered]), np.concatenate([s.delta for s in ordered]), [int(s) for s in starts]


def _unsided(name: str) -> str:
    return name.removesuffix("Left").removesuffix("Right")
