"""The reader's double, for tests: it says what it is told to say, fails, or takes its time."""

import asyncio
from dataclasses import dataclass, field

from heartfelt.records import Danger, Tier
from heartfelt.safety.detect.frame import DANGER_WORDS, TIER_WORDS
from heartfelt.safety.detect.reader import Read


@dataclass
class ScriptedReader:
    """`finds`: by a piece of the message, its tier and danger. Everything else is no danger."""

    name = "reader"
    loaded = True
    finds: dict[str, tuple[Tier, Danger]] = field(default_factory=dict[str, tuple[Tier, Danger]])
    fails: Exception | None = None
    seconds: float = 0.0

    async def read(self, text: str) -> Read:
        await asyncio.sleep(self.seconds)
        if self.fails is not None:
            raise self.fails
        found = next((what for piece, what in self.finds.items() if piece in text), None)
        tier, danger = found or ("none", "despair")
        return Read({name: float(name == tier) for name in TIER_WORDS}, {name: float(name == danger) for name in DANGER_WORDS})
