"""What a reply takes for given: one that names a blow, a grave or a meal is only for somebody who has spoken of such a thing.

The replies of the bank were written for other people's messages. One that is near in meaning can still suppose what this person
never said, and somebody in danger who is answered past the point stops writing (`supposed.toml`).
"""

import re
import tomllib
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("supposed.toml")


def supposes_more(reply: str, told: str) -> bool:
    """Whether the reply takes something for given that the person, in all they told, has not spoken of."""
    return any(supposing.search(reply) and not known.search(told) for supposing, known in _pairs())


@cache
def _pairs() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((_words(row["reply"]), _words(row["said"])) for row in tomllib.loads(FILE.read_text("utf-8")).values())


def _words(pattern: str) -> re.Pattern[str]:
    joined = pattern.replace("\n", "")
    return re.compile(rf"\b(?:{joined})\b", re.IGNORECASE)
