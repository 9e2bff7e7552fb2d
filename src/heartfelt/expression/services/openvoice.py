"""OpenVoice: a base speaker says the text in one of its styles, and a converter gives it the tone colour of a reference.

The options are those of `BaseSpeakerTTS.tts` (speaker, language, speed) and `ToneColorConverter.convert` (tau). The reference
is `speaker.reference`, or whatever the service keeps for `speaker.name`. Pitch is not among its inputs.
"""

from heartfelt.expression.services.contract import Options
from heartfelt.expression.services.generator import Generator, GeneratorRequest

STYLES = ("default", "cheerful", "friendly", "sad", "angry", "terrified", "whispering")
"""Of the English base speaker, as its own app offers them. There is none for surprise, disgust and contempt."""
FRIENDLY = ("caring", "content", "faithful", "grateful", "hopeful", "sentimental", "trusting")
"""Kind rather than merry."""
TAU = 0.3
"""How far the tone colour may wander; its default."""
_FAINT = 0.2
"""Its styles have no strength, so what is hardly felt is said in the default one."""


def options(wish: GeneratorRequest) -> Options:
    style = wish.emotion if wish.intensity >= _FAINT else "default"
    return {"speaker": style, "language": "English", "speed": round(wish.manner.rate, 3), "tau": TAU}


OPENVOICE = Generator(
    "openvoice",
    "voice",
    project="https://github.com/myshell-ai/OpenVoice",
    emotions=STYLES,
    finer=dict.fromkeys(FRIENDLY, "friendly"),
    options=options,
)
