"""Which triangle is seen where: a rasteriser with a depth buffer and four samples a pixel, compiled by numba.

A picture is drawn in horizontal bands that share nothing, one thread a band, so the result does not depend on the threads.
The kernels let go of Python's lock; numba's own parallel loops are not used, as they forbid calls from several threads.
"""

from typing import Any

import numpy as np

from heartfelt.expression.render.compile import compiled

SAMPLES = 4
WIDTH = 16
"""Numbers of a vertex: place, normal and vector (three each), four attributes, and x, y and depth on the screen."""
# Places of the samples in a pixel: a turned square, so that upright and level edges get four steps and not two.
OFFSETS = np.array([[-0.125, -0.375], [0.375, -0.125], [-0.375, 0.125], [0.125, 0.375]], np.float32)


@compiled
def raster(
    vertices: Any, triangles: Any, two_sided: Any, first: int, top: int, bottom: int, depth: Any, seen: Any, offsets: Any
) -> None:
    """Draw triangles into the rows from `top` to `bottom`: nearer (larger) depth wins, and `seen` gets `first` plus its index.

    Columns 13 to 15 of `vertices` are x and y in pixels and the depth. Triangles that turn their backs are left out unless they
    are two-sided.
    """
    width = depth.shape[1]
    half, one, zero = np.float32(0.5), np.float32(1.0), np.float32(0.0)
    reach = np.float32(0.375)  # of a sample from the middle of its pixel
    for index in range(triangles.shape[0]):
        a, b, c = triangles[index, 0], triangles[index, 1], triangles[index, 2]
        ay, by, cy = vertices[a, 14], vertices[b, 14], vertices[c, 14]
        low, high = min(ay, by, cy), max(ay, by, cy)
        if high <= top or low >= bottom:
            continue
        ax, bx, cx = vertices[a, 13], vertices[b, 13], vertices[c, 13]
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        # y runs downwards on the screen, so a triangle that faces us has a negative area
        if area == zero or (area > zero and not two_sided[index]):
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
        for y in range(first_row, last_row):
            py = np.float32(y) + half - ay
            # where in this row all three weights may be positive
            start, stop = left, right
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
                for sample in range(4):
                    if limit <= depth[y, x, sample]:
                        continue
                    ox, oy = offsets[sample, 0], offsets[sample, 1]
                    sb, sc = wb + bdx * ox + bdy * oy, wc + cdx * ox + cdy * oy
                    if sb >= zero and sc >= zero and sb + sc <= one:
                        sz = z + zdx * ox + zdy * oy
                        if sz > depth[y, x, sample]:
                            depth[y, x, sample] = sz
                            seen[y, x, sample] = first + index


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
def weighted(starts: Any, index: Any, weight: Any, values: Any, out: Any) -> None:
    """Each row of `out` as the weighted sum of rows of `values` that a table names."""
    for row in range(starts.shape[0] - 1):
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
