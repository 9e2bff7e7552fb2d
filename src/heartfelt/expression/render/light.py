"""The lights of the studio: a large soft key from the upper left of the picture, a cool fill, and rims from behind."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


def _light(direction: tuple[float, float, float], colour: tuple[float, float, float], strength: float) -> Floats:
    """The way to the light as a unit vector (x to the right of the picture, y up, z to us), then its colour."""
    way = np.array(direction) / np.linalg.norm(direction)
    return np.concatenate([way, strength * np.array(colour)])


KEY = _light((-0.52, 0.55, 0.80), (1.0, 0.97, 0.935), 1.22)
FILL = _light((0.80, 0.05, 0.62), (0.86, 0.93, 1.0), 0.34)
RIM = _light((0.78, 0.40, -0.55), (1.0, 0.96, 0.90), 0.95)
RIM_TWO = _light((-0.85, 0.35, -0.50), (0.90, 0.95, 1.0), 0.45)
AMBIENT_HIGH = 0.30 * np.array([0.97, 0.99, 1.0])
AMBIENT_LOW = 0.16 * np.array([1.0, 0.95, 0.90])


def shown(steps: int, limit: float) -> NDArray[np.uint8]:
    """The table from light to what screens show: straight in the middle, with a soft shoulder for the highlights."""
    light = np.linspace(0, limit, steps)
    knee = 0.62
    bent = np.where(light < knee, light, knee + (1 - knee) * (1 - np.exp(-(light - knee) / (1 - knee))))
    screen = np.where(bent <= 0.0031308, 12.92 * bent, 1.055 * np.maximum(bent, 1e-9) ** (1 / 2.4) - 0.055)
    return np.clip(np.round(255 * screen), 0, 255).astype(np.uint8)
