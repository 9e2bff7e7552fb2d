"""The voice of the avatar: a text is put into words that can be said, said in a manner, and every sound of it has its time.

`Kokoro` is the embedded voice, `Hummer` its double; both are a `Speaker`. `manner_of` is the emotion bank.
"""

from heartfelt.expression.voice.emotions import manner_of
from heartfelt.expression.voice.kokoro import Kokoro
from heartfelt.expression.voice.manner import NEUTRAL, Manner
from heartfelt.expression.voice.normalise import Script, normalise
from heartfelt.expression.voice.speaker import Hummer, Speaker
from heartfelt.expression.voice.spoken import RATE, Phone, SaidWord, SpokenAudio, joined
from heartfelt.expression.voice.voices import Voice, invented, voice, voices

__all__ = [
    "NEUTRAL",
    "RATE",
    "Hummer",
    "Kokoro",
    "Manner",
    "Phone",
    "SaidWord",
    "Script",
    "Speaker",
    "SpokenAudio",
    "Voice",
    "invented",
    "joined",
    "manner_of",
    "normalise",
    "voice",
    "voices",
]
