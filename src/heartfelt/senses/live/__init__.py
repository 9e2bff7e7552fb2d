"""The senses fed live: frames and sound as they come, readings as soon as they are made, a whole turn whenever it is over.

The order of the parts is the way of a piece: `door` checks it and gives it its place in time, `waiting` holds it back or lets
it go, `worker` is the thread that takes it, `looking` and `listening` are what is done there, `events` and `stream` are what
comes out at once, `turn` puts a turn into its own time, and `session` leads through all.
"""

from heartfelt.senses.live.events import Event, FaceSeen, Load, Spoken, Stills, TurnOver
from heartfelt.senses.live.seam import LiveEars, LiveEyes, LiveVoice
from heartfelt.senses.live.session import Live
from heartfelt.senses.voice.sense import Overheard, VoiceActivity

__all__ = [
    "Event",
    "FaceSeen",
    "Live",
    "LiveEars",
    "LiveEyes",
    "LiveVoice",
    "Load",
    "Overheard",
    "Spoken",
    "Stills",
    "TurnOver",
    "VoiceActivity",
]
