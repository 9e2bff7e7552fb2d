"""Generators that you run yourself, as back ends: a voice such as OpenVoice, a face such as DICE-Talk, over a small contract.

`open_voice` and `open_face` give one by its address. Each is asked over HTTP; what comes back is checked before it is used. The
words of a reply are never a service's business: it gets them ready and only says or shows them.
"""

from heartfelt.expression.services.face import ServiceFace
from heartfelt.expression.services.fallback import FallbackFace, FallbackVoice, or_else
from heartfelt.expression.services.generator import ANY_FACE, ANY_VOICE, Generator, GeneratorRequest
from heartfelt.expression.services.open import FACES, VOICES, open_face, open_voice
from heartfelt.expression.services.voice import ServiceVoice

__all__ = [
    "ANY_FACE",
    "ANY_VOICE",
    "FACES",
    "VOICES",
    "FallbackFace",
    "FallbackVoice",
    "Generator",
    "GeneratorRequest",
    "ServiceFace",
    "ServiceVoice",
    "open_face",
    "open_voice",
    "or_else",
]
