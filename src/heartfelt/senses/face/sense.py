"""The sense of sight for faces: frames go in one by one, and what they showed can be had after each and at the end."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.records import Scores, Sensed
from heartfelt.senses.face.align import SIZE, aligned
from heartfelt.senses.face.cues import Cues
from heartfelt.senses.face.frame import Frame, checked
from heartfelt.senses.face.gaze import gaze
from heartfelt.senses.face.main_speaker import MainSpeaker
from heartfelt.senses.face.moments import Moments
from heartfelt.senses.face.networks import FaceNetworks, MediaPipeNetworks
from heartfelt.senses.face.neutral import Neutral
from heartfelt.senses.face.pose import head_pose
from heartfelt.senses.face.quality import quality
from heartfelt.senses.face.seen import Face, SeenFrame
from heartfelt.senses.face.shape import shape
from heartfelt.senses.face.track import FaceTrack, Tracker
from heartfelt.senses.face.units import closure, units

Expression = Callable[[NDArray[np.uint8]], Scores]
"""Reads the emotions off an aligned grey face of 48 × 48: their names in the senses' label set, with shares that sum to 1."""

# Seconds between two looks of the expression network: faces change more slowly than frames.
_EXPRESSION_EVERY = 0.2
# People who are remembered, those who were meant the longest: a film of a crowd shows thousands.
_MOST_PEOPLE = 64


@dataclass
class _Person:
    """What is kept of one person between frames."""

    neutral: Neutral = field(default_factory=Neutral)
    cues: Cues = field(default_factory=Cues)
    moments: Moments = field(default_factory=Moments)
    meant: int = 0
    """Frames in which this was the main speaker, over all turns."""


class FaceSense:
    """Watches one turn. Give it the frames in the order of their times; `new_turn` goes on with the next, `reset` again."""

    def __init__(self, networks: FaceNetworks | None = None, *, expression: Expression | None = None, most: int = 4):
        self.networks = networks or MediaPipeNetworks()
        self.expression = expression
        self.most = most
        self.reset()

    def reset(self) -> None:
        """Forget everybody and everything."""
        self._tracker = Tracker(self.networks, self.most)
        self._main = MainSpeaker()
        self._people: dict[int, _Person] = {}
        self._time = -math.inf
        self._expressed = -math.inf
        self._frames = self._with_face = 0

    def new_turn(self) -> None:
        """Forget what was shown, for the next `summary`; who is who, and how each looks at rest, stays."""
        for person in self._people.values():
            person.cues, person.moments = Cues(), Moments()
        self._frames = self._with_face = 0

    def see(self, frame: NDArray[Any], time: float) -> SeenFrame:
        """Everybody in this frame, the main speaker first. `time` is in seconds from the start of the turn."""
        picture = checked(frame)
        self._advance(time)
        faces = [self._face(picture, track, time) for track in self._tracker.update(picture, time)]
        main, ordered = self._main.choose(picture, faces, time)
        self._frames += 1
        if main is not None:
            main = self._expressed_by(picture, main, time)
            ordered = (main, *(face for face in ordered if face.identity != main.identity))
            self._with_face += 1
            person = self._person(main.identity)
            person.cues.take(time, main)
            person.meant += 1
        return SeenFrame(time, ordered, main)

    def summary(self) -> Sensed:
        """What the turn so far showed of the person who was the main speaker for most of it."""
        if not self._with_face:
            return Sensed(source="face", note=self._note())
        person = max(self._people.values(), key=lambda person: person.cues.frames)
        return Sensed(source="face", moments=person.moments.all(), cues=person.cues.measured(), note=self._note())

    def _person(self, identity: int) -> _Person:
        if identity not in self._people:
            while len(self._people) >= _MOST_PEOPLE:
                del self._people[min(self._people, key=lambda known: (self._people[known].meant, known))]
            self._people[identity] = _Person()
        return self._people[identity]

    def _advance(self, time: float) -> None:
        if not math.isfinite(time) or time < 0:
            raise InputError(f"The time of a frame must be seconds from the start of the turn, not {time}: start at 0.")
        if time <= self._time:
            raise InputError(f"Frames must come in the order of their times, and {time} follows {self._time}: sort them.")
        self._time = time

    def _face(self, frame: Frame, track: FaceTrack, time: float) -> Face:
        mesh = track.mesh
        height, width = frame.shape[:2]
        head = head_pose(mesh.points, width, height)
        eyes, now = gaze(mesh.points, head), shape(head.normalised(mesh.points))
        trust = quality(frame, mesh, head)
        rest = self._person(track.identity).neutral.add(time, now, head, eyes, trust)
        angles = {"yaw": head.yaw, "pitch": head.pitch, "roll": head.roll, "gaze yaw": eyes.yaw, "gaze pitch": eyes.pitch}
        return Face(
            identity=track.identity,
            box=mesh.box,
            points=mesh.points,
            score=mesh.score,
            head=head,
            gaze=eyes,
            closure=closure(now, rest.shape),
            units=units(now, rest.shape),
            away={name: value - rest.angles[name] for name, value in angles.items()},
            quality=trust,
        )

    def _expressed_by(self, frame: Frame, face: Face, time: float) -> Face:
        if self.expression is None or time - self._expressed < _EXPRESSION_EVERY:
            return face
        self._expressed = time
        shares = self.expression(aligned(frame, face, SIZE))
        self._person(face.identity).moments.take(time, shares, face.quality)
        return replace(face, shares=shares)

    def _note(self) -> str:
        if not self._frames:
            return "No frame was given."
        if not self._with_face:
            return "No face was found in any frame."
        seen = self._with_face / self._frames
        return "" if seen >= 0.5 else f"A face was found in {seen:.0%} of the frames only."
