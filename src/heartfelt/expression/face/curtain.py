"""Long hair: two curtains that start at the parting, lie over the skull, and hang from the height of the ears.

A lining behind ears and neck joins them, so that nothing of what is behind the person is seen between the hair and the head.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.locks import Locks, locks
from heartfelt.expression.face.piece import MeshPiece, halves, unit
from heartfelt.expression.face.scalp import MIDDLE, Skull
from heartfelt.expression.face.strays import off_a_sheet, strays

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Fall:
    """How hair falls."""

    part: float
    """Where it parts, to the person's left."""
    tip: float
    """The height at which it ends."""
    volume: float
    """How far it stands off the skull."""
    flare: float = 0.0
    """How much wider it becomes below the ears."""
    turn_in: float = 0.0
    """How far the tips turn in to the neck."""
    uneven: float = 0.12
    """How far apart its locks end."""
    thin: float = 0.14
    """The share of its length over which its ends grow thin."""
    waves: float = 0.0
    curls: bool = False


_COLUMNS, _OVER, _HANG, _ROLL = 72, 20, 22, 4
# The front border: over the forehead along the hairline, to the temple and the ear. Angle from the front, and height.
_BORDER = ((0, 8.00), (8, 7.98), (16, 7.92), (24, 7.82), (30, 7.69), (34, 7.52), (38, 7.32), (42, 7.08))
_AXIS = np.array([0.0, 0.0, -0.05])
"""What hair hangs round."""
_BEND = 0.62
"""The length over which tips turn in."""
_STRAYS = 26
"""Single hairs that lift off each curtain."""


# The lining: its levels from the temples (0) to the tips (1), and where it lies on the curtain, as depths from its wall. It is
# made of few large triangles, as small ones that are rarely seen would be left out by `render.person`.
_LEVELS = (0.0, 0.30, 0.60, 0.90, 1.0)
_BESIDE = (0.0, 0.40, -0.50)


@dataclass(frozen=True)
class _Wave:
    """The locks of one curtain: broad ones, and finer ones within them."""

    broad: Locks
    fine: Locks
    phases: Floats

    def place(self, round_: Floats, share: Floats) -> Floats:
        """Where among the locks each place of the curtain is; they wander a little on their way down."""
        first, second, *_ = self.phases
        wander = 0.012 * np.sin(5 * share + first) + 0.008 * np.sin(11 * share + 9 * round_ + second)
        return np.maximum(round_ + wander * _soft((share - 0.1) / 0.4), 0) * 0.98


def curtains(fall: Fall, skull: Skull, chance: np.random.Generator) -> list[MeshPiece]:
    round_ = np.linspace(0, 1, _COLUMNS) ** 0.9
    waves = [_Wave(locks(11, chance), locks(31, chance), 6.28 * chance.random(4)) for _ in range(2)]
    crooked = _crooked(round_, 6.28 * chance.random(3))
    grids = [_curtain(fall, skull, side, round_, wave, crooked) for side, wave in zip((1, -1), waves, strict=True)]
    sheets = [_closed(fall, grid, side, round_, wave) for grid, side, wave in zip(grids, (1, -1), waves, strict=True)]
    loose = [
        strays(*off_a_sheet(grid, _outwards(grid, side), _STRAYS, chance), chance.uniform(0.006, 0.011, _STRAYS), chance)
        for grid, side in zip(grids, (1, -1), strict=True)
    ]
    return [*sheets, *loose, *_lining(fall, grids)]


def _crooked(round_: Floats, phases: Floats) -> Floats:
    """How far the parting strays from a straight line."""
    bends = zip((3.1, 7.3, 15.7), (0.010, 0.008, 0.005), phases, strict=True)
    return sum((far * np.sin(2 * np.pi * often * round_ + phase) for often, far, phase in bends), np.zeros_like(round_))


def _curtain(fall: Fall, skull: Skull, side: int, round_: Floats, wave: _Wave, crooked: Floats) -> Floats:
    """A grid: the first axis round the head from the face to the nape, the second from the parting to the tips."""
    over = _over(fall, skull, side, round_, crooked)
    hang = _hang(fall, over[:, -1], side, round_, wave)
    grid = _turned_in(fall, np.concatenate([over, hang], axis=1))
    near = np.arange(_OVER - 8, _OVER + 10)
    for _ in range(12):  # no bend where it leaves the head
        grid[:, near] = 0.5 * grid[:, near] + 0.25 * (grid[:, near - 1] + grid[:, near + 1])
    return _waved(fall, grid, round_, wave)


def _closed(fall: Fall, grid: Floats, side: int, round_: Floats, wave: _Wave) -> MeshPiece:
    grid = np.concatenate([_rolled_in(grid), grid], axis=0)
    return _sheet(fall, grid, side, np.concatenate([np.linspace(-0.06, -0.01, _ROLL), round_]), wave)


def _lining(fall: Fall, grids: list[Floats]) -> list[MeshPiece]:
    """A wall across the head, inside the neck and behind the ears, that turns back at the curtains and at their tips."""
    levels = 8.02 + (fall.tip + 0.4 * fall.uneven - 8.02) * np.array(_LEVELS)
    wall = np.interp(levels, (5.6, 6.2, 6.6, 7.6, 8.02), (-0.10, 0.10, 0.16, 0.16, 0.30))
    sides: list[Floats] = []
    for grid, side in zip(grids, (1, -1), strict=True):
        depths = wall[:, None] + np.array(_BESIDE)
        edge = np.stack([_outline(grid, y, z) for y, z in zip(levels, depths, strict=True)]) - (0.03 + 0.25 * fall.waves)
        x = side * np.concatenate([0 * edge[:, :1], edge], axis=1)
        half = np.stack([x, np.broadcast_to(levels[:, None], x.shape), np.concatenate([wall[:, None], depths], axis=1)], axis=2)
        sides.append(half if side > 0 else half[:, :0:-1])
    grid = np.concatenate(sides[::-1], axis=1)
    cover = np.full(grid.shape[:2], 1.3)
    cover[-1] = 0.2  # it ends above the tips, in strands
    wall_ = _screen(grid, cover)
    if fall.tip < 6:
        return [wall_]
    # a floor, where shoulders do not hide it: behind the wall to the nape
    floor = np.stack([grid[-2], grid[-2] * np.array([0.7, 1, 0]) + np.array([0, -0.03, -0.85])])
    return [wall_, _screen(floor, np.full(floor.shape[:2], 1.3))]


def _screen(grid: Floats, cover: Floats) -> MeshPiece:
    """Hair in the shadow of other hair."""
    rows, columns = grid.shape[:2]
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    corner = row * columns + column
    quads = np.stack([corner, corner + columns, corner + columns + 1, corner + 1], 2).reshape(-1, 4).astype(np.int32)
    flat = grid.reshape(-1, 3).astype(np.float32)
    ahead = unit(flat * np.array([0.25, 0, 0]) + np.array([0, 0, 1.0]))
    down = np.broadcast_to(np.array([0, -1.0, 0], np.float32), flat.shape).astype(np.float32)
    numbers = np.stack([0.25 * flat[:, 0] + 0.2 * flat[:, 2], -0.22 * flat[:, 1]], axis=1).astype(np.float32)
    dark = np.full(len(flat), 0.6, np.float32)
    return MeshPiece(flat, ahead, halves(quads), down, numbers, cover.ravel().astype(np.float32), flat, dark)


def _outline(grid: Floats, y: float, z: Floats) -> Floats:
    """How far to the side a curtain reaches at a height and these depths."""
    level = [
        [np.interp(-y, -column[:, 1], np.abs(column[:, 0])), np.interp(-y, -column[:, 1], column[:, 2])]
        for column in grid[:, _OVER // 3 :]
    ]
    x, depth = np.array(level).T
    order = np.argsort(depth)
    return np.interp(z, depth[order], x[order])


def _over(fall: Fall, skull: Skull, side: int, round_: Floats, crooked: Floats) -> Floats:
    """From the parting over the skull to the height of the ears."""
    share = np.linspace(0, 1, _OVER) ** 1.25
    angles, heights = np.array(_BORDER).T
    start = 4.0 + 0 * angles[0]
    walk = np.interp(share**0.9, np.linspace(0, 1, len(angles)), angles)
    high = np.interp(walk, angles, heights)
    front = _direction(skull, walk, high, fall.part, start)
    crown = unit(np.array([0.4 * fall.part * side, 0.80, -0.52]))
    low = unit(np.array([0.0, -0.42, -0.95]))
    back = _slerp(crown[None], low[None], share[:, None])
    front = front * np.array([1.0, 1.0, 1.0])
    away = _slerp(front[None], back[None], round_[:, None, None])
    away = away / np.linalg.norm(away, axis=2, keepdims=True)
    signed = away * np.array([side, 1, 1])
    # the parting is one line for both sides, whatever the side
    signed[..., 0] += fall.part * _soft(1 - share / 0.8)[None] * _soft(1 - round_)[:, None]
    signed[..., 0] += crooked[:, None] * _soft(1 - share / 0.4)[None]
    signed = signed / np.linalg.norm(signed, axis=2, keepdims=True)
    edge = _soft(round_ / 0.25)[:, None]
    rise = fall.volume * (0.38 + 0.62 * _soft(share / 0.35))[None] * (0.12 + 0.88 * edge) + 0.02
    low = 0.35 * fall.volume * _soft((share - 0.45) / 0.3)[None] * (1 - edge)
    return MIDDLE + signed * (_over_the_ears(skull, signed) + rise + low)[..., None]


def _over_the_ears(skull: Skull, away: Floats) -> Floats:
    """How far the head reaches, ears included: below the temples hair lies on a round column that holds them."""
    reach = skull.reach(away)
    level = np.hypot(away[..., 0], away[..., 2]) + 1e-6
    column = 1 / np.hypot(away[..., 0] / level / 0.90, (away[..., 2] / level) / 1.0) / level
    height = 0.08 - away[..., 1] * reach  # from the middle of the skull downwards
    return np.where(column > reach, reach + (np.minimum(column, 1.6) - reach) * _soft((height + 0.15) / 0.45), reach)


def _direction(skull: Skull, angle: Floats, height: Floats, part: float, start: float) -> Floats:
    """Directions from the middle to the skin at these angles and heights."""
    turn = np.radians(np.maximum(angle, 0.01 * start))
    y = height - MIDDLE[1]
    away = unit(np.stack([np.sin(turn), 0.4 + 0 * y, np.cos(turn)], axis=1))
    for _ in range(8):  # the reach depends on the direction that is sought
        reach = skull.reach(away)
        up = np.clip(y / reach, -0.95, 0.95)
        level = np.sqrt(1 - up * up)
        away = np.stack([np.sin(turn) * level, up, np.cos(turn) * level], axis=1)
    return away


def _hang(fall: Fall, ring: Floats, side: int, round_: Floats, wave: _Wave) -> Floats:
    """Downwards from the ring at the ears; in front of the shoulders near the face, behind them at the back."""
    share = (np.arange(_HANG) + 1) / _HANG
    start = ring[:, 1][:, None]
    # every lock ends at its own height
    own = 0.65 * wave.broad.own(wave.place(round_, share[-1])) + 0.35 * wave.fine.own(wave.place(round_, share[-1]))
    tip = (fall.tip + 0.10 * np.sin(5 * round_) * (fall.tip < 6) + fall.uneven * own)[:, None]
    y = start + (tip - start) * share[None]
    off = ring[:, None] - _AXIS
    swell = 1 + fall.flare * np.sin(np.pi * np.clip(share * 0.8, 0, 1))[None]
    x, z = off[..., 0] * swell, _AXIS[2] + off[..., 2] * swell
    low = np.clip((6.15 - y) / 0.9, 0, 1)
    front = _soft((0.42 - round_) / 0.2)[:, None]
    # over the collar bones, and not into them
    z = np.where(front > 0, z + front * np.maximum(0.42 + 0.75 * low**0.8 - z, 0) * _soft((6.36 - y) / 0.45), z)
    z = z - (1 - front) * 0.25 * _soft(low)
    x = x + side * 0.06 * front * _soft(low)
    return np.stack([x, np.broadcast_to(y, x.shape), z], axis=2)


def _turned_in(fall: Fall, grid: Floats) -> Floats:
    """The tips bend in to the neck, over the last of their length."""
    above = grid[..., 1] - grid[:, -1:, 1]
    inward = fall.turn_in * _soft(1 - above / _BEND)
    return grid - inward[..., None] * (grid - _AXIS) * np.array([1, 0, 1])


def _waved(fall: Fall, grid: Floats, round_: Floats, wave: _Wave) -> Floats:
    """Locks: the surface rises and falls round the head, and along the hair where it waves."""
    share = np.linspace(0, 1, grid.shape[1])[None]
    place, phases = round_[:, None], wave.phases
    among = wave.place(place, share)
    loose = _soft((share - 0.10) / 0.35)
    away = unit(grid - (MIDDLE + np.array([0, -0.5, -0.1])))
    lock = wave.broad.ridge(among) - 0.6 + 0.5 * wave.broad.own(among, 1) + 0.35 * (wave.fine.ridge(among) - 0.6)
    height = 0.026 * lock * loose
    if fall.curls:
        # broad waves that run round the head, in depth and to the side, as strands that wind about their own way do
        wind = 2 * np.pi * 6.5 * share + 1.3 * np.sin(2 * np.pi * 1.7 * place + phases[0]) + 2.5 * place + phases[1]
        wind = wind + 1.1 * wave.broad.own(among, 2)
        amount = fall.waves * _soft((share - 0.16) / 0.34) * (1 - 0.5 * _soft((share - 0.85) / 0.15))
        height = height + amount * (0.85 * np.sin(wind) + 0.22 * lock)
        beside = unit(np.cross(away, np.array([0.0, 1.0, 0.0])))
        grid = grid + (0.45 * amount * np.cos(wind) * _soft(place / 0.1))[..., None] * beside
    else:
        height = height + fall.waves * np.sin(2 * np.pi * 2.2 * share + 3 * place + phases[0]) * _soft((share - 0.4) / 0.3)
    return grid + height[..., None] * away


def _outwards(grid: Floats, side: int) -> Floats:
    """Normals, which go softly over the parting."""
    normals = unit(side * np.cross(np.gradient(grid, axis=1), np.gradient(grid, axis=0)))
    middle = _soft(1 - np.linspace(0, 1, grid.shape[1])[None] / 0.16)[..., None]
    return unit(normals * (1 - middle) + middle * unit(grid - MIDDLE))


def _rolled_in(grid: Floats) -> Floats:
    """The border beside the face bends in, so that the curtain looks as thick as it is."""
    share = np.linspace(1, 0, _ROLL, endpoint=False)[:, None]
    rows = np.linspace(0, 1, grid.shape[1])[None]
    inward = unit(np.array([0.0, 7.2, -0.1]) - grid[0]) * np.array([1, 0.2, 1])
    amount = (0.13 * share * _soft((rows - 0.25) / 0.3))[..., None]
    return grid[0][None] + amount * inward[None]


def _sheet(fall: Fall, grid: Floats, side: int, round_: Floats, wave: _Wave) -> MeshPiece:
    columns, rows = grid.shape[:2]
    column, row = np.meshgrid(np.arange(columns - 1), np.arange(rows - 1), indexing="ij")
    corner = column * rows + row
    quads = np.stack([corner, corner + 1, corner + rows + 1, corner + rows], 2).reshape(-1, 4).astype(np.int32)
    quads = quads if side > 0 else quads[:, ::-1].copy()
    normals = _outwards(grid, side)
    share = np.linspace(0, 1, rows)[None]
    # strands of both sides leave the parting backwards, so that no highlight breaks off there
    root = _soft(1 - share / 0.20)
    back = unit(np.gradient(grid, axis=0) + 1e-6 * np.array([0, 0, -1]))
    way = unit(unit(np.gradient(grid, axis=1)) * (1 - root)[..., None] + root[..., None] * back)
    lengths = np.concatenate([np.zeros((columns, 1)), np.linalg.norm(np.diff(grid, axis=1), axis=2).cumsum(1)], axis=1)
    across = 0.42 * round_[:, None] + 0.05 * root + 0.5 * (side < 0)
    flat = grid.reshape(-1, 3).astype(np.float32)
    return MeshPiece(
        points=flat,
        normals=normals.reshape(-1, 3).astype(np.float32),
        triangles=halves(quads),
        vectors=way.reshape(-1, 3),
        numbers=np.stack([across, 0.22 * lengths], axis=2).reshape(-1, 2).astype(np.float32),
        cover=_cover(fall, round_, share, wave).reshape(-1).astype(np.float32),
        lit=(grid + 0.07 * normals).reshape(-1, 3).astype(np.float32),
        exposure=_exposure(round_, share, wave).reshape(-1).astype(np.float32),
    )


def _cover(fall: Fall, round_: Floats, share: Floats, wave: _Wave) -> Floats:
    """Thin at the ends, first between the locks; and at the hairline, down to the temple."""
    ridge = wave.fine.ridge(wave.place(round_[:, None], share))
    ends = np.clip((1.02 - share - 0.6 * fall.thin * (1 - ridge)) / fall.thin, 0, 1) ** 0.8
    line = _soft((0.40 - share) / 0.2) * (1 - _soft((round_[:, None] + 0.012) / 0.04))
    return 1.3 * ends * (1 - 0.32 * line)


def _exposure(round_: Floats, share: Floats, wave: _Wave) -> Floats:
    """Darker between locks and in the parting; each lock has a tone of its own."""
    among = wave.place(round_[:, None], share)
    loose = _soft((share - 0.06) / 0.3)
    gap = 0.42 * (1 - wave.broad.ridge(among)) + 0.22 * (1 - wave.fine.ridge(among))
    tone = 0.07 * wave.broad.own(among, 2) + 0.05 * wave.fine.own(among, 2)
    parting = 0.45 * _soft(1 - share / 0.03)
    return np.clip((0.97 - loose * gap + loose * tone) * (1 - parting), 0.2, 1.1)


def _slerp(first: Floats, second: Floats, share: Floats) -> Floats:
    angle = np.arccos(np.clip((first * second).sum(-1, keepdims=True), -0.9999, 0.9999))
    return (np.sin((1 - share) * angle) * first + np.sin(share * angle) * second) / np.sin(angle)


def _soft(value: Floats) -> Floats:
    share = np.clip(value, 0, 1)
    return share * share * (3 - 2 * share)
