"""Faces made of numbers: the canonical one, changed, turned, and seen through a lens."""

import numpy as np

from heartfelt.senses.face.canonical import canonical
from heartfelt.senses.face.frame import Points
from heartfelt.senses.face.gaze import DEPTH, LIFT, RADIUS
from heartfelt.senses.face.pose import turned
from heartfelt.senses.face.regions import RIGID

WIDTH, HEIGHT, FOCAL = 640, 480, 640
_CORNERS = {468: (33, 133), 473: (263, 362)}


def looking(yaw: float, pitch: float, face: Points | None = None) -> Points:
    """The face with its irises turned by these degrees on the balls of its eyes."""
    points = np.array(canonical() if face is None else face, np.float32)
    direction = turned(yaw, pitch, 0)[:, 2]
    for iris, corners in _CORNERS.items():
        middle = points[list(corners)].mean(axis=0) + np.array([0, LIFT, -DEPTH])
        points[iris : iris + 5] += middle + RADIUS * direction - points[iris]
    return points


def moved(changes: dict[tuple[int, ...], tuple[float, float]], face: Points | None = None) -> Points:
    """The face with some of its points moved, in centimetres: along the face and up."""
    points = np.array(canonical() if face is None else face, np.float32)
    for rows, (x, y) in changes.items():
        points[list(rows), 0] += np.sign(points[list(rows), 0]) * x  # away from the middle, on both sides
        points[list(rows), 1] += y
    return points


def seen(
    face: Points,
    *,
    yaw: float = 0,
    pitch: float = 0,
    roll: float = 0,
    distance: float = 60,
    aside: tuple[float, float] = (0, 0),
    focal: float = FOCAL,
    noise: float = 0,
    random: np.random.Generator | None = None,
) -> Points:
    """The face in pixels, turned by degrees against the line of sight, `aside` by degrees from the middle of the picture.

    The lens draws near parts larger. Depth is as the network gives it: in pixels, and twice as noisy.
    """
    turned_face = face.astype(np.float64) @ turned(yaw, pitch, roll).T
    middle = turned_face[list(RIGID)].mean(axis=0)
    turned_face -= middle
    placed = (turned_face - [0, 0, distance]) @ turned(-aside[0], aside[1], 0).T
    away = -placed[:, 2]
    scale = focal / distance
    pixels = np.stack(
        [WIDTH / 2 + focal * placed[:, 0] / away, HEIGHT / 2 - focal * placed[:, 1] / away, -scale * turned_face[:, 2]], axis=1
    )
    if random is not None:
        pixels += random.normal(size=pixels.shape) * noise * scale * np.array([1, 1, 2])
    return pixels.astype(np.float32)


def smiling() -> Points:
    return moved({(61, 291): (0.8, 0.45), (0, 37, 267, 13): (0, 0.1), (50, 280, 205, 425): (0.1, 0.3), LOWER_LIDS: (0, 0.08)})


def frowning() -> Points:
    return moved({INNER_BROWS: (-0.15, -0.4)})


def shut() -> Points:
    """Eyes closed: both lids on the line between the corners."""
    points = np.array(canonical(), np.float32)
    for upper, lower in ((160, 144), (159, 145), (158, 153), (387, 373), (386, 374), (385, 380)):
        points[[upper, lower], 1] = points[[upper, lower], 1].mean()
    return points


LOWER_LIDS = (144, 145, 153, 373, 374, 380)
UPPER_LIDS = (158, 159, 160, 385, 386, 387)
INNER_BROWS = (55, 107, 285, 336)
OUTER_BROWS = (70, 63, 300, 293)
