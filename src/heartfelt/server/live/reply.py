"""The reply that is being given to a person: thought about, written, spoken, heard."""

import asyncio
import time
from dataclasses import dataclass, field

from heartfelt.server.speaking import Speaking, SpeakingStretch
from heartfelt.server.turn_observer import TurnObserver
from heartfelt.server.turns import TurnResult
from heartfelt.server.wire import SessionView, TurnView


@dataclass
class LiveReply:
    turn: TurnView
    session: SessionView
    telling: TurnObserver
    speaking: Speaking | None = None
    task: asyncio.Task[None] | None = None
    first_sound: float = 0.0
    """When its first sound was sent; 0: none was."""
    played: bool = False
    """The browser says that it is over."""
    hushed: bool = False
    held: list[SpeakingStretch] = field(default_factory=list[SpeakingStretch])
    """Made while the person spoke: they wait until it is known whether that was meant."""
    answered: TurnResult | None = None
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def sounding(self) -> bool:
        if not self.first_sound or self.played or self.speaking is None:
            return False
        return not self.over.is_set() or time.monotonic() < self.first_sound + self.speaking.seconds + 1.0

    @property
    def about_to_sound(self) -> bool:
        """Whether its words are there and its sound is being made."""
        waits = bool(self.held) or not self.over.is_set()
        return self.speaking is not None and self.answered is not None and not self.first_sound and waits

    @property
    def thinking(self) -> bool:
        """Whether its words are still being found."""
        return self.task is not None and not self.task.done() and self.answered is None

    def heard(self, at: float | None) -> tuple[str, str]:
        """What was written, and what of it was heard: by what the browser says or, until it does, by the clock."""
        speaking = self.speaking
        written = self.answered.turn.reply if self.answered else speaking.text if speaking else ""
        if speaking is None or not self.first_sound:
            return written, ""
        seconds = time.monotonic() - self.first_sound if at is None else at
        return written, speaking.heard.until(seconds, written)
