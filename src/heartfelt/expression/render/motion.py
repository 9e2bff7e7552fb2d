"""Moving vertices, compiled: turns by shares, and lids that stay off the eyeballs."""

from typing import Any

import numpy as np

from heartfelt.expression.render.compile import compiled


@compiled
def turn_all(points: Any, shares: Any, rows: Any, turn: Any, pivot: Any, out: Any) -> None:
    """Turn the points of these rows about the pivot, each by its share of a turn (axis times angle)."""
    angle = np.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])
    if angle < 1e-7:
        for row in rows:
            out[row, 0], out[row, 1], out[row, 2] = points[row, 0], points[row, 1], points[row, 2]
        return
    ax, ay, az = turn[0] / angle, turn[1] / angle, turn[2] / angle
    whole_cosine, whole_sine = np.cos(angle), np.sin(angle)
    for row in rows:
        share = shares[row]
        cosine, sine = whole_cosine, whole_sine
        if share < np.float32(1.0):
            cosine, sine = np.cos(angle * share), np.sin(angle * share)
        x, y, z = points[row, 0] - pivot[0], points[row, 1] - pivot[1], points[row, 2] - pivot[2]
        along = (ax * x + ay * y + az * z) * (np.float32(1.0) - cosine)
        out[row, 0] = pivot[0] + x * cosine + (ay * z - az * y) * sine + ax * along
        out[row, 1] = pivot[1] + y * cosine + (az * x - ax * z) * sine + ay * along
        out[row, 2] = pivot[2] + z * cosine + (ax * y - ay * x) * sine + az * along


@compiled
def keep_off(points: Any, rows: Any, middle: Any, radius: Any) -> None:
    """Push those of the rows that went into a ball out to its surface."""
    for row in rows:
        x, y, z = points[row, 0] - middle[0], points[row, 1] - middle[1], points[row, 2] - middle[2]
        distance = np.sqrt(x * x + y * y + z * z) + np.float32(1e-9)
        if distance < radius:
            scale = radius / distance
            points[row, 0], points[row, 1], points[row, 2] = middle[0] + x * scale, middle[1] + y * scale, middle[2] + z * scale
