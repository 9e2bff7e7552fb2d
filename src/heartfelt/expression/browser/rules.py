"""What a browser has to know besides meshes and pictures: how the person moves, is lit, coloured and framed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.browser.flesh import PARTS, Order
from heartfelt.expression.browser.pieces import CLOTHES, STIFF
from heartfelt.expression.face.emotions import dynamics_of, expression_of
from heartfelt.expression.face.hairstyles import style_of
from heartfelt.expression.face.lips import OVERLAP
from heartfelt.expression.face.look import linear
from heartfelt.expression.face.names import UNITS
from heartfelt.expression.face.pose import LOOK
from heartfelt.expression.face.rig import SIDES, TONGUE_SINKS
from heartfelt.expression.render import light
from heartfelt.expression.render.framing import EYES_AT, framed
from heartfelt.expression.render.palette import BEARD, LASHES, LEFT_EYE, palette
from heartfelt.expression.render.person import LID_CLEARANCE, VERGENCE, Person
from heartfelt.expression.render.wrinkles import RAISE

_ROWS = {**{row: name for name, row in PARTS.items()}, **STIFF, **CLOTHES, BEARD: "beard", LASHES: "lashes", LEFT_EYE: "eyes"}
_HABITS = {"idle": "neutral", "listening": "listening"}


def rules(person: Person, order: Order) -> dict[str, Any]:
    style, colours = style_of(person.look), palette(person.look)
    return {
        "name": person.look.name,
        "seed": person.look.seed,
        "strands": style.kind if style else "straight",
        "units": list(UNITS),
        "moving": order.moving,
        "turning": order.turning,
        "rig": _rig(person),
        "framing": _framing(person),
        "palette": {name: _numbers(colours[row, 1:7]) for row, name in sorted(_ROWS.items())},
        "backdrop": _numbers(np.array(linear(person.look.backdrop))),
        "lights": _lights(),
        "wrinkles": list(RAISE.values()),
        "habits": {mood: _habit(emotion) for mood, emotion in _HABITS.items()},
        "sizes": {
            "relief": person.paint.relief.shape[:2],
            "strands": person.pattern.shape,
            "fibres": person.fibres.shape,
        },
    }


def _rig(person: Person) -> dict[str, Any]:
    rig = person.rig
    return {
        "eye_middles": {side: _numbers(rig.eye_middles[side] - rig.pivot) for side in SIDES},
        "eye_radius": round(rig.eye_radius, 6),
        "lid_clearance": LID_CLEARANCE,
        "vergence": VERGENCE,
        "look": LOOK,
        "lip_overlap": OVERLAP,
        "tongue_sinks": list(TONGUE_SINKS),
    }


def _framing(person: Person) -> dict[str, float]:
    """From the pivot too."""
    view, pivot = framed(person.rig, person.scale), person.rig.pivot
    numbers = {"height": view.height, "distance": view.distance, "scale": person.scale}
    places = {"centre": view.centre - float(pivot[1]), "eyes": view.eyes - float(pivot[2])}
    return {name: round(value, 6) for name, value in {**numbers, **places, "eyes_at": EYES_AT}.items()}


def _lights() -> dict[str, list[float]]:
    """Each the way to it and its colour; the ambient ones have only colours."""
    named = {"key": light.KEY, "fill": light.FILL, "rim": light.RIM, "rim_two": light.RIM_TWO}
    named |= {"ambient_high": light.AMBIENT_HIGH, "ambient_low": light.AMBIENT_LOW}
    return {name: _numbers(values) for name, values in named.items()}


def _habit(emotion: str) -> dict[str, Any]:
    """What this person does without words: the expression that is held, and how it lives."""
    return {**expression_of(emotion).model_dump(mode="json"), "dynamics": dynamics_of(emotion).model_dump(mode="json")}


def _numbers(values: NDArray[np.floating[Any]]) -> list[float]:
    return [round(float(value), 6) for value in values]
