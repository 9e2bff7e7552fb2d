"""Generators by address: `embedded:`, or the name of a generator and where it runs, such as `openvoice:http://127.0.0.1:8001`."""

from collections.abc import Callable, Iterable, Mapping

from heartfelt.errors import UnknownName, UsageError
from heartfelt.expression.generators import FaceGenerator, VoiceGenerator
from heartfelt.expression.services.dice_talk import DICE_TALK
from heartfelt.expression.services.dreamtalk import DREAMTALK
from heartfelt.expression.services.face import Portrait, ServiceFace, drawn
from heartfelt.expression.services.generator import ANY_FACE, ANY_VOICE, Generator
from heartfelt.expression.services.openvoice import OPENVOICE
from heartfelt.expression.services.styletts2 import STYLETTS2
from heartfelt.expression.services.voice import ServiceVoice
from heartfelt.plugins import Registry

VOICES = Registry("heartfelt.voices", {each.name: each for each in (OPENVOICE, STYLETTS2, ANY_VOICE)})
FACES = Registry("heartfelt.faces", {each.name: each for each in (DICE_TALK, DREAMTALK, ANY_FACE)})
_EMBEDDED, _HUM = "embedded", "hum"


def open_voice(address: str, *, embedded: Callable[[], VoiceGenerator] | None = None) -> VoiceGenerator:
    """The voice at `address`. Nothing is loaded or connected before it speaks. `embedded` makes the one for `embedded:`."""
    if address == f"{_HUM}:":
        return _humming()
    scheme, rest = _parts(address, "voice", VOICES)
    if scheme != _EMBEDDED:
        return ServiceVoice(rest, generator=VOICES[scheme])
    return (embedded or _embedded_voice)()


def open_face(
    address: str, *, embedded: Callable[[], FaceGenerator] | None = None, portrait: Portrait = drawn, mark: str = ""
) -> FaceGenerator:
    """The face at `address`. `portrait` gives the picture that a service brings to life, and `mark` a small text that every
    picture of a service bears."""
    scheme, rest = _parts(address, "face", FACES)
    if scheme != _EMBEDDED:
        return ServiceFace(rest, generator=FACES[scheme], portrait=portrait, mark=mark)
    return (embedded or _embedded_face)()


def _parts(address: str, kind: str, known: Mapping[str, Generator]) -> tuple[str, str]:
    scheme, _, rest = address.partition(":")
    if scheme not in (_EMBEDDED, *known):
        raise UnknownName(f"{kind} generator", scheme, _addresses(known))
    if scheme == _EMBEDDED and rest:
        raise UsageError(f"'{address}' has something behind `embedded:`, which takes nothing. Write `embedded:` alone.")
    return scheme, rest


def _addresses(known: Iterable[str]) -> list[str]:
    return [f"{_EMBEDDED}:", *(f"{name}:URL" for name in known)]


def _embedded_voice() -> VoiceGenerator:
    from heartfelt.expression.embedded import EmbeddedVoice

    return EmbeddedVoice()


def _humming() -> VoiceGenerator:
    """The double: instant, and no weights are needed."""
    from heartfelt.expression.embedded import EmbeddedVoice
    from heartfelt.expression.voice.speaker import Hummer

    return EmbeddedVoice(Hummer())


def _embedded_face() -> FaceGenerator:
    from heartfelt.expression.embedded import EmbeddedFace

    return EmbeddedFace()
