"""The inside of the mouth: where each tooth lies, and how much light comes in."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.head import Head
from heartfelt.expression.face.names import PARTS
from heartfelt.expression.render.palette import LOWER_TEETH, TONGUE, UPPER_TEETH

Floats = NDArray[np.floating[Any]]


def mouth_numbers(head: Head, rest: Floats, coordinates: Floats) -> Floats:
    """The atlas' coordinates, but of teeth how far round the arch they lie, and how far from their tips (0) to the gums (1)."""
    numbers = coordinates.copy()
    for name in ("upper teeth", "lower teeth"):
        rows = np.unique(head.fine.quads[head.of_part(name)[head.fine.parents]])
        x, y, z = rest[rows].T
        depth = np.clip(z.max() - z, 0, None)
        numbers[rows, 0] = np.sign(x) * np.hypot(x, 0.8 * np.clip(depth - 0.06, 0, None))
        # the bands bend, so their heights are measured against their tips and gums at the same place round the arch
        low, high = _bent(np.abs(x), y, lower=True), _bent(np.abs(x), y, lower=False)
        share = (y - low) / np.maximum(high - low, 1e-3)
        numbers[rows, 1] = share if name == PARTS[1] else 1 - share
    return numbers.astype(np.float32)


def _bent(side: Floats, y: Floats, *, lower: bool) -> Floats:
    cells = np.minimum((side / 0.32 * 6).astype(int), 5)
    ends = np.array([(y[cells == cell].min() if lower else y[cells == cell].max()) for cell in range(6)])
    return np.interp(side, (np.arange(6) + 0.5) * 0.32 / 6, ends)


def mouth_light(palette: Floats, units: Mapping[str, float]) -> None:
    """More light falls into a mouth that is wider open."""
    lips = 0.5 * (units["mouthUpperUpLeft"] + units["mouthLowerDownLeft"]) + 0.4 * units["mouthSmileLeft"]
    wide = min(max(units["jawOpen"] - units["mouthClose"], 0) * 2.0 + 0.7 * lips, 1.0)
    palette[UPPER_TEETH, 4] = 0.12 + 0.83 * wide
    palette[LOWER_TEETH, 4] = 0.08 + 0.62 * wide
    palette[TONGUE, 4] = 0.08 + 0.34 * wide + 0.45 * units["tongueOut"]
