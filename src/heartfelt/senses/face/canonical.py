"""A face at rest, turned to nobody: 468 points in centimetres, against which every real face is held."""

from functools import cache
from importlib.resources import files

import numpy as np

from heartfelt.senses.face.frame import Points
from heartfelt.senses.face.regions import LEFT_IRIS, LEFT_LIDS, MESH, RIGHT_IRIS, RIGHT_LIDS

_IRIS_RADIUS = 0.585
"""People's irises hardly differ: 11.7 mm across."""
_RIM = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)], np.float32) * _IRIS_RADIUS


@cache
def canonical() -> Points:
    """[478, 3]: x to the person's left (right in the picture), y up, z forward. The irises lie in the middle of their lids."""
    text = files("heartfelt.senses.face").joinpath("canonical.csv").read_text(encoding="utf-8")
    rows = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
    mesh = np.array(rows, np.float32)
    irises = [mesh[list(lids)].mean(axis=0) + _RIM for lids in (RIGHT_LIDS, LEFT_LIDS)]
    points = np.concatenate([mesh, *irises])
    assert mesh.shape == (MESH, 3) and len(points) == MESH + len(RIGHT_IRIS) + len(LEFT_IRIS)
    points.flags.writeable = False  # it is shared by all
    return points
