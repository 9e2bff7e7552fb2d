"""At ease: how a person holds the face while nothing is felt in particular.

The mesh at rest looks stern and tired, and more so on men. Brows, cheeks and corners of the mouth are held a little higher by
everybody alike; the lids by as much as each face needs, since what has to come out the same is how much of the iris is seen.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.head import Head, Shift

Floats = NDArray[np.floating[Any]]

SIDES = ("Left", "Right")
_HELD = {
    "browInnerUp": 0.18,
    "browOuterUpLeft": 0.08,
    "browOuterUpRight": 0.08,
    "mouthSmileLeft": 0.50,
    "mouthSmileRight": 0.50,
    "cheekSquintLeft": 0.16,
    "cheekSquintRight": 0.16,
    "eyeSquintLeft": 0.20,
    "eyeSquintRight": 0.20,
}
_LETS_GO = {"browDown": ("browInnerUp", 0.5), "mouthFrown": ("mouthSmile", 0.8), "eyeWide": ("eyeSquint", 1.0)}
"""Units that let go of what is held against them, and how much of it at 1."""
BALL = 0.945
"""How far around its middle the mesh's own eyeball reaches, against the way to its front."""
_LID = 0.38
"""How high above the middle of the eyeball the upper lid stands, in its radii: the iris ends at 0.49."""
_RIM = (0.3096, 7.3374, 1.4127)
"""The middle of the left upper lid on the resting head."""
_MOST = 1.3


def held(head: Head, points: Floats) -> Floats:
    """The points of a person who is at ease."""
    eased = points.copy()
    for unit, amount in _HELD.items():
        _add(eased, head.units[unit], amount)
    for side, amount in lids_raised(head, points).items():
        _add(eased, head.units[f"eyeWide{side}"], amount)
    return eased


def let_go(head: Head, points: Floats) -> dict[str, Shift]:
    """What is added to units of this person, at 1, by their names: nobody frowns with a smile, or blinks with raised lids."""
    found: dict[str, Shift] = {}
    for side, amount in lids_raised(head, points).items():
        found[f"eyeBlink{side}"] = _less(head.units[f"eyeWide{side}"], amount)
        for unit, (against, share) in _LETS_GO.items():
            name = against if against in _HELD else f"{against}{side}"
            found[f"{unit}{side}"] = _less(head.units[name], share * _HELD[name])
    return found


def lids_raised(head: Head, points: Floats) -> dict[str, float]:
    """How much of the unit that widens each eye shows the iris but for its very top."""
    found: dict[str, float] = {}
    for side, outward in zip(SIDES, (1, -1), strict=True):
        rim = int(np.linalg.norm(head.points - np.array([outward * _RIM[0], *_RIM[1:]]), axis=1).argmin())
        middle, radius = points[head.mark(f"{side[0].lower()}-eye")], eye_radius(head, points)
        shift = head.units[f"eyeWide{side}"]
        lifts = float(shift.delta[shift.index == rim][0, 1])
        missing = _LID * radius - float(points[rim, 1] - middle[1])
        found[side] = min(max(missing / lifts, 0.0), _MOST)
    return found


def eye_radius(head: Head, points: Floats) -> float:
    ways = [points[head.mark(f"{side}-eye-front")] - points[head.mark(f"{side}-eye")] for side in "lr"]
    return float(np.mean([np.linalg.norm(way) for way in ways])) * BALL


def _add(points: Floats, shift: Shift, amount: float) -> None:
    points[shift.index] += np.float32(amount) * shift.delta


def _less(shift: Shift, amount: float) -> Shift:
    return Shift(shift.index, np.float32(-amount) * shift.delta)
