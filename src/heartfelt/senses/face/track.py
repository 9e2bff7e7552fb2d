"""Follows faces from frame to frame: each is looked for where it just was, and the whole frame is searched now and then."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heartfelt.senses.face.detect import Detection, detect
from heartfelt.senses.face.frame import Frame
from heartfelt.senses.face.mesh import Mesh, look
from heartfelt.senses.face.networks import FaceNetworks

_PRESENT = 0.5
# A track that the detector does not confirm needs a mesh that is surer than this.
_SURE = 0.9
# Seconds between searches of the whole frame while somebody is followed, and between searches piece by piece.
_SEARCH_EVERY = 1.0
_CLOSE_SEARCH_EVERY = 1.0
# Seconds after which a person who comes back is somebody new.
_REMEMBERED = 2.0
_SAME_FACE = 0.3
# Widths of the face by which its points may move between two frames, and by which somebody lost may be found again.
_JUMP = 0.6
_NEAR = 1.0
_SMALLEST = 12.0


@dataclass
class FaceTrack:
    """One person in the picture."""

    identity: int
    mesh: Mesh
    time: float


class Tracker:
    """Keeps who is where. At most `most` faces are followed, the largest first."""

    def __init__(self, networks: FaceNetworks, most: int = 4):
        self.networks = networks
        self.most = most
        self._tracks: list[FaceTrack] = []
        self._lost: list[FaceTrack] = []
        self._next = 1
        self._searched = self._searched_closely = float("-inf")

    def update(self, frame: Frame, time: float) -> list[FaceTrack]:
        """Everybody who is in this frame."""
        before = len(self._tracks)
        self._tracks = self._followed(frame, time)
        self._lost = [track for track in self._lost if time - track.time <= _REMEMBERED]
        missing = len(self._tracks) < max(before, 1)
        if missing or time - self._searched >= _SEARCH_EVERY:
            self._search(frame, time)
        return list(self._tracks)

    def _followed(self, frame: Frame, time: float) -> list[FaceTrack]:
        kept: list[FaceTrack] = []
        for track in self._tracks:
            mesh = look(frame, track.mesh.square, self.networks)
            taken = any(mesh.box.shared(other.mesh.box) > _SAME_FACE for other in kept)
            if _usable(mesh, frame) and not taken and _apart(mesh, track.mesh) < _JUMP:
                track.mesh, track.time = mesh, time
                kept.append(track)
            elif not taken:
                self._lost.append(track)
        return kept

    def _search(self, frame: Frame, time: float) -> None:
        # Looking piece by piece is worth its price only where nobody is seen, and even then not in every frame.
        closely = not self._tracks and time - self._searched_closely >= _CLOSE_SEARCH_EVERY
        found = detect(frame, self.networks, closely=closely)
        self._searched = time
        if closely:
            self._searched_closely = time
        self._tracks = [track for track in self._tracks if track.mesh.score >= _SURE or _confirmed(track, found)]
        for detection in sorted(found, key=lambda item: -item.box.area):
            if len(self._tracks) < self.most and not any(_covers(track.mesh, detection) for track in self._tracks):
                self._meet(frame, detection, time)

    def _meet(self, frame: Frame, detection: Detection, time: float) -> None:
        # The second look has the crop that the mesh itself would choose: steadier than the detector's.
        mesh = look(frame, look(frame, detection.square, self.networks).square, self.networks)
        if not _usable(mesh, frame) or any(mesh.box.shared(track.mesh.box) > _SAME_FACE for track in self._tracks):
            return
        known = min(self._lost, key=lambda track: _apart(mesh, track.mesh), default=None)
        if known is not None and _apart(mesh, known.mesh) < _NEAR:
            self._lost.remove(known)
            identity = known.identity
        else:
            identity, self._next = self._next, self._next + 1
        self._tracks.append(FaceTrack(identity, mesh, time))


def _usable(mesh: Mesh, frame: Frame) -> bool:
    """Whether this is a face, large enough to read, with its middle in the picture."""
    height, width = frame.shape[:2]
    x, y = mesh.box.centre
    return mesh.score >= _PRESENT and mesh.box.width >= _SMALLEST and 0 <= x < width and 0 <= y < height


def _apart(one: Mesh, other: Mesh) -> float:
    """The mean way between the same points of two faces, in widths of the larger."""
    width = max(one.box.width, other.box.width, 1.0)
    return float(np.hypot(*(one.points[:, :2] - other.points[:, :2]).T).mean()) / width


def _confirmed(track: FaceTrack, found: Sequence[Detection]) -> bool:
    return any(_covers(track.mesh, detection) for detection in found)


def _covers(mesh: Mesh, detection: Detection) -> bool:
    return mesh.box.shared(detection.box) > _SAME_FACE
