"""Everything of one person that is drawn, in one set of arrays: built once for a look, moved for each frame."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face import lashes
from heartfelt.expression.face.beard import Coat, beard
from heartfelt.expression.face.clothes import below, worn
from heartfelt.expression.face.eyes import ball, fibres
from heartfelt.expression.face.glasses import glasses
from heartfelt.expression.face.hair import grown
from heartfelt.expression.face.hairstyles import style_of
from heartfelt.expression.face.head import Head
from heartfelt.expression.face.look import Look
from heartfelt.expression.face.names import PARTS
from heartfelt.expression.face.pattern import strands
from heartfelt.expression.face.piece import MeshPiece, halves
from heartfelt.expression.face.pose import Pose
from heartfelt.expression.face.rig import SIDES, MovedFace, Rig, follows, turned
from heartfelt.expression.face.scalp import MIDDLE, Scalp, on_the_ears
from heartfelt.expression.render.atlas import Atlas, atlas_of
from heartfelt.expression.render.bake import baked, evened, hollows
from heartfelt.expression.render.meshes import Builder, Meshes
from heartfelt.expression.render.motion import keep_off, turn_all
from heartfelt.expression.render.mouth import daylight, lining, mouth_light, mouth_numbers
from heartfelt.expression.render.palette import (
    BEARD,
    COLLAR,
    FRAME,
    HAIR,
    JACKET,
    LASHES,
    LEFT_EYE,
    LOWER_TEETH,
    MAIN,
    RIGHT_EYE,
    SKIN,
    TONGUE,
    UPPER_TEETH,
    palette,
)  # fmt: skip
from heartfelt.expression.render.raster import BOTH, CUT, SOFT, SOLID, STRANDS, project, raster, smooth_normals, weighted
from heartfelt.expression.render.skin import Paint, painted

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]

_EYES: dict[str, int] = dict(zip(SIDES, (LEFT_EYE, RIGHT_EYE), strict=True))
# Degrees by which each eye turns in to meet the other's gaze at the viewer.
VERGENCE = 1.3
LID_CLEARANCE = 1.035
"""How far from the middle of the eyeball lids stay, in its radii."""
_DEEP = 0.035
"""Decimetres below its surroundings at which an ear is darkest."""
_ORIGIN = np.zeros(3, np.float32)


class Person:
    """One look, ready to be moved."""

    def __init__(self, head: Head, look: Look):
        self.head, self.look = head, look
        self.atlas: Atlas = atlas_of(head)
        with ThreadPoolExecutor(1) as aside:
            paint = aside.submit(painted, look, self.atlas)
            self._build()
            self.paint: Paint = paint.result()

    # ── built once ──────────────────────────────────────────────────────────────────────────────────────────────

    def _build(self) -> None:
        head, look = self.head, self.look
        self.rig = Rig(head, look)
        self.fibres = fibres(look.seed)
        self._style = style_of(look)
        self.pattern = strands(self._style.kind if self._style else "straight", look.seed)
        self.scale = float(np.linalg.norm(self.rig.rest[head.mark("head-2")] - self.rig.rest[head.mark("neck")])) / 2.51
        self._skin_quads = head.fine.quads[head.of_part("skin")[head.fine.parents]]
        self.resting = head.fine.apply(self.rig.rest)
        self.skin_normals = np.zeros_like(self.resting)
        smooth_normals(self.resting, halves(self._skin_quads), self.skin_normals)
        self.live = np.arange(len(self.resting), dtype=np.int32)
        self.palette = palette(look)
        self.moving = self._assemble()
        self.still = self._dressed()
        self._bake()
        self._thin_out()

    def _assemble(self) -> Meshes:
        """Skin and mouth first, as their rows follow the fine mesh; then eyes, beard, lashes, and what is stiff."""
        builder = Builder()
        self._add_skin(builder)
        sphere, sphere_quads = ball()
        self.sphere = sphere
        self.eye_spans: dict[str, slice] = {}
        for side, row in _EYES.items():
            self.eye_spans[side] = builder.add(sphere[:, 1::-1].copy())
            builder.triangles(halves(sphere_quads) + self.eye_spans[side].start, row, SOLID)
        self.coats: list[tuple[slice, Coat]] = []
        # the vertices of the coarse quads are the first of the fine ones
        coarse = self.head.quads[self.head.of_part("skin")]
        coat = beard(self.look, self.atlas.rest, self.skin_normals, coarse, self._skin_quads)
        if coat is not None:
            span = builder.add(coat.numbers, coat.cover)
            builder.triangles(coat.triangles + span.start, BEARD, STRANDS)
            self.coats.append((span, coat))
        fullness = 1 - 0.8 * self.look.gender
        self.rims: list[tuple[slice, lashes.Rim]] = []
        cover = lashes.cover(fullness)
        for rim in lashes.rims(self.atlas.rest, halves(self._skin_quads), fullness):
            span = builder.add(np.zeros((len(cover), 2), np.float32), cover)
            builder.triangles(lashes.triangles() + span.start, LASHES, SOFT)
            self.rims.append((span, rim))
        self.stiff: list[tuple[slice, MeshPiece, Floats]] = []
        for piece, row, edge in self._stiff_pieces():
            span = builder.add(piece.numbers, piece.cover)
            builder.triangles(piece.triangles + span.start, row, edge)
            share = follows(self._measured(piece.points))
            self.stiff.append((span, piece, share))
        self.lids = self._lid_vertices()
        return builder.meshes()

    def _add_skin(self, builder: Builder) -> None:
        head, fine = self.head, self.head.fine
        bare, lined = self._bare(), self._lined()
        parts = [halves(self._skin_quads[bare & ~lined]), halves(self._skin_quads[lined])]
        parts += [halves(fine.quads[head.of_part(name)[fine.parents]]) for name in PARTS[1:4]]
        self.drawn_skin = np.concatenate(parts)
        self.fine_follows = fine.apply(self.rig.follows[:, None])[:, 0]
        builder.add(mouth_numbers(head, self.atlas.rest, self.atlas.coordinates))
        rows = ((SKIN, SOLID), (TONGUE, SOLID), (UPPER_TEETH, BOTH), (LOWER_TEETH, BOTH), (TONGUE, BOTH))
        for triangles, (row, edge) in zip(parts, rows, strict=True):
            builder.triangles(triangles, row, edge)

    def _stiff_pieces(self) -> list[tuple[MeshPiece, int, int]]:
        rig = self.rig
        scalp = Scalp(
            rest=self.atlas.rest,
            points=self.resting,
            normals=self.skin_normals,
            quads=self._skin_quads,
            middle=self._skull_middle(),
            scale=self.scale,
        )
        pieces: list[tuple[MeshPiece, int, int]] = []
        hair = grown(self.look, scalp)
        if hair is not None:
            pieces.append((hair, HAIR, STRANDS))
        if self.look.glasses:
            bridge = (np.abs(self.atlas.rest[:, 0]) < 0.03) & (np.abs(self.atlas.rest[:, 1] - 7.3) < 0.05)
            front = float(self.resting[bridge & (self.atlas.rest[:, 2] > 1)][:, 2].max())
            pieces.append((glasses(rig.eye_middles, rig.eye_radius, front), FRAME, SOLID))
        return pieces

    def _skull_middle(self) -> Floats:
        """Where this person has what is the middle of the resting skull: between the eyes' line and the joints."""
        eyes = np.mean([self.rig.eye_middles[side] for side in SIDES], axis=0)
        resting = np.array([0, 7.284, 1.245], np.float32)
        return (eyes + (MIDDLE - resting) * self.scale).astype(np.float32)

    def _measured(self, points: Floats) -> Floats:
        return ((points - self._skull_middle()) / self.scale + MIDDLE).astype(np.float32)

    def _lined(self) -> Flags:
        """The skin that lines the mouth: wet and red like the tongue."""
        fine = self.head.fine
        return lining(self.head)[fine.parents][self.head.of_part("skin")[fine.parents]]

    def _bare(self) -> Flags:
        """The skin that clothes leave bare, with a margin."""
        hidden = below(self.look.clothes, self.atlas.rest) > 0.16
        if self._style is not None and self._style.fall is not None:
            hidden |= on_the_ears(self.atlas.rest)
        return np.asarray(~hidden[self._skin_quads].any(1), np.bool_)

    def _lid_vertices(self) -> dict[str, Ints]:
        found: dict[str, Ints] = {}
        for side in SIDES:
            away = self.resting - self.rig.eye_middles[side]
            distance = np.linalg.norm(away, axis=1) / self.rig.eye_radius
            near = (distance < 1.6) & (distance > 0.97) & (away[:, 2] > 0.15 * self.rig.eye_radius)
            skin = np.zeros(len(near), np.bool_)
            skin[self._skin_quads] = True
            found[side] = np.flatnonzero(near & skin).astype(np.int32)
        return found

    def _dressed(self) -> Meshes:
        """Clothes; they stay where they are."""
        names = {"main": MAIN, "collar": COLLAR, "jacket": JACKET}
        builder = Builder()
        pieces = worn(self.look, self.atlas.rest, self.resting, self._skin_quads)
        for name, piece in pieces:
            span = builder.add(piece.numbers, piece.cover)
            builder.triangles(piece.triangles + span.start, names[name], CUT)
        meshes = builder.meshes()
        meshes.points[:] = np.concatenate([piece.points for _, piece in pieces])
        meshes.normals[:] = np.concatenate([piece.normals for _, piece in pieces])
        return meshes

    def _bake(self) -> None:
        self.move(Pose())
        moving, still = self.moving, self.still
        count = len(moving.points)
        lit = moving.points.copy()
        for span, piece, _ in self.stiff:
            lit[span] = piece.lit
        # the coarse skin, whose vertices are the first of the fine one, casts the same shadows; what is cut away casts none
        casting = np.isin(moving.rows, (HAIR, BEARD, FRAME)) & (moving.cover[moving.triangles].min(1) > 0.5)
        worn_ = still.triangles[still.cover[still.triangles].min(1) > 0] + count
        skin = halves(self.head.quads[self.head.of_part("skin")])
        ao, key = baked(
            np.concatenate([moving.points, still.points]),
            np.concatenate([lit, still.points]),
            np.concatenate([moving.normals, still.normals]),
            np.concatenate([skin, moving.triangles[casting], worn_]),
        )
        every = np.concatenate([moving.triangles, still.triangles + count])
        ao, key = evened(ao, every, 2), evened(key, every, 4)
        moving.attributes[:, 2], moving.attributes[:, 3] = ao[:count], key[:count]
        still.attributes[:, 2], still.attributes[:, 3] = ao[count:], key[count:]
        for span, piece, _ in self.stiff:
            moving.attributes[span, 2:4] *= piece.exposure[:, None]
        self._darken_ears()
        self._brighten()

    def _darken_ears(self) -> None:
        """An ear is a shell of folds finer than the rays that look for shadows."""
        depth = hollows(self.resting, self.skin_normals, halves(self._skin_quads)) / self.scale
        rows = np.flatnonzero(on_the_ears(self.atlas.rest))
        shadow = np.clip(depth[rows] / _DEEP, 0, 1)[:, None]
        self.moving.attributes[rows, 2:4] *= 1 - shadow * np.array([0.75, 0.55], np.float32)

    def _brighten(self) -> None:
        """Small hairs take the light of the skin they grow on, and the mouth's inside its own."""
        attributes = self.moving.attributes
        for span, coat in self.coats:
            attributes[span, 2:4] = coat.exposure[:, None] * (0.25 + 0.75 * attributes[coat.rows, 2:4])
        for span, _ in self.rims:
            attributes[span, 2:4] = 0.8
        fine, lined = self.head.fine, self._lined()
        rim = np.unique(self._skin_quads[~lined])
        inside = [np.setdiff1d(self._skin_quads[lined], rim)]
        inside += [np.unique(fine.quads[self.head.of_part(name)[fine.parents]]) for name in PARTS[1:4]]
        for rows in inside:
            attributes[rows, 2:4] = daylight(self.atlas.rest[rows, 2])[:, None]
        for side in SIDES:
            span = self.eye_spans[side]
            attributes[span, 2] = np.clip(1.15 * attributes[span, 2] + 0.25, 0, 1)
            attributes[span, 3] = np.clip(0.55 + 0.45 * attributes[span, 3], 0, 1)

    def _thin_out(self) -> None:
        """Leave out hair, and skin away from the face, that no turn of the head ever shows."""
        meshes = self.moving
        rest = self.atlas.rest
        away = np.zeros(len(meshes.points), np.bool_)
        away[: len(rest)] = (rest[:, 2] < 0.55) | (rest[:, 1] > 7.95)
        may_go = (meshes.rows == HAIR) | ((meshes.rows == SKIN) & away[meshes.triangles].all(1))
        ever = np.zeros(len(may_go), np.int64)
        size, middle = 320, float(self._skull_middle()[1])
        everything = np.arange(len(may_go), dtype=np.int32)
        for yaw, pitch in ((0, 0), (-22, 0), (22, 0), (-50, 0), (50, 0), (0, 22), (0, -22), (25, -15), (-25, 15), (-25, -15)):
            self.move(Pose(yaw=yaw, pitch=pitch))
            project(meshes.vertices, size, middle - 0.6, 15.0, 4.4)
            depth, seen = np.zeros((size, size, 4), np.float32), np.full((size, size, 4), -1, np.int32)
            raster(
                meshes.vertices, meshes.triangles, meshes.edges, meshes.cover, self.pattern, everything, 0, size, depth, seen
            )
            ever += np.bincount(seen[seen >= 0], minlength=len(may_go))
        # small triangles fall between the dots of this look, so the neighbours of what is seen stay too
        near = np.zeros(len(meshes.points), np.bool_)
        near[meshes.triangles[ever > 0]] = True
        kept = np.flatnonzero(~may_go | near[meshes.triangles].any(1))
        # what is in front comes first, so that what it hides is soon done with
        self.move(Pose())
        nearest = meshes.points[meshes.triangles[kept]][:, :, 2].mean(1)
        self.moving = meshes.only(kept[np.argsort(-nearest)])
        self._forget_unseen_skin()

    def _forget_unseen_skin(self) -> None:
        """Move only the skin that is left, and what its normals need."""
        count = len(self.resting)
        used = np.zeros(count, np.bool_)
        left = self.moving.triangles[(self.moving.triangles < count).all(1)]
        used[left] = True
        for side in SIDES:
            used[self.lids[side]] = True
        self.drawn_skin = self.drawn_skin[used[self.drawn_skin].any(1)]
        used[self.drawn_skin] = True
        self.live = np.flatnonzero(used).astype(np.int32)

    # ── moved for each frame ────────────────────────────────────────────────────────────────────────────────────

    def move(self, pose: Pose) -> MovedFace:
        moved = self.rig.move(pose)
        meshes, fine = self.moving, self.head.fine
        count = len(fine.starts) - 1
        skin, normals = meshes.points[:count], meshes.normals[:count]
        weighted(fine.starts, fine.index, fine.weight, moved.points, self.live, skin)
        for side in SIDES:
            keep_off(skin, self.lids[side], self.rig.eye_middles[side], np.float32(LID_CLEARANCE * self.rig.eye_radius))
        self._hang(moved)
        turn_all(skin, self.fine_follows, self.live, moved.turn, self.rig.pivot, skin)
        smooth_normals(skin, self.drawn_skin, normals)
        turn = turned(moved.turn)
        for span, coat in self.coats:
            meshes.points[span], meshes.normals[span] = coat.place(skin, normals)
            meshes.vectors[span] = coat.ways @ turn.T
        for span, piece, share in self.stiff:
            rows = self._all_rows(len(piece.points))
            turn_all(piece.points, share, rows, moved.turn, self.rig.pivot, meshes.points[span])
            turn_all(piece.normals, share, rows, moved.turn, _ORIGIN, meshes.normals[span])
            turn_all(piece.vectors, share, rows, moved.turn, _ORIGIN, meshes.vectors[span])
        mouth_light(self.palette, moved.units)
        return moved

    def _all_rows(self, count: int) -> Ints:
        return np.arange(count, dtype=np.int32)

    def _hang(self, moved: MovedFace) -> None:
        """Eyes and lashes, which are placed on the head before it turns, and turn with it."""
        meshes, turn = self.moving, turned(moved.turn)
        for side, row in _EYES.items():
            span, middle = self.eye_spans[side], self.rig.eye_middles[side]
            inward = np.radians(-VERGENCE if side == "Left" else VERGENCE)
            gaze = moved.eyes[side] @ turned(np.array([0, inward, 0], np.float32))
            meshes.points[span] = (self.sphere * self.rig.eye_radius + middle - self.rig.pivot) @ turn.T + self.rig.pivot
            meshes.normals[span] = self.sphere @ turn.T
            meshes.vectors[span] = self.sphere @ gaze
            self.palette[row, 5:8] = turn @ gaze @ np.array([0, 0, 1], np.float32)
        for span, rim in self.rims:
            middle = self.rig.eye_middles[rim.side]
            points = rim.veil(meshes.points, middle)
            lid = meshes.points[rim.line[len(rim.line) // 2]]
            self.palette[_EYES[rim.side], 8] = (lid[1] - middle[1]) / self.rig.eye_radius
            meshes.points[span] = (points - self.rig.pivot) @ turn.T + self.rig.pivot
            meshes.normals[span] = turn @ np.array([0, 0.3, 0.95], np.float32)
            meshes.vectors[span] = turn @ np.array([0, 0.5, 0.8], np.float32)
