"""What the voice's thread does with a chunk, and at the end of a turn."""

from collections.abc import Callable

from heartfelt.errors import InputError
from heartfelt.records import Sensed, Word
from heartfelt.senses.live.events import Spoken
from heartfelt.senses.live.seam import LiveEars
from heartfelt.senses.media.pieces import Sound
from heartfelt.senses.sense import Ears
from heartfelt.senses.voice.sense import HeardSpeech, Overheard, VoiceActivity


class LiveListening:
    """Everything here runs in one thread; `tell` carries what was heard to the event loop."""

    def __init__(
        self,
        ears: Ears,
        tell: Callable[[VoiceActivity | Overheard | Spoken], None],
        *,
        complete: Callable[[str], bool] | None = None,
    ):
        if not isinstance(ears, LiveEars):
            raise InputError(f"{type(ears).__name__} cannot listen live: it has no voice to look at. Use usual_senses.")
        self._ears = ears
        self._tell = tell
        self._chunks = 0
        ears.voice.noticed, ears.voice.complete = tell, complete
        ears.voice.overheard = tell if complete else None  # whoever takes turns by words thinks ahead by them

    def listen(self, sound: Sound) -> None:
        self._chunks += 1
        self._told(self._ears.voice.hear(sound.samples, sound.start))

    def end(self) -> tuple[Sensed | None, tuple[Word, ...]]:
        """What the turn let hear, whoever is in the middle of a word; without a chunk the ears have no say."""
        self._told(self._ears.voice.finish())
        found = self._ears.summary() if self._chunks else (None, ())
        self._ears.voice.new_turn()
        self._chunks = 0
        return found

    def _told(self, stretches: tuple[HeardSpeech, ...]) -> None:
        for heard in stretches:
            self._tell(Spoken(heard=heard))
