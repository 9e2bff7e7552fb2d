"""One turn for a client that keeps its talk itself: answered like any other, and nothing of it is stored."""

import asyncio
from collections.abc import AsyncGenerator

from heartfelt.budget import Budget, patient
from heartfelt.errors import HeartfeltError
from heartfelt.events import Event, Screened, Wrote
from heartfelt.listener import Listener
from heartfelt.recipes import Ablation, recipe
from heartfelt.records import Dialogue, Outcome
from heartfelt.safety.respond.services import known
from heartfelt.server.breaks import UNCHECKED
from heartfelt.server.chat.completion import ChatUsage, CompletionNotes, steps_of
from heartfelt.server.chat.counting import TokenCounter, token_counter
from heartfelt.server.chat.cutting import ReplyWords
from heartfelt.server.chat.dialogue import dialogue_of
from heartfelt.server.chat.models import recipe_of
from heartfelt.server.chat.request import ChatRequest
from heartfelt.server.helping import alarm_of
from heartfelt.server.parts import Parts
from heartfelt.server.recordings import Recordings
from heartfelt.server.turns import TurnTooLong
from heartfelt.server.wire import Times
from heartfelt.setup import Setup


class ChatTurn:
    def __init__(
        self, asked: ChatRequest, here: Parts, owner: str, listener: Listener, dialogue: Dialogue, counter: TokenCounter
    ):
        self._asked, self._here, self._owner = asked, here, owner
        self._listener, self._dialogue, self._counter = listener, dialogue, counter
        self.reply = ReplyWords(stops=asked.stop or (), limit=asked.limit, count=counter.count)
        self._pieces: asyncio.Queue[Wrote | None] = asyncio.Queue()
        self._outcome: Outcome | None = None

    @classmethod
    async def of(cls, asked: ChatRequest, here: Parts, owner: str) -> "ChatTurn":
        """What cannot be answered is refused here, before anything is streamed."""
        listener = _listener(asked, here)
        recordings = Recordings(here.workshop, here.settings, owner)
        dialogue = await dialogue_of(asked, lambda: here.runtime.senses(listener.setup.model), recordings)
        here.turns.queue.refuse_if_full(owner)
        return cls(asked, here, owner, listener, dialogue, await token_counter(listener.model))

    async def words(self) -> AsyncGenerator[str, None]:
        """Each as it may be said. Afterwards there are `usage` and `notes`."""
        state, task = "unfinished", asyncio.create_task(self._answered())
        task.add_done_callback(lambda _task: self._pieces.put_nowait(None))
        told, number = "", 0
        try:
            while (wrote := await self._pieces.get()) is not None:
                again = bool(told) and wrote.number != number
                told, number = ("" if again else told) + wrote.piece, wrote.number
                for word in self.reply.write(f" {wrote.piece}" if again else wrote.piece):
                    yield word
            self._outcome = outcome = await task
            rest = outcome.reply[len(told) :] if outcome.reply.startswith(told) else f" {outcome.reply}"
            for word in (*self.reply.write(rest), *self.reply.end()):
                yield word
            state = "answered"
        except HeartfeltError:
            state = "failed"
            raise
        finally:
            task.cancel()
            self._here.metrics.turn(state, Times())

    async def usage(self) -> ChatUsage:
        read = await self._counter.count_all(turn.text for turn in self._dialogue.turns)
        written = self._counter.count(self.reply.said)
        return ChatUsage(prompt_tokens=read, completion_tokens=written, total_tokens=read + written)

    def notes(self) -> CompletionNotes:
        assert self._outcome is not None
        alert = self._outcome.alert
        alarm = alarm_of(alert, self._listener.setup.safety.country) if alert else None
        return CompletionNotes(
            alarm=alarm,
            reviewed=bool(alert and alert.state),
            reminder=UNCHECKED if alert and alert.failed else "",
            unused=self._asked.unused,
            counted_by=self._counter.by,
            steps=steps_of(self._outcome),
        )

    async def _answered(self) -> Outcome:
        seconds = self._here.settings.turn_seconds
        try:
            async with self._here.turns.queue.passed(lambda _place, _seconds: None, who=self._owner), asyncio.timeout(seconds):
                return await self._listener.answer(self._dialogue, observers=(self._told,))
        except TimeoutError:
            raise TurnTooLong(seconds) from None

    def _told(self, event: Event) -> None:
        """Words of a pass that is still to be audited may be taken back, so they wait."""
        if isinstance(event, Screened) and event.alert.state:
            self.reply.uncut()
        if isinstance(event, Wrote) and self._listener.recipe.audit is None:
            self._pieces.put_nowait(event)


def _listener(asked: ChatRequest, here: Parts) -> Listener:
    runtime, settings, quick = here.runtime, here.settings, asked.pace == "quick"
    name, address = recipe_of(asked.model, settings), settings.models[0]
    unaudited = quick and recipe(name).audit is not None
    return runtime.listener_for(
        Setup(
            recipe=name,
            model=address,
            memory=settings.memory,
            identity=runtime.persona(asked.heartfelt.identity or settings.identity).identity,
            safety=runtime.safety(known(asked.heartfelt.country)),
            seed=asked.seed or 0,
            ablation=Ablation(without=("audit",) if unaudited else (), temperature=asked.temperature),
            budget=Budget(ms=settings.quick_ms) if quick else patient(address),
        )
    )
