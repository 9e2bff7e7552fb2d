"""The colours of one look: a row for each thing that is drawn."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.look import Look, linear
from heartfelt.expression.face.shape import ageing
from heartfelt.expression.render import materials

Floats = NDArray[np.floating[Any]]

# The rows.
SKIN, LEFT_EYE, RIGHT_EYE, UPPER_TEETH, LOWER_TEETH, TONGUE, HAIR, BEARD, LASHES, FRAME, MAIN, COLLAR, JACKET = range(13)

_SHIRT = (0.70, 0.71, 0.72)
_RIBS = {"sweater": 0.10, "t-shirt": 0.0, "shirt": 0.0, "blazer": 0.0}
_HEM = {"sweater": 10.0, "t-shirt": 5.5, "shirt": 1.6, "blazer": 1.6}


def palette(look: Look) -> Floats:
    rows = np.zeros((13, materials.WIDTH), np.float32)

    def fill(row: int, kind: int, colour: tuple[float, float, float], *own: float) -> None:
        rows[row, : 4 + len(own)] = (kind, *colour, *own)

    fill(SKIN, materials.SKIN, linear(look.skin))
    for row in (LEFT_EYE, RIGHT_EYE):
        fill(row, materials.EYE, linear(look.eyes), 0.40, 0, 0, 1, 0.5, -0.5)
    ivory = 0.66 - 0.12 * ageing(look)
    for row in (UPPER_TEETH, LOWER_TEETH):
        fill(row, materials.TEETH, (ivory, ivory * 0.95, ivory * 0.86), 1)
    # the lining of the mouth has the same colour, and is darker in darker people
    depth = 0.62 + 0.38 * min(sum(linear(look.skin)) / 1.2, 1.0)
    fill(TONGUE, materials.MOUTH, (0.50 * depth, 0.17 * depth, 0.16 * depth), 1)
    fill(HAIR, materials.HAIR, _greyed(look), 1.0, look.grey)
    fill(BEARD, materials.HAIR, _greyed(look), 0.35, look.grey)
    fill(LASHES, materials.HAIR, (0.016, 0.011, 0.009), 0.0, 0)
    fill(FRAME, materials.GLOSSY, linear(look.glasses or "#202020"), 0.5)
    main, hem = linear(look.clothes_colour), _HEM[look.clothes]
    shirt = _SHIRT if look.clothes == "blazer" else main
    fill(MAIN, materials.CLOTH, shirt, 0.22 if look.clothes == "sweater" else 0.08, _RIBS[look.clothes], hem)
    fill(COLLAR, materials.CLOTH, shirt, 0.08, 0.0, 1.6)
    fill(JACKET, materials.CLOTH, main, 0.14, 0.0, 13.0)
    return rows


def _greyed(look: Look) -> tuple[float, float, float]:
    """Hair colour on the whole: most of its grey is mixed in evenly, and the rest strand by strand."""
    red, green, blue = linear(look.hair_colour)
    share = 0.80 * look.grey**1.6
    return red + (0.50 - red) * share, green + (0.49 - green) * share, blue + (0.48 - blue) * share
