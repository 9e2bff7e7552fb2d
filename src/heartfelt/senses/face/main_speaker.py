"""Who of several people is meant: large, in the middle, sharp, and the one who was meant a moment ago."""

import math
from collections.abc import Sequence

from heartfelt.senses.face.frame import Frame
from heartfelt.senses.face.seen import Face

# The one who is meant already has this much of an advantage, so that two alike do not take turns.
_LOYALTY = 1.6
# Seconds for which nobody else steps in when the one who is meant is out of sight.
_PATIENCE = 1.0


class MainSpeaker:
    """Chooses in every frame, and remembers whom it chose."""

    def __init__(self) -> None:
        self.identity: int | None = None
        self._seen = -math.inf

    def choose(self, frame: Frame, faces: Sequence[Face], time: float) -> tuple[Face | None, tuple[Face, ...]]:
        """The one who is meant, if in sight, and all faces in their order."""
        ordered = sorted(faces, key=lambda face: -self._claim(frame, face))
        here = any(face.identity == self.identity for face in faces)
        if ordered and (here or time - self._seen > _PATIENCE):
            self.identity, self._seen = ordered[0].identity, time
            return ordered[0], tuple(ordered)
        return None, tuple(ordered)

    def _claim(self, frame: Frame, face: Face) -> float:
        return prominence(frame, face) * (_LOYALTY if face.identity == self.identity else 1)


def prominence(frame: Frame, face: Face) -> float:
    """How much a face draws the eye: its size, halved at the picture's edge, and halved again where it is hard to read."""
    height, width = frame.shape[:2]
    x, y = face.box.centre
    off_centre = min(math.hypot((x - width / 2) / (width / 2), (y - height / 2) / (height / 2)), 1.0)
    size = math.sqrt(face.box.area / (width * height))
    return size * (1 - 0.5 * off_centre) * (0.5 + 0.5 * face.quality)
