"""The content synchroniser: visemes, expression, head, gaze and blinks on the clock of the sound, as one record.

`compose` is the only place where what is said and how it is meant meet. `mouth` follows the sounds, `eyes` and `head` move by
chance that is the same every time, `weight` reads off the sound which words count, and `record` is what comes out.
"""

from heartfelt.expression.timeline.compose import Composer, compose, compose_stream
from heartfelt.expression.timeline.listening import listening
from heartfelt.expression.timeline.record import RATE, Timeline, strung

__all__ = ["RATE", "Composer", "Timeline", "compose", "compose_stream", "listening", "strung"]
