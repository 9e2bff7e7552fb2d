"""What eyes and ears must be able to do, beyond a recording's, to be fed live."""

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from heartfelt.senses.media.pieces import Samples
from heartfelt.senses.sense import Ears, Eyes
from heartfelt.senses.voice.sense import HeardSpeech, Overheard, VoiceActivity


@runtime_checkable
class LiveEyes(Eyes, Protocol):
    """Eyes that stay for the next turn: a person's face at rest need not be learnt again."""

    def new_turn(self) -> None: ...


class LiveVoice(Protocol):
    """A voice that is told of while it speaks. `VoiceSense` is one."""

    noticed: Callable[[VoiceActivity], object]
    """Called as soon as speech begins or ends, before it is understood."""

    overheard: Callable[[Overheard], object] | None
    """Called, from any thread, with what was understood before its stretch is over; none: nobody wants to know."""

    complete: Callable[[str], bool] | None
    """Whether words are a whole thought, after which a pause is an end; none: only silence tells."""

    def hear(self, samples: Samples, time: float | None = None) -> tuple[HeardSpeech, ...]: ...

    def finish(self) -> tuple[HeardSpeech, ...]: ...

    def new_turn(self) -> None: ...


@runtime_checkable
class LiveEars(Ears, Protocol):
    """Ears that let one look at the voice itself, between the turns and within them."""

    @property
    def voice(self) -> LiveVoice: ...
