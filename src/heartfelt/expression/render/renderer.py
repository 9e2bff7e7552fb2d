"""From a look and a pose to a picture."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.expression.face.head import Head, open_head
from heartfelt.expression.face.look import Look, linear
from heartfelt.expression.face.pose import Pose
from heartfelt.expression.render.framing import framed
from heartfelt.expression.render.light import shown
from heartfelt.expression.render.person import Person
from heartfelt.expression.render.raster import project, raster, sort_bands
from heartfelt.expression.render.shade import LIMIT, STEPS, shade, shade_samples
from heartfelt.expression.render.wrinkles import Wrinkles

Frame = NDArray[np.uint8]
Floats = NDArray[np.floating[Any]]

_BANDS = 8


class Renderer:
    """Draws one person. Frames of one renderer are drawn one after the other; several renderers can draw at once."""

    def __init__(self, look: Look, size: int = 512, *, head: Head | None = None, threads: int = 2):
        if not 64 <= size <= 2048:
            raise InputError(f"A picture can have 64 to 2048 dots a side, not {size}.")
        self.look, self.size = look, size
        self.person = Person(head or open_head(), look)
        self._pool = ThreadPoolExecutor(threads, "avatar") if threads > 1 else None
        self._drawing = threading.Lock()
        self._wrinkles = Wrinkles(self.person.paint)
        self._table = shown(STEPS, LIMIT)
        self._cuts = np.array([round(size * place / _BANDS) for place in range(_BANDS + 1)], np.int32)
        self._counts = np.zeros((2, _BANDS), np.int32)
        self._lists = np.zeros((2, _BANDS, len(self.person.moving.triangles) // 2 + 1), np.int32)
        self._framing = framed(self.person.rig, self.person.scale)
        self._draw_still()
        self._buffers = np.empty_like(self._depth), np.empty(self._depth.shape, np.int32)

    def frame(self, pose: Pose | None = None) -> Frame:
        """The picture as red, green and blue [size, size, 3]."""
        with self._drawing:
            moved = self.person.move(pose or Pose())
            bumps = self._wrinkles.raised(moved.units)
            meshes = self.person.moving
            self._project(meshes.vertices)
            out = np.empty((self.size, self.size, 3), np.uint8)
            depth, seen = self._buffers
            halves = len(meshes.triangles) // 2, len(meshes.triangles)

            def sort(half: int) -> None:
                first, end = (0, halves[0]) if half == 0 else halves
                sort_bands(
                    meshes.vertices,
                    meshes.triangles,
                    meshes.edges,
                    first,
                    end,
                    self._cuts,
                    self._counts[half],
                    self._lists[half],
                )

            def band(place: int) -> None:
                top, bottom = self._cuts[place], self._cuts[place + 1]
                depth[top:bottom], seen[top:bottom] = self._depth[top:bottom], -1
                for half in range(2):
                    chosen = self._lists[half, place, : self._counts[half, place]]
                    raster(
                        meshes.vertices, meshes.triangles, meshes.edges, meshes.cover, self.person.pattern, chosen, top, bottom,
                        depth, seen,
                    )  # fmt: skip
                shade(
                    top, bottom, seen, meshes.vertices, meshes.triangles, meshes.rows, self.person.palette,
                    self.person.paint.colour, bumps, self.person.fibres, self.person.pattern, self._light, self._backdrop,
                    self._table, out,
                )  # fmt: skip

            self._all(sort, 2)
            self._all(band, _BANDS)
            return out

    def _all(self, work: Callable[[int], None], count: int) -> None:
        if self._pool is None:
            for place in range(count):
                work(place)
        else:
            list(self._pool.map(work, range(count)))

    def _project(self, vertices: Floats) -> None:
        # what the picture spans is meant at the eyes, which are nearer than the origin
        view = self._framing
        height = view.height * (1 + view.eyes / view.distance)
        project(vertices, self.size, view.centre, view.distance + view.eyes, height)

    def _draw_still(self) -> None:
        """The backdrop and the clothes, drawn once: their light at each sample, their depth, and their finished picture."""
        size, meshes = self.size, self.person.still
        self._project(meshes.vertices)
        meshes.vertices[:, 15] *= 1.0015  # a little nearer, so that no turning neck comes through
        self._depth, seen = np.zeros((size, size, 4), np.float32), np.full((size, size, 4), -1, np.int32)
        every = np.arange(len(meshes.triangles), dtype=np.int32)
        raster(
            meshes.vertices,
            meshes.triangles,
            meshes.edges,
            meshes.cover,
            self.person.pattern,
            every,
            0,
            size,
            self._depth,
            seen,
        )
        self._light = np.repeat(studio(size, linear(self.look.backdrop))[:, :, None], 4, axis=2)
        paint = self.person.paint
        shade_samples(
            seen, meshes.vertices, meshes.triangles, meshes.rows, self.person.palette, paint.colour, paint.relief,
            self.person.fibres, self.person.pattern, self._light,
        )  # fmt: skip
        light = np.minimum(self._light, 1.5).mean(2)
        # a grain finer than a shade keeps the soft backdrop free of steps
        steps = light * ((STEPS - 1) / LIMIT) + np.random.default_rng(1).uniform(0, 6, (size, size, 1)) * np.sqrt(light)
        self._backdrop = self._table[np.clip(steps, 0, STEPS - 1).astype(np.int32)]


def studio(size: int, colour: tuple[float, float, float]) -> Floats:
    """A plain wall with a pool of light behind the head, darker to its corners."""
    y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size
    pool = np.exp(-(((x - 0.56) / 0.46) ** 2) - ((y - 0.42) / 0.50) ** 2)
    light = 0.34 + 0.62 * pool - 0.10 * y
    return (np.array(colour, np.float32) * light[..., None]).astype(np.float32)
