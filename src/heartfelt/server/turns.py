"""One turn of a session: it waits to be let in, is answered while the events are told and stored, spoken, and looked back on.

Whatever ends it leaves it in a state that says so: answered, failed with its reason, or, where the process or the person went
away, unfinished and repeatable.
"""

import asyncio
import contextlib
import os
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from heartfelt.errors import HeartfeltError, StoreError, TurnError
from heartfelt.expression.style import style_of
from heartfelt.intake import PERSON
from heartfelt.pipeline import ANSWERS
from heartfelt.records import Dialogue, Forecast, Keyframe, Lesson, Outcome, Pass, StepRecord, Turn
from heartfelt.server.admission import AdmissionQueue
from heartfelt.server.archive import Archive
from heartfelt.server.breaks import UNCHECKED, reminder
from heartfelt.server.helping import alarm_of
from heartfelt.server.metrics import Metrics
from heartfelt.server.runtime import Runtime
from heartfelt.server.speaking import Speaking
from heartfelt.server.store import SessionStore
from heartfelt.server.turn_observer import TurnObserver
from heartfelt.server.wire import Afterthought, By, SessionView, TurnChanged, TurnView, Waiting

LISTENER = "Listener"
"""Whoever answers, for the model: the embedded one was tuned so, and a name changes nothing of what is said."""
LONGEST_TALK = 100_000
"""Characters of a talk that are read: more than any model takes in with profit. Of a longer one, the latest turns."""
LEASE, RENEWED = 6.0, 2.0
"""Seconds after which a turn whose worker is gone counts as unfinished, and how often a living one says that it lives."""
_FLUSHED = 0.25
"""Seconds that events may wait before they are stored."""


class TurnTooLong(TurnError):
    def __init__(self, seconds: float):
        super().__init__(f"This took longer than {seconds:.0f} s and was given up. Try again, or choose a faster model.")


@dataclass(frozen=True)
class TurnResult:
    turn: TurnView
    made: Pass | None
    """The pass that was chosen, where there is an answer."""
    failed: HeartfeltError | None = None
    """Why there is none, where that was foreseen."""
    in_need: bool = False
    """The person is, or may be, in danger: what to say then is not for a look back to find fault with."""


class Turns:
    """Answers turns, for whoever asks: the API, the live socket, a repetition."""

    def __init__(self, runtime: Runtime, archive: Archive, queue: AdmissionQueue, metrics: Metrics):
        self.runtime, self.archive, self.queue, self.metrics = runtime, archive, queue, metrics
        self.worker = f"{os.getpid()}-{secrets.token_hex(4)}"

    async def close(self) -> None:
        """Nothing is looked back on any more."""
        self.queue.close()

    async def begin(self, session: SessionView, said: Turn, *, by: By, message_id: str = "", alone: bool = False) -> TurnView:
        """What was said is stored before anything is done with it; once, by whatever id a client gave it. `alone`: only where
        nobody is being answered in the session."""
        return await self.archive.call(
            SessionStore.begin_turn,
            session.id,
            said=said.text,
            by=by,
            readings=said.readings,
            message_id=message_id,
            worker=self.worker,
            lease_until=time.time() + LEASE,
            alone=alone,
        )

    async def answered_before(self, session: str, number: int) -> bool:
        """Whether another worker still answers what was said before that turn. Nobody else has what is in memory."""
        store = self.archive.of(session)
        return bool(store.address) and await self.archive.run(store.answered_before, session, number, self.worker)

    async def take(self, session: SessionView, number: int) -> TurnView:
        """An unfinished or failed turn, to be answered again."""
        until = time.time() + LEASE
        return await self.archive.call(SessionStore.take_turn, session.id, number, worker=self.worker, lease_until=until)

    async def wait(self, session: SessionView, turn: TurnView, until: Awaitable[bool]) -> bool:
        """With a turn that cannot be answered yet. One that is called off meanwhile is unfinished."""
        try:
            async with self._alive(session, turn):
                return await until
        except asyncio.CancelledError:
            changed = self.archive.call(SessionStore.change_turn, session.id, turn.number, state="unfinished")
            await asyncio.shield(changed)
            raise

    async def answer(
        self,
        session: SessionView,
        turn: TurnView,
        telling: TurnObserver,
        *,
        keyframes: tuple[Keyframe, ...] = (),
        speaking: Speaking | None = None,
        who: str = "",
    ) -> "TurnResult":
        """`who` asks; `session` is what was there when it began. Errors become the turn's state; a cancellation is raised."""
        changes: dict[str, Any] = {"state": "unfinished"}
        made: Pass | None = None
        failed: HeartfeltError | None = None
        try:
            with self.runtime.warming.paused():
                async with self._let_in(session, turn, telling, who), self._stored(session, turn, telling):
                    outcome = await self._outcome(session, turn, telling, keyframes, speaking)
            made = outcome.best
            changes = {"state": "answered", "reply": outcome.reply, "emotion": felt(made)}
        except HeartfeltError as error:
            failed = error
            changes = {"state": "failed", "error": str(error)}
        except TimeoutError:
            failed = TurnTooLong(self.runtime.settings.turn_seconds)
            changes = {"state": "failed", "error": str(failed)}
        except Exception as error:
            changes = {"state": "failed", "error": f"Something unforeseen went wrong ({type(error).__name__}). Try again."}
            self.metrics.log.exception("a turn failed")
        finally:
            if speaking is not None and changes["state"] != "answered":
                speaking.hush()
            self.metrics.turn(changes["state"], telling.times)
            changed = await asyncio.shield(self._end(session, turn, telling, changes))
            telling.tell(TurnChanged(turn=changed))
        in_need = telling.alert is not None and bool(telling.alert.state)
        return TurnResult(changed, made, failed, in_need)

    async def read_ahead(self, session: SessionView, said: str, *, whole: bool) -> None:
        """What can be done of an answer before it is sure that the person has finished, or even while they still speak. Only
        while nobody else is answered."""
        if self.queue.inside or self.queue.waiting:
            return
        dialogue = _dialogue(session, len(session.conversation), Turn(speaker=PERSON, text=said))
        self.queue.call_off_spare()
        with contextlib.suppress(HeartfeltError):  # who answers meets it again, and tells
            await self.runtime.listener(session, audited=session.pace != "quick").read_ahead(dialogue, whole=whole)

    def look_back_later(self, session: SessionView, answered: "TurnResult", telling: TurnObserver) -> None:
        """Once nobody waits to be answered. Whoever speaks next calls it off: then that turn goes without a lesson."""
        if session.pace == "quick" and answered.made is not None and not answered.in_need:
            self.queue.spare(self._look_back(session, answered.turn, answered.made, telling.looking_back()))

    async def _look_back(self, session: SessionView, turn: TurnView, made: Pass, telling: TurnObserver) -> None:
        """Audit an answer that was already given: what was wrong with it is kept for the next turn."""
        listener = self.runtime.listener(session)
        if listener.recipe.audit is None:
            return
        try:
            outcome = await listener.reflect_on(dialogue_of(session, turn), made.steps, observers=(telling,))
        except HeartfeltError as error:
            self.metrics.log.warning("A look back failed: %s", type(error).__name__)
            return
        try:
            await self._remember(session, turn, telling, _afterthought(outcome))
        except HeartfeltError as error:  # such as that it was deleted meanwhile
            self.metrics.log.warning("A look back cannot be kept: %s", error)

    async def _remember(self, session: SessionView, turn: TurnView, telling: TurnObserver, found: Afterthought) -> None:
        if (await self.archive.call(SessionStore.turn, session.id, turn.number)).reply != turn.reply:
            return  # meanwhile somebody has kept another answer
        await self.archive.call(SessionStore.add_events, session.id, turn.number, telling.taken())
        changed = await self.archive.call(SessionStore.change_turn, session.id, turn.number, afterthought=found)
        telling.tell(TurnChanged(turn=changed))

    async def _outcome(
        self,
        session: SessionView,
        turn: TurnView,
        telling: TurnObserver,
        keyframes: tuple[Keyframe, ...],
        speaking: Speaking | None,
    ) -> Outcome:
        quick = session.pace == "quick"
        listener = self.runtime.listener(session, audited=not quick)
        dialogue = dialogue_of(session, turn, keyframes)
        says = None if speaking is None or not quick else partial(_say, speaking, telling.records)
        async with asyncio.timeout(self.runtime.settings.turn_seconds):
            outcome = await listener.answer(dialogue, observers=(telling,), on_words=says, aloud=says is not None)
        if speaking is not None and not speaking.begun:
            speaking.begin(style_of(outcome.best))
        return outcome

    @asynccontextmanager
    async def _let_in(
        self, session: SessionView, turn: TurnView, telling: TurnObserver, who: str
    ) -> AsyncGenerator[None, None]:
        """Through the queue."""
        async with (
            self._alive(session, turn),
            self.queue.passed(
                lambda place, seconds: telling.tell(Waiting(turn=turn.number, place=place, seconds=seconds)), who=who
            ) as waited,
        ):
            telling.note(waited_ms=round(waited * 1000, 1))
            changed = await self.archive.call(
                SessionStore.change_turn, session.id, turn.number, state="answering", identity=session.identity
            )
            telling.tell(TurnChanged(turn=changed))
            yield

    @asynccontextmanager
    async def _alive(self, session: SessionView, turn: TurnView) -> AsyncGenerator[None, None]:
        """Says all the while that somebody is at work on the turn."""

        async def hold() -> None:
            while True:
                await asyncio.sleep(RENEWED)
                try:
                    await self.archive.call(SessionStore.hold, session.id, turn.number, time.time() + LEASE)
                except HeartfeltError as error:  # who answers meets it too, and tells; a store may be back the next time
                    self.metrics.log.warning("A turn cannot be held: %s", error)
                    if not isinstance(error, StoreError):
                        return

        holding = asyncio.create_task(hold())
        try:
            yield
        finally:
            holding.cancel()

    @asynccontextmanager
    async def _stored(self, session: SessionView, turn: TurnView, telling: TurnObserver) -> AsyncGenerator[None, None]:
        """Events go to the store as they come, a few at a time, and never two lots at once: they would change places."""
        ended = asyncio.Event()

        async def keep() -> None:
            while not ended.is_set() or telling.untaken:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(ended.wait(), _FLUSHED)
                if lines := telling.taken():
                    await self.archive.call(SessionStore.add_events, session.id, turn.number, lines)

        await self.archive.call(SessionStore.clear_events, session.id, turn.number)
        keeping = asyncio.create_task(keep())
        try:
            yield
        finally:
            ended.set()
            await asyncio.shield(keeping)

    async def _end(self, session: SessionView, turn: TurnView, telling: TurnObserver, changes: dict[str, Any]) -> TurnView:
        if telling.alert is not None:
            changes["alarm"] = alarm_of(telling.alert, self.runtime.safety(session.country).country)
        if telling.alert is not None and telling.alert.failed:
            changes["reminder"] = UNCHECKED
        elif changes["state"] == "answered" and not changes.get("alarm"):
            changes["reminder"] = reminder(session.conversation[: turn.number], turn)
        return await self.archive.call(SessionStore.change_turn, session.id, turn.number, times=telling.times, **changes)


def dialogue_of(session: SessionView, turn: TurnView, keyframes: tuple[Keyframe, ...] = ()) -> Dialogue:
    """What was said before, as far as it was really said, and the turn that is to be answered."""
    last = Turn(speaker=PERSON, text=turn.said, readings=turn.readings, keyframes=keyframes)
    return _dialogue(session, turn.number, last)


def _dialogue(session: SessionView, number: int, last: Turn) -> Dialogue:
    turns: list[Turn] = []
    lesson: Lesson | None = None
    for before in _latest(session.conversation[:number]):
        turns.append(Turn(speaker=PERSON, text=before.said, readings=before.readings))
        said = before.heard if before.interrupted else before.reply
        if said:
            turns.append(Turn(speaker=LISTENER, text=said))
        lesson = _lesson(before, said)
    return Dialogue(turns=(*turns, last), listener=LISTENER, lesson=lesson)


def _latest(conversation: tuple[TurnView, ...]) -> tuple[TurnView, ...]:
    """As much of a long talk as is read."""
    left = LONGEST_TALK
    for place in range(len(conversation) - 1, -1, -1):
        left -= len(conversation[place].said) + len(conversation[place].reply)
        if left < 0:
            return conversation[place + 1 :]
    return conversation


def _lesson(before: TurnView, said: str) -> Lesson | None:
    thought = before.afterthought
    if thought is None or not thought.instruction or not said:
        return None
    return Lesson(said=said, instruction=thought.instruction)


def _say(speaking: Speaking, records: list[StepRecord], piece: str) -> None:
    """The first piece begins to be spoken in the style that the steps before the reply decided on."""
    if not speaking.begun:
        speaking.begin(style_of(Pass(number=0, started_from="", steps=tuple(records))))
    speaking.write(piece)


def felt(made: Pass) -> str:
    """What a pass took to be felt."""
    forecast = made.find(Forecast)
    return forecast.emotion if forecast else ""


def _afterthought(outcome: Outcome) -> Afterthought:
    audit = outcome.passes[0].audit
    if audit is None or audit.blamed is None:
        return Afterthought()
    problem = next((finding.problem for finding in audit.findings if finding.step == audit.blamed), "")
    rather = outcome.reply if outcome.chosen else ""
    better = f"It would have been better to say: {rather}" if rather else ""
    instruction = audit.instruction if audit.blamed == ANSWERS else better
    return Afterthought(step=audit.blamed, problem=problem, instruction=instruction, rather=rather)
