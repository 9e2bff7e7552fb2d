"""Wrinkles that come with an expression: which unit raises which, laid over the lasting relief of the skin."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.render.skin import Paint

Floats = NDArray[np.floating[Any]]
Box = tuple[slice, slice]

RAISE = {
    "raised brows": {"browInnerUp": 0.75, "browOuterUpLeft": 0.4, "browOuterUpRight": 0.4},
    "lowered brows": {
        "browDownLeft": 0.6, "browDownRight": 0.6, "browInnerUp": 0.25, "noseSneerLeft": 0.4, "noseSneerRight": 0.4,
    },
    "raised cheeks": {
        "cheekSquintLeft": 0.45, "cheekSquintRight": 0.45, "eyeSquintLeft": 0.2, "eyeSquintRight": 0.2,
        "mouthSmileLeft": 0.15, "mouthSmileRight": 0.15,
    },
    "drawn mouth": {
        "mouthSmileLeft": 0.3, "mouthSmileRight": 0.3, "noseSneerLeft": 0.4, "noseSneerRight": 0.4, "cheekSquintLeft": 0.15,
        "cheekSquintRight": 0.15, "mouthUpperUpLeft": 0.25, "mouthUpperUpRight": 0.25,
    },
}  # fmt: skip


class Wrinkles:
    """Keeps the last relief, as neighbouring frames often share it, and renews only the stretches that wrinkle."""

    def __init__(self, paint: Paint):
        self._lasting = paint.relief
        self._relief = paint.relief.copy()
        self._last: tuple[float, ...] = ()
        self._creases = {name: _stretches(paint.creases[name]) for name in RAISE}

    def raised(self, units: Mapping[str, float]) -> Floats:
        amounts = tuple(
            round(min(sum(units[unit] * share for unit, share in raisers.items()), 1.2), 2) for raisers in RAISE.values()
        )
        if amounts != self._last:
            for stretches in self._creases.values():
                for box, _ in stretches:
                    self._relief[box] = self._lasting[box]
            for name, amount in zip(RAISE, amounts, strict=True):
                for box, slopes in self._creases[name] if amount else ():
                    self._relief[box] += np.float32(amount) * slopes
            self._last = amounts
        return self._relief


def _stretches(slopes: Floats) -> list[tuple[Box, Floats]]:
    """The parts of a picture, one for each half, outside of which it is flat."""
    found: list[tuple[Box, Floats]] = []
    steep = np.abs(slopes).max(2) > 0.02 * float(np.abs(slopes).max())
    half = slopes.shape[1] // 2
    for columns in (slice(0, half), slice(half, None)):
        rows, across = np.flatnonzero(steep[:, columns].any(1)), np.flatnonzero(steep[:, columns].any(0))
        if len(rows):
            start = columns.start + int(across[0])
            box = slice(int(rows[0]), int(rows[-1]) + 1), slice(start, columns.start + int(across[-1]) + 1)
            found.append((box, slopes[box].copy()))
    return found
