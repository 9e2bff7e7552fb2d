"""The reader's double, for tests: it says what it is told to say, fails, or takes its time."""

import asyncio
from dataclasses import dataclass, field

from heartfelt.records import Danger, DialogueAct, Tier, Who
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.detect.reader import WHOS, Read
from heartfelt.safety.tiers import DANGERS, TIERS


@dataclass
class ScriptedReader:
    """`finds`: by a piece of the message, its tier and danger, found to this `share`. Everything else is no danger.
    `acts`: by a piece of the message, what it does."""

    name = "reader"
    loaded = True
    finds: dict[str, tuple[Tier, Danger]] = field(default_factory=dict[str, tuple[Tier, Danger]])
    acts: dict[str, DialogueAct] = field(default_factory=dict[str, DialogueAct])
    who: Who = "self"
    share: float = 1.0
    fails: Exception | None = None
    seconds: float = 0.0

    async def read(self, message: PersonMessage, *, closely: bool = False) -> Read:
        await asyncio.sleep(self.seconds)
        if self.fails is not None:
            raise self.fails
        found = next((what for piece, what in self.finds.items() if piece in message.text), None)
        tier, danger = found or ("none", "despair")
        share = self.share if found else 1.0
        return Read(
            {name: share if name == tier else (1 - share) * (name == "none") for name in TIERS},
            {name: float(name == danger) for name in DANGERS},
            {name: float(name == self.who) for name in WHOS},
            {act: 1.0 for piece, act in self.acts.items() if piece in message.text},
        )
