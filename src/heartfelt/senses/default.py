"""The senses as they come with Heartfelt: a face sense and a voice sense in the shape that `sense` asks for."""

from functools import lru_cache

from heartfelt.models.seam import Model
from heartfelt.records import Moment, Sensed, Word
from heartfelt.senses.emotions.network import ExpressionNetwork
from heartfelt.senses.face.networks import MediaPipeNetworks
from heartfelt.senses.face.seen import Face
from heartfelt.senses.face.sense import FaceSense
from heartfelt.senses.media.pieces import Picture, Sound
from heartfelt.senses.sense import Glance, Senses, Told, silent
from heartfelt.senses.voice.ears import open_ears
from heartfelt.senses.voice.layers import ARTEFACT, VocalEmotion
from heartfelt.senses.voice.sense import VoiceSense
from heartfelt.senses.voice.transcribe import Transcriber
from heartfelt.weights import Store

_UNFELT = (
    f"The emotion of the voice is not told: {ARTEFACT} is not in the store. Fetch it with: heartfelt models pull {ARTEFACT}"
)


def usual_senses(model: Model, *, ears: str = "embedded:", keyframes: int = 4, told: Told = silent) -> Senses:
    """`ears`: the address of the recogniser (`open_ears`)."""
    return Senses(model=model, eyes=Watching, ears=lambda: VoiceEars(ears), keyframes=keyframes, told=told)


class Watching:
    """A face, its emotions by the network that ships."""

    def __init__(self) -> None:
        self._face = FaceSense(_networks(), expression=_expression())
        self._before: dict[str, float] = {}

    def see(self, picture: Picture) -> Glance:
        main = self._face.see(picture.pixels, picture.time).main
        if main is None:
            return Glance(face=0.0, change=0.0)
        change = max((abs(value - self._before.get(name, value)) for name, value in main.units.items()), default=0.0)
        self._before = main.units
        return Glance(face=main.quality, change=min(1.0, change), main=main, moment=_moment(main, picture.time))

    def new_turn(self) -> None:
        """Forget what was shown; the person's own face at rest stays."""
        self._face.new_turn()

    def summary(self) -> Sensed:
        return self._face.summary()


class VoiceEars:
    """A voice: its words, its melody, and its emotion where the network that hears it was fetched."""

    def __init__(self, address: str = "embedded:") -> None:
        transcriber = _transcriber(address)
        if Store().has(ARTEFACT):
            emotion = _emotion()
            self.voice = VoiceSense(transcriber=transcriber, emotion=emotion, sure=emotion.sure)
        else:
            self.voice = VoiceSense(transcriber=transcriber, missing=_UNFELT)

    def hear(self, sound: Sound) -> None:
        self.voice.hear(sound.samples, sound.start)

    def summary(self) -> tuple[Sensed, tuple[Word, ...]]:
        self.voice.finish()
        found = self.voice.summary()
        return found.sensed, found.words


def _moment(face: Face, time: float) -> Moment | None:
    """The network looks at some frames only."""
    return Moment(start=time, end=time, shares=face.shares, reliability=face.quality) if face.shares else None


@lru_cache(maxsize=1)
def _networks() -> MediaPipeNetworks:
    """Loaded once; they keep nothing of what they saw."""
    return MediaPipeNetworks()


@lru_cache(maxsize=1)
def _transcriber(address: str) -> Transcriber:
    return open_ears(address)


@lru_cache(maxsize=1)
def _expression() -> ExpressionNetwork:
    return ExpressionNetwork()


@lru_cache(maxsize=1)
def _emotion() -> VocalEmotion:
    return VocalEmotion()
