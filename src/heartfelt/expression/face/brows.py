"""Brows as a picture: fine soft hairs drawn on the plane of the resting face, to be painted on the skin and to move with it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from heartfelt.expression.face.look import Look

Floats = NDArray[np.floating[Any]]

# The stretch of the plane that a picture spans, and its dots a decimetre.
_LEFT, _RIGHT, _LOW, _HIGH = 0.06, 0.60, 7.34, 7.58
_DOTS = 1200


def brow_pictures(look: Look) -> tuple[Floats, Floats]:
    """How thick hair stands on the left and on the right brow, from 0 to 1; both run outwards."""
    chance = np.random.default_rng(look.seed + 5)
    return _brow(look, chance), _brow(look, chance)


def brow_at(picture: Floats, side: Floats, y: Floats) -> Floats:
    """The thickness at places of the resting face; `side` is the distance from its middle line."""
    column = np.clip((side - _LEFT) * _DOTS, 0, picture.shape[1] - 1).astype(np.int32)
    row = np.clip((_HIGH - y) * _DOTS, 0, picture.shape[0] - 1).astype(np.int32)
    inside = (side > _LEFT) & (side < _RIGHT) & (y > _LOW) & (y < _HIGH)
    return np.where(inside, picture[row, column], 0).astype(np.float32)


def _brow(look: Look, chance: np.random.Generator) -> Floats:
    weight = look.brow_weight
    count = int(220 + 260 * weight)
    share = chance.random(count)
    x = 0.105 + 0.405 * share
    middle = np.interp(share, (0, 0.25, 0.62, 0.8, 1), (7.450, 7.462, 7.482, 7.476, 7.440))
    thick = (0.012 + 0.026 * weight) * np.interp(share, (0, 0.16, 0.5, 1), (0.55, 0.9, 0.85, 0.25))
    across = chance.uniform(-1, 1, count)
    # the first hairs stand up, the later ones lie along the brow; those from above and below meet
    angle = np.interp(share, (0, 0.12, 0.45, 1), (1.05, 0.60, 0.22, -0.32)) - 0.30 * across + chance.normal(0, 0.06, count)
    length = (0.050 + 0.025 * weight) * np.interp(share, (0, 0.3, 1), (0.8, 1.1, 0.8)) * chance.uniform(0.8, 1.2, count)
    size = (round((_RIGHT - _LEFT) * _DOTS), round((_HIGH - _LOW) * _DOTS))
    total = np.zeros((size[1], size[0]), np.float32)
    for layer in range(4):  # few hairs a layer, so that crossing ones add up softly
        picture = Image.new("L", size)
        draw = ImageDraw.Draw(picture)
        for hair in range(layer, count, 4):
            start = (x[hair], middle[hair] + across[hair] * thick[hair])
            end = (start[0] + length[hair] * np.cos(angle[hair]), start[1] + length[hair] * np.sin(angle[hair]))
            draw.line([_dot(*start), _dot(*end)], fill=255, width=4)
        total += np.asarray(picture.filter(ImageFilter.GaussianBlur(3.0)), np.float32) / 255
    hairs = 1 - np.exp(-0.8 * total)
    body = np.asarray(Image.fromarray((255 * hairs).astype(np.uint8)).filter(ImageFilter.GaussianBlur(9)), np.float32) / 255
    return (0.6 * hairs + 0.5 * body).astype(np.float32)


def _dot(x: float, y: float) -> tuple[float, float]:
    return (float(x) - _LEFT) * _DOTS, (_HIGH - float(y)) * _DOTS
