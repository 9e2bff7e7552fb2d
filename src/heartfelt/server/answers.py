"""The answers of a turn: the one that it has, those that it had, and the one that somebody last tried with a step set by hand.

What is tried is held beside the trace, numbered as if its passes came next, and goes with the next try. Kept, it becomes the
end of the trace: all passes are there, and the last word about which was chosen is a person's.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from heartfelt.edits import Edit
from heartfelt.errors import InputError
from heartfelt.events import (
    Audited,
    Event,
    Guarded,
    PassStarted,
    Screened,
    StepFinished,
    StepSkipped,
    StepStarted,
    TurnFailed,
    TurnFinished,
    TurnStarted,
    Wrote,
)
from heartfelt.records import Pass
from heartfelt.server.archive import Archive
from heartfelt.server.runtime import Runtime
from heartfelt.server.store import SessionStore
from heartfelt.server.turn_observer import Tell
from heartfelt.server.turns import felt
from heartfelt.server.wire import Happened, Keep, SessionView, TurnView
from heartfelt.trace import Trace

_PASSING = (TurnStarted, Screened, StepStarted, Wrote, TurnFailed)
"""Events that a turn has already, or that only matter while they happen."""


@dataclass(frozen=True)
class Answers:
    archive: Archive
    session: str
    turn: int
    trace: Trace
    """As it was recorded, without the look back."""
    tried: Trace
    """The same, and after it what was last tried."""

    @classmethod
    async def read(cls, archive: Archive, session: str, turn: int) -> "Answers":
        lines = [line for back, line in await archive.call(SessionStore.events, session, turn) if not back]
        tried = await archive.call(SessionStore.tried, session, turn)
        return cls(archive, session, turn, _parsed(lines, turn), _parsed([*lines, *tried], turn))

    @cached_property
    def given(self) -> dict[int, TurnFinished]:
        """By the number of their pass. Only these were looked through before anybody was to hear them."""
        return {event.chosen: event for event in self.tried.events if isinstance(event, TurnFinished)}

    def spoken_from(self, number: int | None) -> Pass:
        """The pass whose reply is to be spoken; None: that of the answer that the turn has."""
        if number is not None and number not in self.given:
            raise InputError(f"Turn {self.turn} has no answer {number}. Without `answer` you get the one that it has.")
        made = self.trace.best if number is None else self.tried.passes[number]
        if not made.reply:
            raise InputError(f"Turn {self.turn} has no reply yet.")
        return made

    async def try_out(self, runtime: Runtime, session: SessionView, edits: tuple[Edit, ...], start: str, tell: Tell) -> None:
        """What would follow from edits, told as it happens. It is audited where the turn was."""
        before, began, lines = len(self.trace.passes), time.monotonic(), list[str]()

        def observe(event: Event) -> None:
            event = _counted_from(before, event)
            ms = round((time.monotonic() - began) * 1000, 1)
            tell(Happened(turn=self.turn, ms=ms, event=event))
            if not isinstance(event, _PASSING):
                lines.append(event.model_dump_json())

        session = session.model_copy(update={"recipe": self.trace.setup.recipe})
        listener = runtime.listener(session, audited=session.pace != "quick")
        made, dialogue = self.trace.best, self.trace.start.dialogue
        await listener.answer_again(dialogue, made, start=start or None, edits=edits, observers=(observe,))
        now = await Answers.read(self.archive, self.session, self.turn)
        if len(now.trace.passes) == before:  # else another answer was kept meanwhile, and the numbers are taken
            await self.archive.call(SessionStore.try_events, self.session, self.turn, lines)

    async def keep(self, wanted: Keep, told: Callable[[Happened], None]) -> TurnView:
        """The turn has this answer from now on, and what is said next builds on it."""
        if self.trace.finished is None:
            raise InputError(f"Turn {self.turn} was not answered, so there is nothing to replace. Answer it again first.")
        finish = self.given.get(wanted.number)
        if finish is None or finish.reply != wanted.reply:
            raise InputError("That answer is no longer at hand. Make the change once more, and keep it then.")
        if self.trace.finished.chosen == wanted.number:
            return await self.archive.call(SessionStore.turn, self.session, self.turn)
        made = self.tried.passes[wanted.number]
        added = [event for event in self._tried_with(wanted.number) if not isinstance(event, TurnFinished)]
        events = [*added, finish.model_copy(update={"why_chosen": _why(made)})]
        changes: dict[str, Any] = {"reply": finish.reply, "emotion": felt(made), "interrupted": False, "heard": ""}
        lines = [event.model_dump_json() for event in events]
        turn = await self.archive.call(SessionStore.keep, self.session, self.turn, lines, **changes, afterthought=None)
        for event in events:
            told(Happened(turn=self.turn, ms=0.0, event=event))
        return turn

    def _tried_with(self, number: int) -> list[Event]:
        """What the trace lacks of the pass of this number."""
        return [] if number < len(self.trace.passes) else self.tried.events[len(self.trace.events) :]


def _parsed(lines: list[str], turn: int) -> Trace:
    return Trace.parse("\n".join(lines).encode(), f"turn {turn}")


def _counted_from(before: int, event: Event) -> Event:
    """The event of a turn that goes on after so many passes."""
    match event:
        case StepFinished(record=record):
            record = record.model_copy(update={"made_in": record.made_in + before})
            return event.model_copy(update={"number": event.number + before, "record": record})
        case PassStarted() | StepStarted() | StepSkipped() | Wrote() | Audited() | Guarded():
            return event.model_copy(update={"number": event.number + before})
        case TurnFinished():
            return event.model_copy(update={"chosen": event.chosen + before})
        case _:
            return event


def _why(made: Pass) -> str:
    by_hand = [record.step for record in made.steps if record.edited]
    return f"A person set {' and '.join(by_hand)} by hand, and kept this reply." if by_hand else "A person kept this reply."
