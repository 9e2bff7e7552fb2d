"""The senses as they come with Heartfelt: a face sense and a voice sense in the shape that `sense` asks for."""

from functools import lru_cache

from heartfelt.models.seam import Model
from heartfelt.records import Sensed, Word
from heartfelt.senses.face import FaceSense, MediaPipeNetworks
from heartfelt.senses.face.moments import Moments
from heartfelt.senses.media import Picture, Sound
from heartfelt.senses.prototypes import TRUST, by_prototype
from heartfelt.senses.sense import Glance, Senses, Told, silent
from heartfelt.senses.voice import Moonshine, VoiceSense


def usual_senses(model: Model, *, keyframes: int = 4, told: Told = silent) -> Senses:
    return Senses(model=model, eyes=Watching, ears=Listening, keyframes=keyframes, told=told)


class Watching:
    """A face, its emotions by the prototypes of its action units."""

    def __init__(self) -> None:
        self._face = FaceSense(_networks())
        self._moments = Moments()
        self._before: dict[str, float] = {}

    def see(self, picture: Picture) -> Glance:
        main = self._face.see(picture.pixels, picture.time).main
        if main is None:
            return Glance(face=0.0, change=0.0)
        self._moments.take(picture.time, by_prototype(main.units), TRUST * main.quality)
        change = max((abs(value - self._before.get(name, value)) for name, value in main.units.items()), default=0.0)
        self._before = main.units
        return Glance(face=main.quality, change=min(1.0, change))

    def summary(self) -> Sensed:
        return self._face.summary().model_copy(update={"moments": self._moments.all()})


class Listening:
    """A voice: its words and its melody."""

    def __init__(self) -> None:
        self._voice = VoiceSense(transcriber=_transcriber())

    def hear(self, sound: Sound) -> None:
        self._voice.hear(sound.samples, sound.start)

    def summary(self) -> tuple[Sensed, tuple[Word, ...]]:
        self._voice.finish()
        found = self._voice.summary()
        return found.sensed, found.words


@lru_cache(maxsize=1)
def _networks() -> MediaPipeNetworks:
    """Loaded once; they keep nothing of what they saw."""
    return MediaPipeNetworks()


@lru_cache(maxsize=1)
def _transcriber() -> Moonshine:
    return Moonshine()
