"""What hangs on the flesh or stands still: eyes, lashes, beard, hair, glasses, clothes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.browser.flesh import Order, renumbered
from heartfelt.expression.browser.layout import NumberTable, scaled, whole
from heartfelt.expression.face import lashes
from heartfelt.expression.face.clothes import below
from heartfelt.expression.face.eyes import ball
from heartfelt.expression.face.piece import halves
from heartfelt.expression.render.framing import framed
from heartfelt.expression.render.meshes import Meshes
from heartfelt.expression.render.palette import COLLAR, FRAME, HAIR, JACKET, MAIN
from heartfelt.expression.render.person import Person
from heartfelt.expression.render.raster import project, raster

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]

STIFF = {HAIR: "hair", FRAME: "frame"}
CLOTHES = {MAIN: "main", COLLAR: "collar", JACKET: "jacket"}
_COVERED = 0.5
"""Beyond this distance from its edge it does not matter how far inside cloth is."""
_LOOKED_AT, _ROOM = 800, 2.0
"""Dots of the look at the clothes, and how much more than the usual picture it spans."""

_LINED, _SMALLER = (0.10, 0.7), 0.03
"""How far under the neckline the lining reaches, and how far inside of the skin it lies."""


def pieces(person: Person, order: Order) -> dict[str, NumberTable]:
    made = {**_eyes(person), **_lashes(person, order), **_beard(person, order), **_stiff(person)}
    return {**made, **_clothes(person), **_lining(person)}


def _eyes(person: Person) -> dict[str, NumberTable]:
    points, quads = ball()
    lights = {
        f"eyes.light {side}": scaled(person.moving.attributes[span, 2:4], np.uint8, most=1)
        for side, span in person.eye_spans.items()
    }
    return {"eyes.points": scaled(points, most=1), "eyes.triangles": whole(halves(quads)), **lights}


def _lashes(person: Person, order: Order) -> dict[str, NumberTable]:
    found: dict[str, NumberTable] = {}
    for span, rim in person.rims:
        found[f"lashes.line {rim.side}"] = whole(order.fine_rows(rim.line))
        found[f"lashes.place {rim.side}"] = scaled(rim.place)
        found[f"lashes.length {rim.side}"] = scaled(rim.length)
        found["lashes.cover"] = scaled(person.moving.cover[span], most=1)
    return {**found, "lashes.triangles": whole(lashes.triangles())}


def _beard(person: Person, order: Order) -> dict[str, NumberTable]:
    found: dict[str, NumberTable] = {}
    for span, coat in person.coats:
        rows = order.fine_rows(coat.rows)
        triangles = coat.triangles[(rows[coat.triangles] >= 0).all(1)]
        kept = np.unique(triangles)
        found = {
            "beard.rows": whole(rows[kept]),
            "beard.heights": scaled(coat.heights[kept]),
            "beard.vectors": scaled(coat.ways[kept], most=1),
            **_surface("beard", person.moving, np.arange(span.start, span.stop)[kept], renumbered(kept, triangles)),
        }
    return found


def _stiff(person: Person) -> dict[str, NumberTable]:
    found: dict[str, NumberTable] = {}
    meshes = person.moving
    for span, piece, share in person.stiff:
        chosen = (meshes.triangles[:, 0] >= span.start) & (meshes.triangles[:, 0] < span.stop)
        name = STIFF[int(meshes.rows[chosen][0])]
        triangles = meshes.triangles[chosen] - span.start
        kept = np.unique(triangles)
        found |= {
            f"{name}.points": scaled(piece.points[kept] - person.rig.pivot),
            f"{name}.normals": scaled(piece.normals[kept], most=1),
            f"{name}.vectors": scaled(piece.vectors[kept], most=1),
            f"{name}.share": scaled(share[kept], np.uint8, most=1),
            **_surface(name, meshes, kept + span.start, renumbered(kept, triangles)),
        }
    return found


def _clothes(person: Person) -> dict[str, NumberTable]:
    found: dict[str, NumberTable] = {}
    meshes, seen = person.still, _ever_seen(person)
    for row, name in CLOTHES.items():
        triangles = meshes.triangles[seen & (meshes.rows == row)]
        if len(triangles):
            kept = np.unique(triangles)
            found |= {
                f"{name}.points": scaled(meshes.points[kept] - person.rig.pivot),
                f"{name}.normals": scaled(meshes.normals[kept], most=1),
                **_surface(name, meshes, kept, renumbered(kept, triangles), most=_COVERED),
            }
    return found


def _lining(person: Person) -> dict[str, NumberTable]:
    """The body just under the neckline, a little smaller: seen where a collar stands off the neck, which would be a hole."""
    inside = below(person.look.clothes, person.atlas.rest)
    quads = person.head.quads[person.head.of_part("skin")]
    low, high = inside[quads].min(1), inside[quads].max(1)
    triangles = halves(quads[(low > _LINED[0]) & (high < _LINED[1])])
    kept = np.unique(triangles)
    return {
        "lining.points": scaled(person.resting[kept] - _SMALLER * person.skin_normals[kept] - person.rig.pivot),
        "lining.normals": scaled(person.skin_normals[kept], most=1),
        "lining.triangles": whole(renumbered(kept, triangles)),
    }


def _surface(name: str, meshes: Meshes, rows: Ints, triangles: Ints, most: float = 1.4) -> dict[str, NumberTable]:
    """What every surface has: triangles, two numbers, its cover and its light."""
    return {
        f"{name}.triangles": whole(triangles[np.lexsort(triangles.T[::-1])]),
        f"{name}.numbers": scaled(meshes.attributes[rows, :2]),
        f"{name}.cover": scaled(meshes.cover[rows], most=most),
        f"{name}.light": scaled(meshes.attributes[rows, 2:4], np.uint8, most=1),
    }


def _ever_seen(person: Person) -> NDArray[np.bool_]:
    """Which triangles of the clothes the camera sees from either side, however wide the picture; and their neighbours, for
    what falls between two dots."""
    meshes, view = person.still, framed(person.rig, person.scale)
    project(meshes.vertices, _LOOKED_AT, view.centre, view.distance + view.eyes, _ROOM * view.height)
    both = np.concatenate([meshes.triangles, meshes.triangles[:, ::-1]])
    shape, every = (_LOOKED_AT, _LOOKED_AT, 4), np.arange(len(both), dtype=np.int32)
    depth, seen = np.zeros(shape, np.float32), np.full(shape, -1, np.int32)
    edges = np.tile(meshes.edges, 2)
    raster(meshes.vertices, both, edges, meshes.cover, person.pattern, every, 0, _LOOKED_AT, depth, seen)
    touched = np.zeros(len(meshes.points), np.bool_)
    touched[both[np.unique(seen[seen >= 0])]] = True
    return touched[meshes.triangles].any(1) & (meshes.cover[meshes.triangles].max(1) > 0)
