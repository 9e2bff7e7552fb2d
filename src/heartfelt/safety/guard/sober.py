"""Nothing glad is said where somebody may be in danger, though not surely enough to be asked about it.

What is missed most is danger that is only hinted at, and the worst answer to it is cheer: «Ha, good luck on Thursday!» to a
farewell. A sober reply where all was well costs little.
"""

import re
from functools import partial

from heartfelt.agents.cheer import cheers
from heartfelt.agents.view import Forbidden
from heartfelt.safety.guard import forbidden

UNEASY = 0.05
"""How likely danger or concern must be, by the large reader, for nothing glad to be said (docs/design/safety.md)."""
_BRIGHT = re.compile(
    r"good (luck|plan|idea|choice)|wish you the best|all the best|what a surprise|sounds (good|great|like fun)|love it"
    r"|have fun|(you|it|he|she|they)('ll| will) be (fine|great)|(?<!if )(you're|you sound|you seem) (quite |all )?(al)?right",
    re.IGNORECASE,
)
"""Bright words that are no cheer where all is well."""
_TOO_GLAD = ("it is glad, and something may be wrong", "Do not be glad and do not congratulate: something may be wrong.")


def problems(unease: float) -> Forbidden:
    """What in a reply may not be said, given how likely danger or concern is."""
    return partial(_soberly, uneasy=unease >= UNEASY)


def _soberly(text: str, *, uneasy: bool) -> list[tuple[str, str]]:
    found = forbidden.problems(text)
    return [*found, _TOO_GLAD] if uneasy and (cheers(text) or _BRIGHT.search(text)) else found
