"""The proof that the emotion arrived, as it is made after every performance: intended against recognised, voice and face."""

from functools import cached_property
from pathlib import Path

from heartfelt.expression.embedded import manner_for
from heartfelt.expression.generators import VoiceGenerator
from heartfelt.expression.persona import Persona
from heartfelt.expression.proof.heard import asked, shifted, voice_carried
from heartfelt.expression.proof.reader import FaceReader, face_carried, seen_as
from heartfelt.expression.proof.seen import Frame, Onlooker
from heartfelt.expression.style import Style
from heartfelt.expression.voice.measure import Measures, measured
from heartfelt.expression.voice.spoken import SpokenAudio, joined
from heartfelt.records import Carried, Finding

_SAID = "I am here, and I am listening to you."
"""What a person says at rest, to compare with."""
REST = Style(emotion="neutral", intensity=0.0)


class Prover:
    """Measures performances. What a person sounds like at rest is measured once."""

    def __init__(self) -> None:
        self._rest: dict[tuple[str, str], Measures] = {}

    def heard(self, spoken: SpokenAudio, style: Style, persona: Persona, voice: VoiceGenerator) -> Carried:
        """What the voice carries, against the same person at rest."""
        wanted = asked(manner_for(style, persona), persona.manner)
        return voice_carried(style.emotion, wanted, shifted(measured(spoken), self.rest(persona, voice)))

    def seen(self, film: Path, style: Style, rest: Frame) -> Carried:
        """What the face in a film shows, against a picture of the same person at rest."""
        look = self._onlooker.film(film, rest)
        return face_carried(style.emotion, seen_as(style.emotion, style.intensity), self._reader.read(look) if look else {})

    def findings(self, carried: tuple[Carried, ...]) -> tuple[Finding, ...]:
        """What does not agree, in the words of the audit."""
        return tuple(
            Finding(step="express", problem=f"{each.note[0].upper()}{each.note[1:]}.", instruction=_mend(each))
            for each in carried
            if not each.agrees
        )

    def rest(self, persona: Persona, voice: VoiceGenerator) -> Measures:
        """How this person sounds when nothing is felt."""
        key = (voice.name, persona.model_dump_json())
        if key not in self._rest:
            self._rest[key] = measured(joined(list(voice.say(_SAID, REST, persona))))
        return self._rest[key]

    @cached_property
    def _onlooker(self) -> Onlooker:
        return Onlooker()

    @cached_property
    def _reader(self) -> FaceReader:
        return FaceReader()


def _mend(carried: Carried) -> str:
    return f"Carry {carried.intended} more strongly in the {carried.channel}: raise the intensity, or choose another identity."
