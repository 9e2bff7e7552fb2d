"""Which triangle is seen where: a rasteriser with a depth buffer and four samples a pixel, compiled by numba.

A picture is drawn in horizontal bands that share nothing, one thread a band, so the result does not depend on the threads.
The kernels let go of Python's lock; numba's own parallel loops are not used, as they forbid calls from several threads.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.render.compile import compiled, inlined

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int32]

SAMPLES = 4
WIDTH = 16
"""Numbers of a vertex: place, normal and vector (three each), four attributes, and x, y and depth on the screen."""
# Places of the samples in a pixel: a turned square, so that upright and level edges get four steps and not two.
OFFSETS = np.array([[-0.125, -0.375], [0.375, -0.125], [-0.375, 0.125], [0.125, 0.375]], np.float32)
SOLID, CUT, BOTH, STRANDS, SOFT = range(5)
"""How a triangle ends. Solid ones are seen from their front, and so are those that are cut: they end where their cover falls to
zero, which is how a neckline runs smoothly across the mesh. The others are seen from both sides. Strands are seen as far as
their cover is above the pattern of the hair, so that tips and hairlines are fine; soft ones fade with their cover."""
WHOLE = np.float32(1.2)
"""From this cover on strands hide all that is behind them."""


@compiled
def raster(
    vertices: Any,
    triangles: Any,
    edges: Any,
    cover: Any,
    pattern: Any,
    chosen: Any,
    top: int,
    bottom: int,
    depth: Any,
    seen: Any,
) -> None:
    """Draw the chosen triangles into the rows from `top` to `bottom`: nearer (larger) depth wins, and `seen` gets their index.

    Columns 13 to 15 of `vertices` are x and y in pixels and the depth. `edges` says of each triangle how it ends (see `SOLID`);
    where it does not end at its own border, `cover` has a number for each of its vertices.
    """
    width = depth.shape[1]
    half, one, zero = np.float32(0.5), np.float32(1.0), np.float32(0.0)
    reach = np.float32(0.375)  # of a sample from the middle of its pixel
    for index in chosen:
        a, b, c = triangles[index, 0], triangles[index, 1], triangles[index, 2]
        ay, by, cy = vertices[a, 14], vertices[b, 14], vertices[c, 14]
        low, high = min(ay, by, cy), max(ay, by, cy)
        if high <= top or low >= bottom:
            continue
        ax, bx, cx = vertices[a, 13], vertices[b, 13], vertices[c, 13]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        edge = edges[index]
        # y runs downwards on the screen, so a triangle that faces us has a negative area
        if area == zero or (area > zero and edge <= CUT):
            continue
        near, far = min(ax, bx, cx), max(ax, bx, cx)
        if far <= zero or near >= width:
            continue
        first_row, last_row = max(int(low), top), min(int(high) + 1, bottom)
        left, right = np.float32(max(int(near), 0)), np.float32(min(int(far) + 1, width))
        scale = one / area
        # the weights of the corners as planes over the screen
        bdx, bdy = (cy - ay) * scale, -(cx - ax) * scale
        cdx, cdy = -(by - ay) * scale, (bx - ax) * scale
        adx, ady = -bdx - cdx, -bdy - cdy
        az, bz, cz = vertices[a, 15], vertices[b, 15], vertices[c, 15]
        zdx, zdy = bdx * (bz - az) + cdx * (cz - az), bdy * (bz - az) + cdy * (cz - az)
        a_slack, b_slack, c_slack = reach * (abs(adx) + abs(ady)), reach * (abs(bdx) + abs(bdy)), reach * (abs(cdx) + abs(cdy))
        z_slack = reach * (abs(zdx) + abs(zdy))
        partly = edge == CUT or edge >= STRANDS
        ca = cb = cc = zero
        if partly:
            ca, cb, cc = cover[a], cover[b], cover[c]
            if max(ca, cb, cc) <= zero:
                continue
            if min(ca, cb, cc) >= WHOLE:
                partly = False
        for y in range(first_row, last_row):
            py = np.float32(y) + half - ay
            # where in this row all three weights may be positive
            start, stop = left, right
            if right - left > np.float32(5.0):  # for the many small triangles the search takes longer than it saves
                base = bdy * py - bdx * ax + b_slack
                if bdx > zero:
                    start = max(start, -base / bdx - one)
                elif bdx < zero:
                    stop = min(stop, -base / bdx + one)
                base = cdy * py - cdx * ax + c_slack
                if cdx > zero:
                    start = max(start, -base / cdx - one)
                elif cdx < zero:
                    stop = min(stop, -base / cdx + one)
                base = one + ady * py - adx * ax + a_slack
                if adx > zero:
                    start = max(start, -base / adx - one)
                elif adx < zero:
                    stop = min(stop, -base / adx + one)
            for x in range(int(start), int(np.ceil(stop))):
                px = np.float32(x) + half - ax
                z = az + zdx * px + zdy * py
                wb, wc = bdx * px + bdy * py, cdx * px + cdy * py
                if wb < -b_slack or wc < -c_slack or one - wb - wc < -a_slack:
                    continue
                limit = z + z_slack
                d0, d1, d2, d3 = depth[y, x, 0], depth[y, x, 1], depth[y, x, 2], depth[y, x, 3]
                if limit <= min(min(d0, d1), min(d2, d3)):
                    continue
                shown = np.float32(4.0)  # samples of this pixel that a thin veil of hair covers
                if partly:
                    shown = ca + wb * (cb - ca) + wc * (cc - ca)
                    if edge == STRANDS:
                        if shown < WHOLE:
                            wa = one - wb - wc
                            u = wa * vertices[a, 9] + wb * vertices[b, 9] + wc * vertices[c, 9]
                            v = wa * vertices[a, 10] + wb * vertices[b, 10] + wc * vertices[c, 10]
                            shown = (shown - drawn_from(pattern, u + np.float32(0.31), v)) * np.float32(6.0) + np.float32(2.0)
                        else:
                            shown = np.float32(4.0)
                    elif edge == SOFT:
                        shown *= np.float32(4.0)
                    else:
                        shown = np.float32(2.0) + shown * np.float32(300.0)
                    if shown <= zero:
                        continue
                for sample in range(4):
                    if limit <= depth[y, x, sample] or np.float32(sample) >= shown:
                        continue
                    ox, oy = OFFSETS[sample, 0], OFFSETS[sample, 1]
                    sb, sc = wb + bdx * ox + bdy * oy, wc + cdx * ox + cdy * oy
                    if sb >= zero and sc >= zero and sb + sc <= one:
                        sz = z + zdx * ox + zdy * oy
                        if sz > depth[y, x, sample]:
                            depth[y, x, sample] = sz
                            seen[y, x, sample] = index


@inlined
def drawn_from(pattern: Any, u: Any, v: Any) -> Any:
    """A picture that repeats itself, smooth across its columns; its sides are powers of two."""
    x, y = u * np.float32(pattern.shape[1]), v * np.float32(pattern.shape[0])
    column, row = int(np.floor(x)), int(np.floor(y))
    share, wide, high = x - np.float32(column), pattern.shape[1] - 1, pattern.shape[0] - 1
    below = y - np.float32(row)
    left, right, one = column & wide, (column + 1) & wide, np.float32(1.0)
    upper = pattern[row & high, left] * (one - share) + pattern[row & high, right] * share
    lower = pattern[(row + 1) & high, left] * (one - share) + pattern[(row + 1) & high, right] * share
    return upper * (one - below) + lower * below


@compiled
def sort_bands(vertices: Any, triangles: Any, edges: Any, first_of: int, end: int, cuts: Any, counts: Any, lists: Any) -> None:
    """Which triangles from `first_of` to `end` touch which band of rows: band k spans `cuts[k]` to `cuts[k + 1]`.

    Those that show nothing are left out.
    """
    bands = counts.shape[0]
    counts[:] = 0
    each = np.float32(bands) / np.float32(cuts[bands])
    for index in range(first_of, end):
        a, b, c = triangles[index, 0], triangles[index, 1], triangles[index, 2]
        ax, ay, bx, by, cx, cy = (
            vertices[a, 13], vertices[a, 14], vertices[b, 13], vertices[b, 14], vertices[c, 13], vertices[c, 14],
        )  # fmt: skip
        edge = edges[index]
        if (bx - ax) * (cy - ay) - (cx - ax) * (by - ay) >= np.float32(0.0) and edge <= CUT:
            continue
        low, high = min(ay, by, cy), max(ay, by, cy)
        first, last = max(int(low * each) - 1, 0), min(int(high * each) + 1, bands - 1)
        for band in range(first, last + 1):
            if high > cuts[band] and low < cuts[band + 1]:
                lists[band, counts[band]] = index
                counts[band] += 1


def raster_solid(vertices: Floats, triangles: Ints, depth: Floats, seen: Ints) -> None:
    """Draw all triangles from both sides, whatever their cover."""
    count = len(triangles)
    raster(
        vertices, triangles, np.full(count, BOTH, np.uint8), np.ones(1, np.float32), np.zeros((1, 1), np.float32),
        np.arange(count, dtype=np.int32), 0, len(depth), depth, seen,
    )  # fmt: skip


@compiled
def project(vertices: Any, size: int, centre_y: float, distance: float, height: float) -> None:
    """A pinhole camera on the z axis. `height` is what the picture spans at z = 0; the depth is larger where it is nearer."""
    half, scale = np.float32(size * 0.5), np.float32(size / height * distance)
    for row in range(vertices.shape[0]):
        near = np.float32(1.0) / (np.float32(distance) - vertices[row, 2])
        vertices[row, 13] = half + vertices[row, 0] * near * scale
        vertices[row, 14] = half - (vertices[row, 1] - np.float32(centre_y)) * near * scale
        vertices[row, 15] = near


@compiled
def weighted(starts: Any, index: Any, weight: Any, values: Any, rows: Any, out: Any) -> None:
    """These rows of `out` as the weighted sum of rows of `values` that a table names."""
    for row in rows:
        x = y = z = np.float32(0.0)
        for place in range(starts[row], starts[row + 1]):
            at, share = index[place], weight[place]
            x += share * values[at, 0]
            y += share * values[at, 1]
            z += share * values[at, 2]
        out[row, 0], out[row, 1], out[row, 2] = x, y, z


@compiled
def smooth_normals(points: Any, triangles: Any, out: Any) -> None:
    """Unit normals of the vertices: the mean of their triangles' normals by area."""
    for row in range(out.shape[0]):
        out[row, 0] = out[row, 1] = out[row, 2] = np.float32(0.0)
    for index in range(triangles.shape[0]):
        a, b, c = triangles[index, 0], triangles[index, 1], triangles[index, 2]
        ux, uy, uz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
        vx, vy, vz = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1], points[c, 2] - points[a, 2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        for corner in (a, b, c):
            out[corner, 0] += nx
            out[corner, 1] += ny
            out[corner, 2] += nz
    for row in range(out.shape[0]):
        length = np.sqrt(out[row, 0] ** 2 + out[row, 1] ** 2 + out[row, 2] ** 2) + np.float32(1e-12)
        out[row, 0] /= length
        out[row, 1] /= length
        out[row, 2] /= length
