"""Hair: coats of short hair that follow the scalp, and curtains of long hair that fall from a parting.

Each is a smooth surface on which the shader draws strands; where the cover of its vertices falls, single strands are left and
then none, which makes hairlines and tips soft. All lengths are in the measures of the resting head.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.curtain import curtains
from heartfelt.expression.face.hairstyles import HairStyle, style_of
from heartfelt.expression.face.locks import Locks, locks
from heartfelt.expression.face.look import Look
from heartfelt.expression.face.piece import MeshPiece, halves, joined, unit
from heartfelt.expression.face.scalp import MIDDLE, Field, Scalp, Skull, field
from heartfelt.expression.face.strays import over_the_scalp, strays

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]


_FRINGE = 70
"""Fine hairs along the hairline."""
_COATS, _HIGH_COATS = (0.06, 0.55, 1.0), (0.06, 0.88, 1.0)
"""The layers, as shares of the height; high hair hides what is between its roots and its outside."""


def grown(look: Look, scalp: Scalp) -> MeshPiece | None:
    """All hair of the head as one piece, or None for the bald."""
    style = style_of(look)
    if style is None:
        return None
    chance = np.random.default_rng(look.seed + 17)
    coats, whole = (_HIGH_COATS, 2) if style.sides > 0.3 else (_COATS, 1)
    grain = _Grain(chance.normal(size=(24, 4)), locks(13, chance), locks(37, chance))
    # only the uppermost coat is seen so well that it needs the finer quads
    lower, upper = field(scalp, style.line, fine=False), field(scalp, style.line, fine=True)
    if style.fall is None:
        pieces = [_coat(style, upper if share == 1 else lower, share, share in coats[:whole], grain) for share in coats]
    else:
        pieces = [_coat(style, lower, coats[0], True, grain), *curtains(style.fall, Skull(scalp), chance)]
    if style.kind != "coiled":
        pieces.append(_fringe(style, lower, chance))
    if look.hair == "bun":
        pieces.append(_knot(chance))
    piece = joined(pieces)
    return MeshPiece(
        scalp.placed(piece.points),
        piece.normals,
        piece.triangles,
        piece.vectors,
        piece.numbers,
        piece.cover,
        scalp.placed(piece.lit),
        piece.exposure,
    )


@dataclass(frozen=True)
class _Grain:
    """What chance gives a head of hair: lumps, and tufts with finer ones within them."""

    lumps: Floats
    broad: Locks
    fine: Locks


def _coat(style: HairStyle, ground: Field, share: float, whole: bool, grain: _Grain) -> MeshPiece:
    """One layer at a share of the height of the hair; each has more air than the one below, which may have none."""
    u, v, way = _combed(style, ground)
    inside = ground.inside + (_hairline(ground, grain.lumps) if style.stray else 0.0)
    height = _height(style, ground, inside, u, v, grain)
    away = unit(0.5 * ground.normals + 0.5 * unit(ground.places - MIDDLE))
    outer = ground.places + height[:, None] * away
    uneven = 0.016 * np.sin(23 * u * 2 * np.pi) + 0.012 * np.sin(41 * u * 2 * np.pi + 2)
    line = np.clip((inside + uneven - (0.07 if style.fall else 0.0)) / 0.24, 0, 1)
    cover = 1.35 if whole else 1.3 - style.loose * share**3 - 0.25 * style.loose * share
    cover = cover * (1 - style.fade * (1 - _soft((ground.rest[:, 1] - 7.25) / 0.55)) * (0.5 if whole else 0.8))
    return MeshPiece(
        points=(ground.places + (0.006 + share * height)[:, None] * away).astype(np.float32),
        normals=_normals(outer, ground.quads),
        triangles=halves(ground.quads),
        vectors=way,
        numbers=np.stack([style.dense * u, 0.5 * style.dense * v], axis=1).astype(np.float32),
        cover=(cover * line).astype(np.float32),
        lit=outer.astype(np.float32),
        exposure=(0.7 if whole else 1.0) * _exposure(style, ground, u, v, grain),
    )


def _hairline(ground: Field, lumps: Floats) -> Floats:
    """How far the line over the forehead strays, as chance has it."""
    x, _, z = ground.rest.T
    angle = np.arctan2(x, z - 0.1)
    first, second, third, fourth = 6 * lumps[:4, 3]
    stray = 0.036 * np.sin(6 * angle + first) + 0.026 * np.sin(11 * angle + second)
    stray = stray + 0.020 * np.sin(19 * angle + third) + 0.014 * np.sin(37 * angle + fourth)
    return (stray * _soft((1.1 - np.abs(angle)) / 0.3)).astype(np.float32)


def _swell(ground: Field, grain: _Grain) -> Floats:
    """Clusters of coils as soft bumps, from about -1 to 1."""
    return np.sin(14 * ground.places @ grain.lumps[:, :3].T + 6 * grain.lumps[:, 3]).sum(1) / 4


def _exposure(style: HairStyle, ground: Field, u: Floats, v: Floats, grain: _Grain) -> Floats:
    """Darker between tufts and towards the neck; each tuft has a tone of its own."""
    if style.lumps:
        return np.clip(0.85 + 0.28 * _swell(ground, grain), 0.3, 1.1).astype(np.float32)
    place = _among(style, u, v)
    gap = 0.40 * (1 - grain.broad.ridge(place)) + 0.30 * (1 - grain.fine.ridge(place))
    tone = 0.08 * grain.broad.own(place, 2) + 0.08 * grain.fine.own(place, 2)
    amount = min(5 * style.tufts, 1.0) * _soft((ground.rest[:, 1] - 7.5) / 0.5)
    low = 1 - 0.25 * _soft((7.3 - ground.rest[:, 1]) / 0.5)
    return np.clip((1 + amount * (tone - gap)) * low, 0.2, 1.1).astype(np.float32)


def _among(style: HairStyle, u: Floats, v: Floats) -> Floats:
    """Where among the tufts; they wander along the hair."""
    return style.dense * u + 0.018 * np.sin(13 * v) + 0.012 * np.sin(29 * v + 1)


def _height(style: HairStyle, ground: Field, inside: Floats, u: Floats, v: Floats, grain: _Grain) -> Floats:
    x, y, z = ground.rest.T
    upper = _soft((y - 7.55) / 0.55)
    height = style.sides + (style.top - style.sides) * upper
    height = height + style.quiff * _soft((z - 0.25) / 0.6) * _soft((y - 7.9) / 0.2) * (1 - 0.3 * np.abs(x))
    if style.lumps:
        height = height + style.lumps * _swell(ground, grain)
    else:
        place = _among(style, u, v)
        # a tuft rises towards its end, where the next one comes out from under it
        rise = (5 * v + grain.broad.own(place, 1)) % 1 - 0.5
        tuft = 1.2 * (grain.broad.ridge(place) - 0.6) + 0.5 * grain.broad.own(place) + 0.5 * (grain.fine.ridge(place) - 0.6)
        height = height * (1 + style.tufts * upper * (tuft + 0.8 * rise))
    if style.parting is not None:
        distance = np.abs(x - style.parting[0]) + np.clip(-z - 0.1, 0, 1) + np.clip(8.0 - y, 0, 1)
        height = height * (0.55 + 0.45 * _soft(distance / 0.16))
    return (height * _soft(inside / (0.20 + (1.4 if style.sides < 0.3 else 0.55) * height)) ** 0.8).astype(np.float32)


def _combed(style: HairStyle, ground: Field) -> tuple[Floats, Floats, Floats]:
    """How far across and along its strands each place lies, and their way: away from the crown or the parting."""
    crown = np.array(style.crown, np.float32)
    front = np.array(style.parting, np.float32) if style.parting is not None else crown
    line = front - crown
    length = float(line @ line)
    share = np.clip((ground.places - crown) @ line / length, 0, 1) if length else np.zeros(len(ground.places))
    off = ground.places - (crown + share[:, None] * line)
    axis = unit(crown - MIDDLE)
    ahead = unit(np.array([0, 0, 1], np.float32) - axis * axis[2])
    across = np.cross(axis, ahead)
    # where the angle begins again, behind the head or below the face, no hair is seen
    angle = np.arctan2(off @ across, off @ ahead * np.sign(0.5 - crown[2]))
    u = angle / (2 * np.pi) + np.sign(angle) * (1 - share) * 0.3
    distance = np.linalg.norm(off, axis=1)
    way = (
        unit(off) if style.parting is None else unit(off + np.array([0, 0, -0.5]) * _soft((8.3 - ground.places[:, 1:2]) / 0.5))
    )
    v = 0.5 * distance
    way = unit(way - ground.normals * (way * ground.normals).sum(1, keepdims=True))
    return u.astype(np.float32), v.astype(np.float32), way


def _fringe(style: HairStyle, ground: Field, chance: np.random.Generator) -> MeshPiece:
    """Fine hair along the line over the forehead and the temples."""
    _, _, way = _combed(style, ground)
    x, _, z = ground.rest.T
    if style.drawn_back:
        beside = np.tanh(8 * (x - style.fall.part)) if style.fall is not None else 1.6 * x
        back = np.stack([beside, 0.45 - 0.3 * np.abs(beside), -0.4 + 0 * x], axis=1)
        way = unit(back - ground.normals * (back * ground.normals).sum(1, keepdims=True))
    line = 0.0 if style.fall is not None else 0.03
    roots = np.flatnonzero((np.abs(ground.inside - line) < 0.06) & (np.abs(np.arctan2(x, z - 0.1)) < 0.78))
    chosen = chance.choice(roots, _FRINGE // (2 if style.fall is not None else 1))
    paths, normals = over_the_scalp(ground, way, chosen, chance, length=0.30 if style.drawn_back else 0.16)
    return strays(paths, normals, chance.uniform(0.004, 0.008, len(chosen)), chance)


def _knot(chance: np.random.Generator) -> MeshPiece:
    """Hair wound to a ball at the crown, lock over lock."""
    rows, columns = 30, 48
    down, turn = np.meshgrid(np.linspace(0.02, np.pi - 0.02, rows), np.linspace(-np.pi, np.pi, columns), indexing="ij")
    away = np.stack([np.sin(down) * np.sin(turn), np.cos(down), np.sin(down) * np.cos(turn)], axis=2)
    wound, strand = locks(7, chance), locks(23, chance)
    place = 0.36 * down - 0.10 * turn + 0.02 * np.sin(2 * turn + 3 * down) + chance.random()
    ridge, finer = wound.ridge(place), strand.ridge(place)
    size = 0.94 + 0.09 * ridge + 0.03 * wound.own(place) + 0.02 * finer
    points = np.array([0.0, 8.53, -0.36]) + (0.34 * size[..., None] * away) * np.array([1.05, 0.85, 0.95])
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    corner = row * columns + column
    quads = np.stack([corner, corner + columns, corner + columns + 1, corner + 1], 2).reshape(-1, 4).astype(np.int32)
    flat = points.reshape(-1, 3).astype(np.float32)
    way = np.gradient(points, axis=1) + 0.28 * columns / rows * np.gradient(points, axis=0)
    numbers = np.stack([0.9 * place, 0.15 * turn], axis=2).reshape(-1, 2).astype(np.float32)
    exposure = (0.55 + 0.35 * ridge + 0.12 * finer).ravel().astype(np.float32)
    cover = np.full(len(flat), 1.3, np.float32)
    return MeshPiece(flat, _normals(flat, quads), halves(quads), unit(way).reshape(-1, 3), numbers, cover, flat, exposure)


def _normals(points: Floats, quads: Ints) -> Floats:
    a, b, c, d = (points[quads[:, place]] for place in range(4))
    flat = np.cross(c - a, d - b)
    total = np.zeros(points.shape)
    for place in range(4):
        np.add.at(total, quads[:, place], flat)
    return unit(total)


def _soft(value: Floats) -> Floats:
    share = np.clip(value, 0, 1)
    return share * share * (3 - 2 * share)
