"""What the face's thread does with a frame, and at the end of a turn."""

from collections.abc import Callable

from av.video.frame import VideoFrame

from heartfelt.errors import InputError
from heartfelt.records import Keyframe, Sensed
from heartfelt.senses.live.events import FaceSeen, Stills
from heartfelt.senses.live.seam import LiveEyes
from heartfelt.senses.media.keyframes import Keyframes
from heartfelt.senses.media.pieces import LONG_SIDE, Picture, Pixels
from heartfelt.senses.media.scaling import Scaler
from heartfelt.senses.media.sharpness import sharpness
from heartfelt.senses.sense import Eyes, Glance


class Looking:
    """Everything here runs in one thread; `tell` carries what was seen to the event loop."""

    def __init__(self, eyes: Eyes, keyframes: int, tell: Callable[[FaceSeen | Stills], None]):
        if not isinstance(eyes, LiveEyes):
            raise InputError(f"{type(eyes).__name__} cannot look on live: it has no new_turn. Use usual_senses.")
        self._eyes = eyes
        self._most = keyframes
        self._tell = tell
        self._scaler = Scaler(LONG_SIDE)
        self._begin()

    def look(self, picture: Picture) -> None:
        picture = Picture(picture.time, self._small(picture.pixels))
        glance = self._eyes.see(picture)
        self._frames += 1
        self._tell(_told(picture, glance))
        self._chosen.offer(picture, face=glance.face, sharpness=sharpness(picture.pixels), change=glance.change)
        times = tuple(kept.time for kept in self._chosen.pictures())
        if times != self._times:
            self._times = times
            self._tell(Stills(times=times))

    def end(self) -> tuple[Sensed | None, tuple[Keyframe, ...]]:
        """What the turn showed; the eyes stay and go on with the next one. Without a frame they have no say."""
        found = (self._eyes.summary(), self._chosen.records()) if self._frames else (None, ())
        self._eyes.new_turn()
        self._begin()
        return found

    def _begin(self) -> None:
        self._chosen = Keyframes(self._most)
        self._times: tuple[float, ...] = ()
        self._frames = 0

    def _small(self, pixels: Pixels) -> Pixels:
        height, width = pixels.shape[:2]
        if max(height, width) <= LONG_SIDE:
            return pixels
        return self._scaler.scaled(VideoFrame.from_ndarray(pixels, "rgb24"), width, height)


def _told(picture: Picture, glance: Glance) -> FaceSeen:
    face = glance.main
    if face is None:
        return FaceSeen(time=picture.time, quality=glance.face, moment=glance.moment)
    height, width = picture.pixels.shape[:2]
    box = face.box
    return FaceSeen(
        time=picture.time,
        quality=glance.face,
        units=face.units,
        head={"yaw": face.head.yaw, "pitch": face.head.pitch, "roll": face.head.roll},
        gaze={"yaw": face.gaze.yaw, "pitch": face.gaze.pitch},
        box=(box.left / width, box.top / height, box.right / width, box.bottom / height),
        moment=glance.moment,
    )
