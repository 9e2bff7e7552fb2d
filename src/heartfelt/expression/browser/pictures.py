"""The painted skin, its wrinkles, the fibres of the irises and the strands of the hair."""

from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from heartfelt.expression.browser.layout import NumberTable, scaled
from heartfelt.expression.render.person import Person
from heartfelt.expression.render.wrinkles import RAISE

Bytes = NDArray[np.uint8]


def pictures(person: Person) -> dict[str, bytes]:
    """Colour as square roots of light, as it is painted; and gloss, which changes slowly, at half the size."""
    colour = person.paint.colour
    gloss = Image.fromarray(colour[:, :, 3]).resize((colour.shape[1] // 2, colour.shape[0] // 2), Image.Resampling.BOX)
    return {"skin": _webp(Image.fromarray(colour[:, :, :3]), 97), "gloss": _webp(gloss, 80)}


def relief(person: Person) -> dict[str, NumberTable]:
    """Slopes along u and v: of lasting wrinkles, and for each that comes and goes."""
    paint = person.paint
    creases = [_flat(paint.creases[name]) for name in RAISE]
    return {
        "relief.lasting": scaled(_flat(paint.relief), np.int8),
        "relief.creases": scaled(np.concatenate(creases, axis=1), np.int8),
        "iris.fibres": scaled(person.fibres.reshape(-1, 1), np.uint8, most=1),
        "strands": scaled(person.pattern.reshape(-1, 1), np.uint8, most=1),
    }


def _flat(slopes: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    return slopes.reshape(-1, 2)


def _webp(picture: Image.Image, quality: int) -> bytes:
    buffer = BytesIO()
    picture.convert("RGB").save(buffer, "WEBP", quality=quality, method=4, use_sharp_yuv=True)
    return buffer.getvalue()
