"""Wrinkles that come with an expression: which unit raises which, laid over the lasting relief of the skin."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.render.skin import Paint

Floats = NDArray[np.floating[Any]]

_RAISE = {
    "raised brows": {"browInnerUp": 0.75, "browOuterUpLeft": 0.4, "browOuterUpRight": 0.4},
    "lowered brows": {
        "browDownLeft": 0.6, "browDownRight": 0.6, "browInnerUp": 0.25, "noseSneerLeft": 0.2, "noseSneerRight": 0.2,
    },
    "raised cheeks": {
        "cheekSquintLeft": 0.45, "cheekSquintRight": 0.45, "eyeSquintLeft": 0.2, "eyeSquintRight": 0.2,
        "mouthSmileLeft": 0.15, "mouthSmileRight": 0.15,
    },
    "drawn mouth": {
        "mouthSmileLeft": 0.4, "mouthSmileRight": 0.4, "noseSneerLeft": 0.4, "noseSneerRight": 0.4, "cheekSquintLeft": 0.15,
        "cheekSquintRight": 0.15, "mouthUpperUpLeft": 0.25, "mouthUpperUpRight": 0.25,
    },
}  # fmt: skip


class Wrinkles:
    """Keeps the last relief, as neighbouring frames often share it."""

    def __init__(self, paint: Paint):
        self._paint = paint
        self._last: tuple[float, ...] = ()
        self._relief = paint.relief

    def raised(self, units: Mapping[str, float]) -> Floats:
        amounts = tuple(
            round(min(sum(units[unit] * share for unit, share in raisers.items()), 1.2), 2) for raisers in _RAISE.values()
        )
        if amounts != self._last:
            relief = self._paint.relief.copy()
            for name, amount in zip(_RAISE, amounts, strict=True):
                if amount:
                    relief += np.float32(amount) * self._paint.creases[name]
            self._last, self._relief = amounts, relief
        return self._relief
