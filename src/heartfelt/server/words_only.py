"""Ears that understand words and give away nothing of how they sounded.

The network that reads emotions off a voice is not asked. Pitch and loudness, which the finding of words does by the way, go no
further than this file.
"""

from collections.abc import Callable

from heartfelt.fusion.fuse import fuse
from heartfelt.records import Readings, Sensed, Word
from heartfelt.senses.live.seam import LiveEars, LiveVoice
from heartfelt.senses.media.pieces import Samples, Sound
from heartfelt.senses.sense import Ears
from heartfelt.senses.voice.prosody import Prosody
from heartfelt.senses.voice.sense import HeardSpeech, Overheard, VoiceActivity, VoiceSense

NOTE = "Only the words were taken: how they sounded was not measured."
_UNMEASURED = Prosody(pitch=None, melody=0, level=0, fall=0, pace=0, unsteadiness=0, voiced=0, noise=0, clipped=0)


def words_only(readings: Readings) -> Readings:
    """What is left of a turn in whose middle the leave to measure the voice was taken back."""
    sensed = (_unsounded(each) if each.source == "voice" else each for each in readings.sensed)
    return fuse(tuple(sensed), duration=readings.duration, words=readings.words)


def _unsounded(heard: Sensed) -> Sensed:
    return Sensed(source="voice", language=heard.language, note=NOTE)


class WordsOnly:
    def __init__(self, ears: Ears):
        self._ears = ears
        if isinstance(ears, LiveEars):
            self.voice = _Words(ears.voice)

    def hear(self, sound: Sound) -> None:
        self._ears.hear(sound)

    def summary(self) -> tuple[Sensed, tuple[Word, ...]]:
        heard, words = self._ears.summary()
        return _unsounded(heard), words


class _Words:
    """The same voice, heard for its words."""

    def __init__(self, voice: LiveVoice):
        self._voice = voice
        if isinstance(voice, VoiceSense):
            voice.emotion = None

    @property
    def noticed(self) -> Callable[[VoiceActivity], object]:
        return self._voice.noticed

    @noticed.setter
    def noticed(self, told: Callable[[VoiceActivity], object]) -> None:
        self._voice.noticed = told

    @property
    def overheard(self) -> Callable[[Overheard], object] | None:
        return self._voice.overheard

    @overheard.setter
    def overheard(self, told: Callable[[Overheard], object] | None) -> None:
        self._voice.overheard = told

    @property
    def complete(self) -> Callable[[str], bool] | None:
        return self._voice.complete

    @complete.setter
    def complete(self, judged: Callable[[str], bool] | None) -> None:
        self._voice.complete = judged

    def hear(self, samples: Samples, time: float | None = None) -> tuple[HeardSpeech, ...]:
        return tuple(map(_bare, self._voice.hear(samples, time)))

    def finish(self) -> tuple[HeardSpeech, ...]:
        return tuple(map(_bare, self._voice.finish()))

    def new_turn(self) -> None:
        self._voice.new_turn()


def _bare(heard: HeardSpeech) -> HeardSpeech:
    return heard.model_copy(update={"prosody": _UNMEASURED, "cues": (), "moment": None, "note": ""})
