"""Which way a head is turned: the rotation that lays the canonical face over the points of this one.

The fit is Kabsch's and Umeyama's closed form over points on bone, so that an expression does not look like a turn. Angles are
those seen from the camera: a person who faces the lens has none, wherever in the picture they sit.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.face.canonical import canonical
from heartfelt.senses.face.frame import Points
from heartfelt.senses.face.regions import OUTER_CORNERS, RIGID

# A camera's focal length in longer sides of its picture where nobody knows better: a view of 53 degrees.
_FOCAL = 1.0
# A picture may be cut out of a larger one. Nobody holds a lens nearer than this many widths of a face.
_NEAREST = 4.0


@dataclass(frozen=True)
class Lens:
    """How the camera draws: its focal length and the middle of its picture, in pixels. Guessed, as nobody says."""

    focal: float
    x: float
    y: float

    def unfolded(self, points: Points) -> NDArray[np.float64]:
        """Points in space, seen from straight ahead: x right, y up, z towards the camera, and near parts no longer larger."""
        rays = np.column_stack([points[:, 0] - self.x, self.y - points[:, 1], np.full(len(points), -self.focal)])
        ahead = rays[list(RIGID)].mean(axis=0)
        # Turn the camera until the face is in the middle of its picture: there a lens does not stretch.
        side, up = math.atan2(-ahead[0], -ahead[2]), math.atan2(-ahead[1], math.hypot(ahead[0], ahead[2]))
        rays = rays @ turned(math.degrees(side), math.degrees(up), 0)
        depth = -points[:, 2].astype(np.float64)
        depth -= depth[list(RIGID)].mean()
        return np.column_stack([rays[:, :2] / -rays[:, 2:] * (self.focal - depth)[:, None], depth])


@dataclass(frozen=True)
class HeadPose:
    """Where a head is and how it is turned. x is right in the picture, y up, z towards the camera."""

    rotation: NDArray[np.float64]
    """[3, 3]: from the canonical face to the camera."""
    scale: float
    """Pixels a centimetre."""
    centre: NDArray[np.float64]
    """Where the canonical face's origin lies, in the lens's space."""
    lens: Lens

    @property
    def forward(self) -> NDArray[np.float64]:
        return self.rotation[:, 2]

    @property
    def yaw(self) -> float:
        """Degrees; positive where the face turns to the right of the picture."""
        return math.degrees(math.atan2(self.forward[0], self.forward[2]))

    @property
    def pitch(self) -> float:
        """Degrees; positive where the face turns up."""
        return math.degrees(math.asin(float(np.clip(self.forward[1], -1, 1))))

    @property
    def roll(self) -> float:
        """Degrees; positive where the top of the head leans to the left of the picture."""
        upright = turned(self.yaw, self.pitch, 0)
        lean = upright.T @ self.rotation
        return math.degrees(math.atan2(lean[1, 0], lean[0, 0]))

    def normalised(self, points: Points) -> Points:
        """The points as the canonical face has them: frontal, in centimetres, whatever the turn and the distance."""
        return ((self.lens.unfolded(points) - self.centre) / self.scale @ self.rotation).astype(np.float32)


def head_pose(points: Points, width: int, height: int) -> HeadPose:
    """The head behind the 478 points of a face in a picture of this size."""
    right, left = points[list(OUTER_CORNERS), :2]
    face = 1.6 * float(np.hypot(*(left - right)))
    focal = max(_FOCAL * max(width, height), _NEAREST * face, 1.0)
    lens = Lens(focal, width / 2, height / 2)
    rotation, scale, centre = _fit(canonical()[list(RIGID)].astype(np.float64), lens.unfolded(points)[list(RIGID)])
    return HeadPose(rotation, scale, centre, lens)


def turned(yaw: float, pitch: float, roll: float) -> NDArray[np.float64]:
    """The rotation of these degrees: first the lean, then up or down, then to the side."""
    a, b, c = np.radians([yaw, -pitch, roll])
    side = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    nod = np.array([[1, 0, 0], [0, np.cos(b), -np.sin(b)], [0, np.sin(b), np.cos(b)]])
    lean = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    return side @ nod @ lean


def _fit(model: NDArray[np.float64], seen: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, NDArray[np.float64]]:
    """Rotation, scale and shift that bring the model nearest to what was seen, by least squares."""
    model_middle, seen_middle = model.mean(axis=0), seen.mean(axis=0)
    model_rest, seen_rest = model - model_middle, seen - seen_middle
    u, stretch, v = np.linalg.svd(seen_rest.T @ model_rest)
    mirror = np.array([1, 1, np.sign(np.linalg.det(u @ v)) or 1])
    rotation = (u * mirror) @ v
    scale = max(float((stretch * mirror).sum() / (model_rest**2).sum()), 1e-6)
    return rotation, scale, seen_middle - scale * rotation @ model_middle
