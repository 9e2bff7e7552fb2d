"""Everything of one person that is drawn, in one set of arrays: built once for a look, moved for each frame."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.brows import Tuft, beard, brows, ways
from heartfelt.expression.face.clothes import below, worn
from heartfelt.expression.face.eyes import ball, fibres
from heartfelt.expression.face.glasses import glasses
from heartfelt.expression.face.hair import MIDDLE, STYLES, Scalp, grown
from heartfelt.expression.face.head import Head
from heartfelt.expression.face.lashes import rims
from heartfelt.expression.face.lashes import triangles as lash_triangles
from heartfelt.expression.face.look import Look, linear
from heartfelt.expression.face.names import PARTS
from heartfelt.expression.face.piece import Piece, halves, unit
from heartfelt.expression.face.pose import Pose
from heartfelt.expression.face.rig import SIDES, Moved, Rig, follows, turned
from heartfelt.expression.face.shape import ageing
from heartfelt.expression.render import materials
from heartfelt.expression.render.atlas import Atlas
from heartfelt.expression.render.bake import baked
from heartfelt.expression.render.motion import keep_off, turn_all
from heartfelt.expression.render.raster import OFFSETS, WIDTH, project, raster, smooth_normals, weighted
from heartfelt.expression.render.skin import Paint, painted

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

# Rows of the palette.
SKIN, LEFT_EYE, RIGHT_EYE, UPPER_TEETH, LOWER_TEETH, TONGUE, HAIR, BROWS, LASHES, FRAME, MAIN, COLLAR, UNDER = range(13)


@dataclass
class Meshes:
    """One thing to draw. The columns of `vertices` are told at `raster.WIDTH`; the first nine change as it moves."""

    vertices: Floats
    triangles: Ints
    rows: NDArray[np.uint8]
    two_sided: NDArray[np.bool_]

    @property
    def points(self) -> Floats:
        return self.vertices[:, 0:3]

    @property
    def normals(self) -> Floats:
        return self.vertices[:, 3:6]

    @property
    def vectors(self) -> Floats:
        return self.vertices[:, 6:9]

    @property
    def attributes(self) -> Floats:
        return self.vertices[:, 9:13]

    def only(self, kept: NDArray[np.integer]) -> "Meshes":
        """The same vertices with fewer triangles."""
        return Meshes(self.vertices, self.triangles[kept], self.rows[kept], self.two_sided[kept])


class Person:
    """One look, ready to be moved."""

    def __init__(self, head: Head, look: Look):
        self.head, self.look = head, look
        self.rig = Rig(head, look)
        self.atlas = Atlas(head)
        self.paint: Paint = painted(look, self.atlas)
        self.fibres = fibres(look.seed)
        self.scale = float(np.linalg.norm(self.rig.rest[head.mark("head-2")] - self.rig.rest[head.mark("neck")])) / 2.51
        self._skin_quads = head.fine.quads[head.of_part("skin")[head.fine.parents]]
        self._resting = head.fine.apply(self.rig.rest)
        self._skin_normals = np.zeros_like(self._resting)
        smooth_normals(self._resting, halves(self._skin_quads), self._skin_normals)
        self.palette = self._palette()
        self.moving = self._assemble()
        self.still = self._dressed()
        self._bake()
        self._thin_out()

    # ── built once ──────────────────────────────────────────────────────────────────────────────────────────────

    def _palette(self) -> Floats:
        look = self.look
        palette = np.zeros((13, materials.WIDTH), np.float32)

        def fill(row: int, kind: int, colour: tuple[float, float, float], *own: float) -> None:
            palette[row, : 4 + len(own)] = (kind, *colour, *own)

        fill(SKIN, materials.SKIN, linear(look.skin))
        for row in (LEFT_EYE, RIGHT_EYE):
            fill(row, materials.EYE, linear(look.eyes), 0.36, 0, 0, 1)
        ivory = 0.62 - 0.18 * ageing(look)
        for row in (UPPER_TEETH, LOWER_TEETH):
            fill(row, materials.TEETH, (ivory, ivory * 0.94, ivory * 0.82), 1)
        fill(TONGUE, materials.MOUTH, (0.42, 0.13, 0.12), 1)
        fill(HAIR, materials.HAIR, linear(look.hair_colour), 1.0, look.grey, 1.0 if look.grey else 0.0)
        fill(BROWS, materials.HAIR, linear(look.brows), 0.25, 0.7 * look.grey, 1.0 if look.grey else 0.0)
        fill(LASHES, materials.HAIR, (0.012, 0.009, 0.008), 0.1, 0, 0)
        fill(FRAME, materials.GLOSSY, linear(look.glasses or "#202020"), 0.5)
        main = linear(look.clothes_colour)
        sheen, weave = {"sweater": (0.35, 0.10), "t-shirt": (0.12, 0.03), "shirt": (0.08, 0.02), "blazer": (0.08, 0.02)}[
            look.clothes
        ]
        shirt = (0.72, 0.74, 0.77)
        fill(MAIN, materials.CLOTH, shirt if look.clothes == "blazer" else main, sheen, weave)
        fill(COLLAR, materials.CLOTH, shirt if look.clothes == "blazer" else main, sheen, weave)
        fill(UNDER, materials.CLOTH, main, 0.2, 0.0, 0, 1)
        return palette

    def _assemble(self) -> Meshes:
        """Skin and mouth first, as their rows follow the fine mesh; then eyes, tufts, lashes, and what is stiff."""
        head, fine = self.head, self.head.fine
        rest, skin = self.atlas.rest, halves(self._bare())
        parts = [skin, *(halves(fine.quads[(head.parts == PARTS.index(name))[fine.parents]]) for name in PARTS[1:4])]
        rows = [SKIN, UPPER_TEETH, LOWER_TEETH, TONGUE]
        self._drawn_skin = np.concatenate(parts)
        builder = _Builder(len(self._resting))
        builder.coordinates[0][:] = self.atlas.coordinates
        for triangles, row in zip(parts, rows, strict=True):
            builder.triangles(triangles, row, two_sided=row != SKIN)
        sphere, sphere_quads = ball()
        self._sphere = sphere
        self._eyes = {}
        for side, row in zip(SIDES, (LEFT_EYE, RIGHT_EYE), strict=True):
            self._eyes[side] = builder.add(len(sphere), np.zeros((len(sphere), 2), np.float32))
            builder.triangles(halves(sphere_quads) + self._eyes[side].start, row)
        skin_triangles = halves(self._skin_quads)
        self._tufts: list[tuple[slice, Tuft]] = []
        for tuft, row in ((brows(self.look, rest, skin_triangles), BROWS), (beard(self.look, rest, skin_triangles), HAIR)):
            if tuft is not None:
                span = builder.add(len(tuft.numbers), tuft.numbers)
                builder.triangles(tuft.triangles + span.start, row, two_sided=True)
                self._tufts.append((span, tuft))
        self._rims = []
        for rim in rims(rest, skin_triangles, self.look.seed, 1 - 0.8 * self.look.gender):
            span = builder.add(4 * rim.count, np.full((4 * rim.count, 2), 0.5, np.float32))
            builder.triangles(lash_triangles(rim.count) + span.start, LASHES, two_sided=True)
            self._rims.append((span, rim))
        self._stiff: list[tuple[slice, Piece, Floats]] = []
        for piece, row in self._stiff_pieces():
            span = builder.add(len(piece.points), piece.numbers)
            builder.triangles(piece.triangles + span.start, row, two_sided=piece.two_sided)
            share = follows(self._measured(piece.points))
            self._stiff.append((span, piece, share))
        self._fine_follows = fine.apply(self.rig.follows[:, None])[:, 0]
        self._lids = self._lid_vertices()
        return builder.meshes()

    def _stiff_pieces(self) -> list[tuple[Piece, int]]:
        rig = self.rig
        scalp = Scalp(
            rest=self.atlas.rest,
            points=self._resting,
            normals=self._skin_normals,
            quads=self._skin_quads,
            middle=self._skull_middle(),
            scale=self.scale,
        )
        pieces: list[tuple[Piece, int]] = []
        hair = grown(self.look, scalp)
        if hair is not None:
            pieces.append((hair, HAIR))
        if self.look.glasses:
            bridge = (np.abs(self.atlas.rest[:, 0]) < 0.03) & (np.abs(self.atlas.rest[:, 1] - 7.3) < 0.05)
            front = float(self._resting[bridge & (self.atlas.rest[:, 2] > 1)][:, 2].max())
            pieces.append((glasses(rig.eye_middles, rig.eye_radius, front), FRAME))
        return pieces

    def _skull_middle(self) -> Floats:
        """Where this person has what is the middle of the resting skull: between the eyes' line and the joints."""
        eyes = np.mean([self.rig.eye_middles[side] for side in SIDES], axis=0)
        resting = np.array([0, 7.284, 1.245], np.float32)
        return (eyes + (MIDDLE - resting) * self.scale).astype(np.float32)

    def _measured(self, points: Floats) -> Floats:
        return ((points - self._skull_middle()) / self.scale + MIDDLE).astype(np.float32)

    def _bare(self) -> Ints:
        """The skin that clothes leave bare, with a margin."""
        hidden = below(self.look.clothes, self.atlas.rest) > 0.22
        return self._skin_quads[~hidden[self._skin_quads].any(1)]

    def _lid_vertices(self) -> dict[str, Ints]:
        found: dict[str, Ints] = {}
        for side in SIDES:
            away = self._resting - self.rig.eye_middles[side]
            distance = np.linalg.norm(away, axis=1) / self.rig.eye_radius
            near = (distance < 1.6) & (distance > 0.97) & (away[:, 2] > 0.15 * self.rig.eye_radius)
            skin = np.zeros(len(near), np.bool_)
            skin[self._skin_quads] = True
            found[side] = np.flatnonzero(near & skin).astype(np.int32)
        return found

    def _dressed(self) -> Meshes:
        """Clothes; they stay where they are."""
        names = {"main": MAIN, "collar": COLLAR, "under": UNDER}
        builder = _Builder(0)
        pieces = worn(self.look, self.atlas.rest, self._resting, self._skin_quads)
        for name, piece in pieces:
            span = builder.add(len(piece.points), piece.numbers)
            builder.triangles(piece.triangles + span.start, names[name], two_sided=False)
        meshes = builder.meshes()
        meshes.points[:] = np.concatenate([piece.points for _, piece in pieces])
        meshes.normals[:] = np.concatenate([piece.normals for _, piece in pieces])
        return meshes

    def _bake(self) -> None:
        self.move(Pose())
        moving, still = self.moving, self.still
        count = len(moving.points)
        # some of the locks, and the coarse skin, whose vertices are the first of the fine one, cast the same shadows
        casting = (
            (moving.rows != LASHES)
            & (moving.rows != SKIN)
            & ~((moving.rows == HAIR) & (np.arange(len(moving.rows)) // 2 % 4 > 0))
        )
        skin = halves(self.head.quads[self.head.of_part("skin")])
        points, normals = np.concatenate([moving.points, still.points]), np.concatenate([moving.normals, still.normals])
        ao, key = baked(points, normals, np.concatenate([skin, moving.triangles[casting], still.triangles + count]))
        moving.attributes[:, 2], moving.attributes[:, 3] = ao[:count], key[:count]
        still.attributes[:, 2], still.attributes[:, 3] = ao[count:], key[count:]
        self._brighten(ao)

    def _thin_out(self) -> None:
        """Leave out the locks that no turn of the head ever shows: most of a head of hair is under the rest of it."""
        hair = self.moving.rows == HAIR
        if not hair.any():
            return
        ever = np.zeros(len(hair), np.int64)
        size, middle = 384, float(self._skull_middle()[1])
        for yaw, pitch in ((0, 0), (-22, 0), (22, 0), (-45, 0), (45, 0), (0, 20), (0, -20), (25, -15), (-25, 15)):
            self.move(Pose(yaw=yaw, pitch=pitch))
            meshes = self.moving
            project(meshes.vertices, size, middle - 0.6, 15.0, 4.4)
            depth, seen = np.zeros((size, size, 4), np.float32), np.full((size, size, 4), -1, np.int32)
            raster(meshes.vertices, meshes.triangles, meshes.two_sided, 0, 0, size, depth, seen, OFFSETS)
            ever += np.bincount(seen[seen >= 0], minlength=len(hair))
        kept = np.flatnonzero(~hair | (ever > 3))
        # what is in front comes first, so that what it hides is soon done with
        self.move(Pose())
        nearest = self.moving.points[self.moving.triangles[kept]][:, :, 2].mean(1)
        self.moving = self.moving.only(kept[np.lexsort((-nearest, hair[kept]))])

    def _brighten(self, ao: Floats) -> None:
        """Small hairs take the light of the skin they grow on, and the mouth's inside its own."""
        attributes = self.moving.attributes
        for span, tuft in self._tufts:
            on = np.einsum("ij,ijk->ik", tuft.stuck.weights, attributes[tuft.stuck.corners, 2:4])
            attributes[span, 2:4] = 0.35 + 0.65 * on
        for span, _ in self._rims:
            attributes[span, 2:4] = 0.8
        for name in PARTS[1:4]:
            rows = np.unique(self.head.fine.quads[self.head.of_part(name)[self.head.fine.parents]])
            z = self.atlas.rest[rows, 2]
            deep = np.clip((z - z.min()) / max(float(np.ptp(z)), 1e-6), 0, 1)
            attributes[rows, 2] = 0.25 + 0.75 * deep
            attributes[rows, 3] = attributes[rows, 2]
        for side in SIDES:
            span = self._eyes[side]
            attributes[span, 2] = np.clip(1.15 * attributes[span, 2] + 0.12, 0, 1)
            attributes[span, 3] = np.clip(0.35 + 0.65 * attributes[span, 3], 0, 1)

    # ── moved for each frame ────────────────────────────────────────────────────────────────────────────────────

    def move(self, pose: Pose) -> Moved:
        moved = self.rig.move(pose)
        meshes, fine = self.moving, self.head.fine
        count = len(fine.starts) - 1
        skin = meshes.points[:count]
        weighted(fine.starts, fine.index, fine.weight, moved.points, skin)
        for side in SIDES:
            keep_off(skin, self._lids[side], self.rig.eye_middles[side], np.float32(1.035 * self.rig.eye_radius))
        self._hang(moved)
        turn_all(skin, self._fine_follows, moved.turn, self.rig.pivot, skin)
        smooth_normals(skin, self._drawn_skin, meshes.normals[:count])
        self._place_tufts(skin, meshes.normals[:count])
        for span, piece, share in self._stiff:
            turn_all(piece.points, share, moved.turn, self.rig.pivot, meshes.points[span])
            turn_all(piece.normals, share, moved.turn, _ORIGIN, meshes.normals[span])
            turn_all(piece.vectors, share, moved.turn, _ORIGIN, meshes.vectors[span])
        self._light_mouth(moved)
        return moved

    def _hang(self, moved: Moved) -> None:
        """Eyes and lashes, which are placed on the head before it turns, and turn with it."""
        meshes = self.moving
        turn = turned(moved.turn)
        for side, row in zip(SIDES, (LEFT_EYE, RIGHT_EYE), strict=True):
            span, middle = self._eyes[side], self.rig.eye_middles[side]
            meshes.points[span] = (self._sphere * self.rig.eye_radius + middle - self.rig.pivot) @ turn.T + self.rig.pivot
            meshes.normals[span] = self._sphere @ turn.T
            meshes.vectors[span] = self._sphere @ moved.eyes[side]
            self.palette[row, 5:8] = turn @ moved.eyes[side] @ np.array([0, 0, 1], np.float32)
        for span, rim in self._rims:
            points = rim.lashes(meshes.points, self.rig.eye_middles[rim.side])
            meshes.points[span] = (points - self.rig.pivot) @ turn.T + self.rig.pivot
            meshes.normals[span] = turn @ np.array([0, 0.3, 0.95], np.float32)
            meshes.vectors[span] = turn @ np.array([0, 0.5, 0.8], np.float32)

    def _place_tufts(self, skin: Floats, normals: Floats) -> None:
        for span, tuft in self._tufts:
            points, away = tuft.stuck.place(skin, normals)
            self.moving.points[span], self.moving.normals[span] = points, unit(away + _TOWARDS)
            self.moving.vectors[span] = ways(points, tuft.nodes)

    def _light_mouth(self, moved: Moved) -> None:
        """More light falls into a mouth that is wider open."""
        units = moved.units
        lips = 0.5 * (units["mouthUpperUpLeft"] + units["mouthLowerDownLeft"]) + 0.4 * units["mouthSmileLeft"]
        wide = min(max(units["jawOpen"] - units["mouthClose"], 0) * 2.0 + 0.7 * lips, 1.0)
        self.palette[UPPER_TEETH, 4] = 0.10 + 0.80 * wide
        self.palette[LOWER_TEETH, 4] = 0.08 + 0.68 * wide
        self.palette[TONGUE, 4] = 0.10 + 0.52 * wide + 0.35 * units["tongueOut"]

    def has_hair(self) -> bool:
        return self.look.hair in STYLES


_ORIGIN = np.zeros(3, np.float32)
_TOWARDS = np.array([0, 0.25, 0.35], np.float32)
"""Hairs stand off the skin, and so look a little more to the light than it does."""


class _Builder:
    """Collects vertices and triangles of many parts."""

    def __init__(self, first: int):
        self.count = first
        self.coordinates = [np.zeros((first, 2), np.float32)]
        self._triangles: list[Ints] = []
        self._rows: list[NDArray[np.uint8]] = []
        self._sides: list[NDArray[np.bool_]] = []

    def add(self, count: int, numbers: Floats) -> slice:
        span = slice(self.count, self.count + count)
        self.count += count
        self.coordinates.append(numbers)
        return span

    def triangles(self, triangles: Ints, row: int, *, two_sided: bool = False) -> None:
        self._triangles.append(triangles.astype(np.int32))
        self._rows.append(np.full(len(triangles), row, np.uint8))
        self._sides.append(np.full(len(triangles), two_sided, np.bool_))

    def meshes(self) -> Meshes:
        vertices = np.zeros((self.count, WIDTH), np.float32)
        vertices[:, 9:11], vertices[:, 11:13] = np.concatenate(self.coordinates), 1
        return Meshes(vertices, np.concatenate(self._triangles), np.concatenate(self._rows), np.concatenate(self._sides))
