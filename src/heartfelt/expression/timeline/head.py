"""How the head moves: it wanders a little, breathes, and goes with the stress of the words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.timeline.chance import bump, draws, drift

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Stress:
    """A word that weighs, and how much (0 to 1)."""

    at: float
    weight: float


@dataclass(frozen=True)
class HeadMotion:
    yaw: Floats
    pitch: Floats
    roll: Floats


def wandering(times: Floats, lively: float, *names: object) -> HeadMotion:
    """What a head does when nothing is said: a body that breathes and balances."""
    breath = 0.35 * np.sin(2 * np.pi * 0.23 * times)
    return HeadMotion(
        yaw=lively * 2.4 * drift(times, 0.07, 0.5, "yaw", *names),
        pitch=lively * 1.3 * drift(times, 0.09, 0.6, "pitch", *names) + breath,
        roll=lively * 1.5 * drift(times, 0.06, 0.4, "roll", *names),
    )


def beats(times: Floats, stresses: Sequence[Stress], lively: float, *names: object) -> HeadMotion:
    """Nods that go down with the stress, and small turns along with some of them."""
    yaw, pitch, roll = (np.zeros(len(times)) for _ in range(3))
    for stress in stresses:
        source = draws("beat", round(stress.at, 2), *names)
        size = lively * stress.weight * source.uniform(0.6, 1.3)
        pitch -= 3.4 * size * bump(times, stress.at + 0.04, 0.16, 0.34)
        pitch += 1.1 * size * bump(times, stress.at - 0.20, 0.14, 0.16)  # a head rises before it falls
        swing = bump(times, stress.at + 0.06, 0.25, 0.45)
        yaw += source.choice((-1, 1)) * 1.6 * size * source.random() * swing
        roll += source.choice((-1, 1)) * 1.4 * size * source.random() * swing
    return HeadMotion(yaw, pitch, roll)


def nods(times: Floats, moments: Sequence[float], size: float) -> Floats:
    """The pitch of a listener's nods: twice down, the second time less."""
    pitch = np.zeros(len(times))
    for moment in moments:
        pitch -= size * bump(times, moment + 0.18, 0.18, 0.2)
        pitch -= 0.55 * size * bump(times, moment + 0.62, 0.2, 0.26)
    return pitch
