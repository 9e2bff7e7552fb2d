"""Makes the head a person: the grand lines of age, gender and ancestry, then the proportions that are this face's own."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.ease import held
from heartfelt.expression.face.head import Head, Shift
from heartfelt.expression.face.look import Look

Floats = NDArray[np.floating[Any]]

# The years at which the mesh calls an adult young and old.
_YOUNG, _OLD = 25, 90
_TEETH = {"upper teeth": -0.045, "lower teeth": -0.015}
"""How much higher teeth stand than in the mesh: its upper ones end behind the lip, and those of people are seen when they
speak; its lower ones stand above the sides of the lip."""


def shaped(head: Head, look: Look) -> Floats:
    """The points of this person at rest, which is at ease."""
    return held(head, bare(head, look))


def bare(head: Head, look: Look) -> Floats:
    """The points of this person before any muscle is held."""
    points = head.points + np.tensordot(_weights(look), head.macro, axes=3).astype(np.float32)
    for name, amount in look.proportions.items():
        _add(points, (head.more if amount > 0 else head.less)[name], abs(amount))
    for part, higher in _TEETH.items():
        points[np.unique(head.quads[head.of_part(part)]), 1] += higher
    return points


def ageing(look: Look) -> float:
    """0 for the young, 1 for the very old."""
    return float(np.clip((look.age - _YOUNG) / (_OLD - _YOUNG), 0, 1))


def _weights(look: Look) -> NDArray[np.float64]:
    gender = np.array([1 - look.gender, look.gender])
    age = np.array([1 - ageing(look), ageing(look)])
    return np.einsum("i,j,k->ijk", np.array(look.ancestry.shares()), gender, age)


def _add(points: Floats, shift: Shift, amount: float) -> None:
    points[shift.index] += np.float32(amount) * shift.delta
