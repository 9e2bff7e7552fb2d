"""Paints skin: colour, gloss and relief of one person on the atlas, in the coordinates of the resting head."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from heartfelt.expression.face.beard import beard_area
from heartfelt.expression.face.brows import brow_at, brow_pictures
from heartfelt.expression.face.hairstyles import style_of
from heartfelt.expression.face.look import Look, linear
from heartfelt.expression.face.scalp import grows
from heartfelt.expression.face.shape import ageing
from heartfelt.expression.render.atlas import SIZE, Atlas

Floats = NDArray[np.floating[Any]]

# The mouth's outline at rest: half widths outwards from the middle, and the heights of its two borders and of the slit.
_LIP_X = (0.0, 0.035, 0.08, 0.13, 0.18, 0.23, 0.275)
_LIP_TOP = (6.683, 6.692, 6.702, 6.692, 6.668, 6.640, 6.606)
_LIP_LOW = (6.492, 6.494, 6.500, 6.512, 6.532, 6.562, 6.604)

_SHAVEN = 0.30
"""How far back the line lies of those who shave off what hair is left to them."""


@dataclass(frozen=True)
class Paint:
    """What the shader reads of a person's skin."""

    colour: NDArray[np.uint8]
    """Red, green and blue as square roots of light, and gloss."""
    relief: Floats
    """How the height (in decimetres) of lasting wrinkles rises along u and v, at half the atlas' size."""
    creases: dict[str, Floats]
    """The same of wrinkles that come and go, by the name of what raises them."""


def painted(look: Look, atlas: Atlas) -> Paint:
    x, y, z = (atlas.places[:, :, axis] for axis in range(3))
    side = np.abs(x)
    chance = np.random.default_rng(look.seed)
    age = ageing(look)
    lips, front = _lips(side, y, z), _soft(z, 0.2, 0.6)
    colour = _base(look, chance, side, y, z)
    corners = _blob(side, y, 0.278, 6.611, 0.020, 0.015) * front
    colour = _with_lips(colour, lips, corners, y, look, age)
    colour = _with_spots(colour, look, chance, age, front * (1 - lips))
    colour = _with_whiskers(colour, look, chance, beard_area(side, y, z) * (1 - lips))
    colour = _with_scalp(colour, look, atlas.places, chance)
    colour = _with_brows(colour, look, x, y, front)
    gloss = 0.24 + 0.16 * _blob(side, y, 0, 7.05, 0.12, 0.3) + 0.10 * _blob(side, y, 0, 7.75, 0.35, 0.25)
    gloss = (gloss * (1 - 0.3 * age) + 0.30 * lips) * (0.9 + 0.2 * _noise(chance, 200))
    lasting, creases = _wrinkles(atlas, chance, age)
    stack = np.concatenate([255 * np.sqrt(np.clip(colour, 0, 1)), 255 * np.clip(gloss, 0, 1)[..., None]], axis=2)
    return Paint(np.round(stack).astype(np.uint8), lasting, creases)


# How much of each wrinkle stays on the faces of the very old. They are lines that a life of smiling draws, not scars.
_LASTING = {"raised brows": 0.16, "lowered brows": 0.0, "raised cheeks": 0.34, "drawn mouth": 0.50, "bags": 0.40, "neck": 0.45}


def _wrinkles(atlas: Atlas, chance: np.random.Generator, age: float) -> tuple[Floats, dict[str, Floats]]:
    """Slopes of the lasting wrinkles, and of those that come and go, which are deeper in older skin."""
    x, y, z = (atlas.places[1::2, 1::2, axis] for axis in range(3))
    heights = _creases(np.abs(x), y, _noise(chance, 10)[1::2, 1::2])
    slopes = {name: _slopes(height * _soft(z, 0.0, 0.4) * (0.45 + 0.55 * age)) for name, height in heights.items()}
    lasting = sum((np.float32(age**1.5 * share) * slopes[name] for name, share in _LASTING.items()), np.float32(0))
    return np.asarray(lasting, np.float32), slopes


def _base(look: Look, chance: np.random.Generator, side: Floats, y: Floats, z: Floats) -> Floats:
    skin = np.array(linear(look.skin), np.float32)
    light = float(skin.mean())
    front = _soft(z, 0.3, 0.9)
    flush = np.clip(
        0.85 * _blob(side, y, 0.40, 6.99, 0.17, 0.13)
        + 0.35 * _blob(side, y, 0.0, 6.93, 0.13, 0.12)
        + 0.20 * _blob(side, y, 0.0, 6.38, 0.16, 0.10)
        + 0.15 * _blob(side, y, 0.0, 7.6, 0.3, 0.15),
        0, 1,
    ) * front + 0.5 * _soft(side, 0.72, 0.8) * _soft(y, 6.7, 6.9) * _soft(y, 7.5, 7.4)  # fmt: skip
    mottle = 0.6 * _noise(chance, 24) + 0.4 * _noise(chance, 80) - 0.5
    red = (0.14 + 0.26 * look.redness) * flush + 0.025 * mottle * (0.4 + look.redness)
    socket = _blob(side, y, 0.32, 7.30, 0.19, 0.13) * front
    dark = 1 - (0.05 + 0.05 * ageing(look)) * socket - 0.04 * _blob(side, y, 0.33, 7.19, 0.13, 0.035) * front
    # blood takes green and blue away, less so in dark skin
    tint = np.stack([1 + 0.06 * red, 1 - (0.35 + 0.5 * light) * red, 1 - (0.35 + 0.4 * light) * red], axis=2)
    tint *= np.stack([dark, dark**1.25, dark**1.12], axis=2)
    tint *= (1 + 0.025 * (_noise(chance, 300) - 0.5) + 0.015 * mottle)[..., None]
    return (skin * tint).astype(np.float32)


def _with_lips(colour: Floats, lips: Floats, corners: Floats, y: Floats, look: Look, age: float) -> Floats:
    skin = np.array(linear(look.skin), np.float32)
    light = float(skin.mean())
    natural = (
        skin * np.array([0.86, 0.52, 0.55], np.float32) if light > 0.12 else skin * np.array([0.98, 0.62, 0.62], np.float32)
    )
    made_up = np.array([0.40, 0.075, 0.085], np.float32) * (0.55 + 0.9 * light)
    tone = natural + (made_up - natural) * (0.75 * look.lips)
    tone += (skin - tone) * 0.30 * age
    # the slit is darker and redder, so that closed lips show a soft line
    line = (1 - 0.45 * np.exp(-(((y - 6.600) / 0.016) ** 2)))[..., None] * np.ones(3, np.float32)
    colour = colour + (tone * line ** np.array([0.7, 1.0, 1.0], np.float32) - colour) * (0.85 * lips)[..., None]
    # the light comes from one side: without this the corner on the other side alone would look drawn up, as in a smirk
    return colour * (1 - corners[..., None] * np.array([0.30, 0.42, 0.42], np.float32))


def _with_spots(colour: Floats, look: Look, chance: np.random.Generator, age: float, where: Floats) -> Floats:
    field = _noise(chance, 330)
    cheeks = 0.35 + 0.65 * _noise(chance, 9)
    freckles = look.freckles * _soft(field, 0.66, 0.78) * cheeks * where
    old = 0.35 * _soft(_noise(chance, 60), 0.70, 0.85) * max(age - 0.45, 0) * where
    return colour * (1 - np.clip(0.26 * freckles + 0.4 * old, 0, 0.8)[..., None] * np.array([0.45, 0.75, 0.95], np.float32))


def _with_whiskers(colour: Floats, look: Look, chance: np.random.Generator, where: Floats) -> Floats:
    """The shadow of shaved hair under the skin of men, and stubble where it is worn."""
    amount = {"none": 0.06 * max(look.gender - 0.5, 0) * 2, "stubble": 0.36, "moustache": 0.10, "full": 0.55}[look.beard]
    hair = np.array(linear(look.hair_colour), np.float32)
    hair += (np.array([0.32, 0.32, 0.32], np.float32) - hair) * look.grey
    dots = 0.65 + 0.35 * _soft(_noise(chance, 420), 0.35, 0.65)
    return colour + (hair * 0.9 + 0.02 - colour) * (amount * dots * where)[..., None]


def _with_scalp(colour: Floats, look: Look, places: Floats, chance: np.random.Generator) -> Floats:
    """Roots show through the skin under hair, and softly at its line."""
    style = style_of(look)
    inside = grows(places, style.line if style else _SHAVEN) + 0.06 * (_noise(chance, 160) - 0.5)
    shown = 0.85 * _soft(inside, -0.03, 0.10) if style else 0.20 * _soft(inside, -0.1, 0.4)
    amount = shown * _soft(np.abs(places[..., 0]), 0.84, 0.78)
    hair = np.array(linear(look.hair_colour), np.float32) * 0.8
    hair += (np.array([0.34, 0.33, 0.32], np.float32) - hair) * look.grey
    return colour + (hair - colour) * amount[..., None]


def _with_brows(colour: Floats, look: Look, x: Floats, y: Floats, where: Floats) -> Floats:
    """Brows are a little lighter than their hair, as skin shines through them."""
    left, right = brow_pictures(look)
    amount = np.where(x > 0, brow_at(left, np.abs(x), y), brow_at(right, np.abs(x), y)) * where
    hair = np.array(linear(look.brows), np.float32)
    hair = hair + (np.array([0.30, 0.29, 0.28], np.float32) - hair) * 0.6 * look.grey
    # fair hair is darker in the brows, or there would be none to see
    hair = hair * (1 - 0.45 * _soft(hair.mean(keepdims=True), 0.12, 0.35)) + 0.05 * np.array(linear(look.skin), np.float32)
    return colour + (hair - colour) * np.clip((0.85 + 0.25 * look.brow_weight) * amount, 0, 0.88)[..., None]


def _lips(side: Floats, y: Floats, z: Floats) -> Floats:
    top, low = np.interp(side, _LIP_X, _LIP_TOP), np.interp(side, _LIP_X, _LIP_LOW)
    inside = _soft(y, top + 0.008, top - 0.010) * _soft(y, low - 0.010, low + 0.010)
    return (inside * _soft(side, 0.285, 0.262) * _soft(z, 0.8, 1.0)).astype(np.float32)


def _creases(side: Floats, y: Floats, noise: Floats) -> dict[str, Floats]:
    """Heights of wrinkles: grooves a fraction of a millimetre deep, with soft shoulders."""
    wave = 0.018 * (noise - 0.5)
    brow = sum((_groove(y + wave + 0.05 * side**2 * 2, at, 0.024) for at in (7.61, 7.71, 7.81)), np.float32(0))
    frown = _groove(side + 0.25 * wave, 0.062, 0.020) * _soft(y, 7.38, 7.44) * _soft(y, 7.66, 7.54)
    frown = frown + 0.7 * _groove(y + 2 * (side - 0.02) ** 2, 7.345, 0.014) * _soft(side, 0.10, 0.03)
    angle, reach = np.arctan2(y - 7.285, side - 0.40), np.hypot(y - 7.285, side - 0.40)
    crow = sum((_groove(angle * 0.16, at * 0.16, 0.012) for at in (-0.75, -0.42, -0.12, 0.22, 0.52)), np.float32(0))
    crow = crow * _soft(reach, 0.085, 0.13) * _soft(reach, 0.26, 0.17)
    fold_x = np.interp(y, (6.50, 6.62, 6.72, 6.82, 6.92, 6.98), (0.37, 0.335, 0.30, 0.255, 0.205, 0.185))
    fold = 2.2 * _groove(side, fold_x, 0.032) * _soft(y, 6.50, 6.64) * _soft(y, 7.0, 6.90)
    bags = _groove(y - 0.25 * (side - 0.32) ** 2 * 4, 7.165, 0.022) * _soft(side, 0.17, 0.23) * _soft(side, 0.48, 0.40)
    neck = sum((_groove(y + wave - 0.15 * side**2, at, 0.016) for at in (5.78, 5.93, 6.06)), np.float32(0)) * _soft(
        side, 0.5, 0.2
    )
    return {
        "raised brows": -0.0062 * brow * _soft(side, 0.52, 0.30),
        "lowered brows": -0.0075 * frown,
        "raised cheeks": -0.0052 * crow - 0.003 * bags,
        "drawn mouth": -0.0052 * fold,
        "bags": -0.0062 * bags,
        "neck": -0.006 * neck,
    }


def _slopes(height: Floats) -> Floats:
    along_v, along_u = np.gradient(height.astype(np.float32))
    return (np.stack([along_u, along_v], axis=2) * (SIZE // 2 - 1)).astype(np.float32)


def _groove(value: Floats, at: NDArray[np.floating] | float, width: float) -> Floats:
    return np.exp(-(((value - at) / width) ** 2)).astype(np.float32)


def _blob(x: Floats, y: Floats, at_x: float, at_y: float, wide: float, high: float) -> Floats:
    return np.exp(-(((x - at_x) / wide) ** 2) - ((y - at_y) / high) ** 2).astype(np.float32)


def _soft(value: Floats, low: NDArray[np.floating] | float, high: NDArray[np.floating] | float) -> Floats:
    share = np.clip((value - low) / (np.asarray(high) - low), 0, 1)
    return (share * share * (3 - 2 * share)).astype(np.float32)


def _noise(chance: np.random.Generator, cells: int) -> Floats:
    """Soft noise over the atlas from 0 to 1, with so many cells across."""
    small = Image.fromarray((255 * chance.random((cells, cells))).astype(np.uint8))
    return np.asarray(small.resize((SIZE, SIZE), Image.Resampling.BICUBIC), np.float32) / 255
