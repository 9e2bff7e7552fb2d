"""Glasses: two rims, a bridge and two temples, fitted to where this person has eyes, nose and ears."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.expression.face.piece import MeshPiece, joined, tube

Floats = NDArray[np.floating[Any]]


def glasses(eyes: dict[str, Floats], radius: float, bridge_front: float) -> MeshPiece:
    """`eyes` are the middles of the eyeballs; the rims stand in front of them and clear of the bridge of the nose."""
    pieces: list[MeshPiece] = []
    front = max(eyes["Left"][2] + 2.15 * radius, bridge_front + 0.02)
    for side, sign in (("Left", 1), ("Right", -1)):
        middle = np.array([eyes[side][0] + sign * 0.10 * radius, eyes[side][1] - 0.20 * radius, front], np.float32)
        rim = _rim(middle, radius, sign)
        pieces.append(tube(rim, np.full(len(rim), 0.020, np.float32), 8, closed=True, up=_towards(rim, middle)))
        hinge = middle + np.array([sign * 1.78 * radius, 0.45 * radius, -0.06], np.float32)
        ear = np.array([sign * 0.80, eyes[side][1] + 0.05, 0.05], np.float32)
        path = np.linspace(hinge, ear, 8).astype(np.float32)
        pieces.append(tube(path, np.full(8, 0.018, np.float32), 6))
    inner = [eyes[side][0] - sign * 1.47 * radius for side, sign in (("Left", 1), ("Right", -1))]
    share = np.linspace(0, 1, 9)
    y = float(eyes["Left"][1]) + 0.22 * radius + 0.05 * np.sin(np.pi * share)
    bridge = np.stack([inner[1] + (inner[0] - inner[1]) * share, y, front + 0.03 * np.sin(np.pi * share)], axis=1)
    pieces.append(tube(bridge.astype(np.float32), np.full(9, 0.018, np.float32), 8))
    return joined(pieces)


def _rim(middle: Floats, radius: float, sign: int) -> Floats:
    """A rounded square that bends back at its outer side."""
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    x = np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** 0.72 * 1.62 * radius
    y = np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** 0.78 * 1.30 * radius
    z = -0.35 * np.maximum(sign * x, 0) ** 2 / radius
    return (middle + np.stack([x, y, z], axis=1)).astype(np.float32)


def _towards(rim: Floats, middle: Floats) -> Floats:
    return (rim - middle + np.array([0, 0, 1e-4], np.float32)).astype(np.float32)
