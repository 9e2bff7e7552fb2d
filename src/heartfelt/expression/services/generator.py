"""What is known of one generator: its bank of emotions, and how a style becomes its own inputs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from heartfelt.expression.persona import Persona
from heartfelt.expression.services.bank import at_rest, entry
from heartfelt.expression.services.contract import Kind, Options, ServiceInfo
from heartfelt.expression.style import Style
from heartfelt.expression.voice.emotions import manner_of
from heartfelt.expression.voice.manner import Manner


@dataclass(frozen=True)
class GeneratorRequest:
    """One sentence or one film as it is wished of a generator."""

    style: Style
    persona: Persona
    emotion: str
    """The entry of the generator's bank; empty where it has none."""
    manner: Manner
    seconds: float = 0.0
    """The length of the sound, where there is one already."""

    @property
    def intensity(self) -> float:
        return 0.0 if at_rest(self.emotion) else self.style.intensity


def _nothing(_: GeneratorRequest) -> Options:
    return {}


@dataclass(frozen=True)
class Generator:
    """Data that turns the plain contract into one for this generator."""

    name: str
    kind: Kind
    project: str = ""
    """Where it is published."""
    emotions: tuple[str, ...] = ()
    """Its bank as published; a service that lists its own is believed instead."""
    finer: Mapping[str, str] = field(default_factory=dict[str, str])
    """Labels of EmpatheticDialogues for which the bank has something better than the entry of their class."""
    options: Callable[[GeneratorRequest], Options] = _nothing

    def wish(self, style: Style, persona: Persona, about: ServiceInfo, *, seconds: float = 0.0) -> GeneratorRequest:
        bank = about.emotions or self.emotions
        emotion = entry(style.emotion, bank, finer=self.finer) if bank else ""
        return GeneratorRequest(style, persona, emotion, _manner(style, persona, emotion), seconds)


def _manner(style: Style, persona: Persona, emotion: str) -> Manner:
    """The person's own way and the tone. The feeling is in it only where no entry of the bank carries it, or it came twice."""
    felt = manner_of(style.emotion, style.intensity if at_rest(emotion) else 0.0, style.tone)
    return Manner.of_steps([own + added for own, added in zip(persona.manner.steps, felt.steps, strict=True)])


ANY_VOICE = Generator("service", "voice")
ANY_FACE = Generator("service", "face")
"""Whatever keeps to the contract."""
