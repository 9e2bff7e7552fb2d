"""What one frame showed: the faces in it, the main speaker's first."""

from dataclasses import dataclass, field

from heartfelt.records import Scores
from heartfelt.senses.face.detect import Box
from heartfelt.senses.face.frame import Points
from heartfelt.senses.face.gaze import Gaze
from heartfelt.senses.face.pose import HeadPose
from heartfelt.senses.face.units import Units


@dataclass(frozen=True, eq=False)
class Face:
    """One face in one frame."""

    identity: int
    """The same number from frame to frame for the same person, for as long as they are in the picture."""
    box: Box
    points: Points
    """[478, 3] in pixels; see `mesh`."""
    score: float
    """How sure the network is that this is a face."""
    head: HeadPose
    gaze: Gaze
    """Against the head."""
    closure: tuple[float, float]
    """How far the right and the left eye are shut, from 0 to 1."""
    units: Units
    """Against the person's own face at rest."""
    away: dict[str, float]
    """Degrees away from how the person usually holds head and eyes: `yaw`, `pitch`, `roll`, `gaze yaw`, `gaze pitch`."""
    quality: float
    """How far all of this can be trusted, from 0 to 1."""
    shares: Scores | None = None
    """What the expression network made of it, where there is one and it was this frame's turn."""


@dataclass(frozen=True, eq=False)
class SeenFrame:
    """One frame."""

    time: float
    faces: tuple[Face, ...] = field(default=())
    """The main speaker's first, where they are in the picture; then the most prominent."""
    main: Face | None = None
    """None where nobody is there, and for a moment where the main speaker is out of sight and somebody else is not."""

    def __bool__(self) -> bool:
        return bool(self.faces)
