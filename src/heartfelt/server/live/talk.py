"""Taking turns with a person: when they have finished, when they speak over the reply, and what was heard of it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from heartfelt.errors import HeartfeltError, InputError
from heartfelt.intake import PERSON, cleaned
from heartfelt.records import Keyframe, Turn, Word
from heartfelt.senses.live import Overheard, Spoken, TurnOver, VoiceActivity
from heartfelt.server.callers import TooFast
from heartfelt.server.consent import Consent
from heartfelt.server.live.outbox import Outbox
from heartfelt.server.live.pieces import ReplyPiece, reply_piece
from heartfelt.server.live.reply import LiveReply
from heartfelt.server.live.senses import Sensed, Watcher
from heartfelt.server.live.turn_taking import Happening, TurnTaking, is_complete, wants_to_go_on
from heartfelt.server.problems import sayable
from heartfelt.server.session_hub import SessionHub
from heartfelt.server.speaking import Speaking, SpeakingStretch
from heartfelt.server.store import AlreadySaid, SessionStore
from heartfelt.server.turn_observer import TurnObserver
from heartfelt.server.turns import Turns
from heartfelt.server.wire import (
    Begin,
    By,
    ErrorNotice,
    FromServer,
    Hush,
    Played,
    Say,
    Sensing,
    SessionView,
    Speech,
    Stop,
    TurnChanged,
    TurnView,
)

Why: TypeAlias = Literal["spoken over", "stopped"]
EAGER, PATIENCE, LONGER = 0.36, 0.5, 1.4
"""Seconds of silence after which the person counts as having finished: after a whole sentence, otherwise, and after words that
want to go on («because»). Then the answer is thought about; it takes longer until anything of it is heard, and who goes on
before that has said one thing, not two."""
SLACK = 0.1
"""Seconds of sound that are always still on their way."""
STALLED = 2.0
"""Seconds that sound may be late before the silence is believed without it."""
LOOKED = 0.2
"""Seconds between two looks whether another worker has answered what was said before."""
SURE = 0.12
"""Seconds of speech before it counts as speaking over the reply: a cough does not."""


class LiveTalk:
    """One person's live conversation in one session."""

    def __init__(
        self, session: str, owner: str, turns: Turns, hub: SessionHub, outbox: Outbox, pace: Callable[[], Awaitable[None]]
    ):
        """`pace` refuses a turn that comes too soon after others of the same caller."""
        self._session, self._owner, self._turns, self._hub, self._outbox = session, owner, turns, hub, outbox
        self._model = turns.runtime.settings.models[0]
        self._watcher = Watcher(
            lambda: turns.runtime.senses(self._model),
            heard=self._sensed,
            overheard=self._overheard,
            failed=self._senses_failed,
        )
        self._pace = pace
        self._wanted = Begin()
        self._reply: LiveReply | None = None
        self._person = TurnTaking()
        self._ended_at, self._taking = 0.0, False
        self._voiced = False
        """Whether somebody spoke since the last turn."""
        self._quiet_from = 0.0
        """Where in the sound the voice ended."""
        self._last_words = ""
        self._words: list[str] = []
        """All that was understood since the last turn."""
        self._ending: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._background: set[asyncio.Task[None]] = set()
        self._beginning: set[asyncio.Task[None]] = set()
        """Of these, those that store what was said: they are never called off."""
        self._in_order = hub.order(session)

    # ── what the person does ────────────────────────────────────────────────────────────────────────────────────

    async def begin(self, begin: Begin) -> None:
        settings = self._turns.runtime.settings
        if (begin.microphone or begin.camera) and not settings.senses:
            raise InputError("This server neither looks nor listens. Type instead.")
        Consent(voice=begin.tone, face=begin.camera).check(settings)
        self._wanted = begin.model_copy(update={"voice": begin.voice and settings.speaks})
        if self._wanted.voice:
            session = await self._loaded()
            self._turns.runtime.warming.want(self._turns.runtime.persona(session.identity))
        ends = self._watcher.allow(begin)
        try:
            if ends:
                await self._end_hearing()
        finally:
            await self._watcher.adapt()
            self._taking = self._taking and self._watcher.listening

    async def take(self, piece: ReplyPiece) -> None:
        if self._person.person_speaks:
            self._turns.runtime.warming.stir()
        await self._watcher.take(piece)

    async def say(self, say: Say) -> None:
        """Typed: whatever was seen meanwhile belongs to it. What was spoken before it is a turn of its own."""
        await self._pace()
        said = Turn(speaker=PERSON, text=cleaned(say.text, "What you said"))
        if self._voiced:
            self._person.after("end")
            self._heard_out()
        self._begin_turn(said, "typed", time.monotonic(), say.id)

    async def end_turn(self) -> None:
        if self._person.state == "silent":
            raise InputError("Nothing was heard yet.")
        self._person_did("end")

    async def stop(self, stop: Stop) -> None:
        reply = self._reply
        if reply is not None and reply.turn.number == stop.turn:
            await self._interrupt("stopped", at=stop.at)

    async def played(self, played: Played) -> None:
        reply = self._reply
        if reply is None or reply.turn.number != played.turn:
            return
        if played.over:
            reply.played = True
        elif reply.telling.times.heard_ms is None:
            reply.telling.note(heard_ms=reply.telling.ms)
            await self._keep_times(reply)

    async def again(self, number: int) -> None:
        await self._pace()
        session = await self._loaded()
        await self._interrupt("stopped")
        turn = await self._turns.take(session, number)
        self._answer(_until(session, turn), turn, time.monotonic())

    async def close(self) -> None:
        """The person is gone. What they said and were saying is kept. A turn that is being thought about is finished; one that
        waits, or is spoken, is not."""
        for task in (*(self._background - self._beginning), self._ending, self._reading):
            _cancel(task)
        await asyncio.gather(*self._beginning, self._keep_unfinished())
        reply = self._reply
        if reply is not None and reply.speaking is not None:
            reply.speaking.hush()
        if reply is not None and reply.task is not None and not reply.telling.let_in:
            reply.task.cancel()
        await self._watcher.close()

    # ── what is sensed ──────────────────────────────────────────────────────────────────────────────────────────

    def _sensed(self, event: Sensed) -> None:
        self._outbox.tell(Sensing(event=event))
        match event:
            case VoiceActivity(speaking=True):
                self._voiced = True
                self._person_did("voice")
            case VoiceActivity():
                self._ended_at, self._quiet_from = self._watcher.moment(event.time), event.time
                self._person_did("no voice")
            case Spoken(heard=heard) if heard.words and not self._taking:
                self._last_words = " ".join(word.text for word in heard.words)
                self._words.append(self._last_words)
                self._person_did("words")
            case TurnOver():
                self._taking = False
            case _:
                pass

    def _person_did(self, happening: Happening) -> None:
        for action in self._person.after(happening):
            match action:
                case "wait":
                    _cancel(self._ending)
                    self._ending = asyncio.create_task(self._when_silent())
                case "stop waiting":
                    _cancel(self._ending)
                    _cancel(self._reading)
                case "interrupt":
                    if self._reply is not None and self._reply.sounding:
                        self._in_background(self._speak_over())
                case "release":
                    if self._reply is not None and self._reply.held:
                        self._in_background(self._release(self._reply))
                case "take turn":
                    self._heard_out()

    def _senses_failed(self, message: str) -> None:
        self._outbox.tell(ErrorNotice(code="senses", message=message))

    async def _when_silent(self) -> None:
        """Silence that lasts. Who is still to be listened to may be speaking: the ears fall behind while they find words."""
        await self._watcher.settled()
        patience = LONGER if wants_to_go_on(self._last_words) else EAGER if is_complete(self._last_words) else PATIENCE
        await asyncio.sleep(max(0.0, self._ended_at + patience - time.monotonic()))
        await self._watcher.come(self._quiet_from + patience - SLACK, patience=STALLED)
        await self._watcher.settled()
        self._person_did("end")

    def _overheard(self, event: Overheard) -> None:
        """What an answer needs before anything of it is told begins while they speak, and in the silence after which it is sure
        that they have finished."""
        if self._reply is None or not self._reply.thinking:
            said, whole = " ".join([*self._words, event.text]), event.whole and not wants_to_go_on(event.text)
            _cancel(self._reading)
            self._reading = asyncio.create_task(self._read_ahead(said, whole=whole))

    async def _read_ahead(self, said: str, *, whole: bool) -> None:
        with suppress(HeartfeltError):  # who answers meets it again, and tells
            await self._turns.read_ahead(await self._loaded(), said, whole=whole)

    def _heard_out(self) -> None:
        """The person has finished speaking."""
        self._begin_turn(None, "spoken", self._end_of_speech())

    async def _end_hearing(self) -> None:
        """Whoever is in the middle of a word has said what was heard until now."""
        for task in (self._ending, self._reading):
            _cancel(task)
        self._person = TurnTaking()
        await self._take_turn(None, "spoken", self._end_of_speech())

    def _end_of_speech(self) -> float:
        """When it was. What comes from now on belongs to the next turn."""
        said_at, self._ended_at = self._ended_at or time.monotonic(), 0.0
        self._words, self._voiced = [], self._person.person_speaks
        self._taking = self._watcher.open
        return said_at

    async def _speak_over(self) -> None:
        await asyncio.sleep(SURE)
        if self._person.person_speaks:
            await self._interrupt("spoken over")

    # ── turns ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _begin_turn(self, typed: Turn | None, by: By, said_at: float, message_id: str = "") -> None:
        task = self._in_background(self._take_turn(typed, by, said_at, message_id))
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)

    async def _take_turn(self, typed: Turn | None, by: By, said_at: float, message_id: str = "") -> None:
        async with self._in_order:
            if message_id:
                await self._turns.archive.call(SessionStore.unsaid, self._session, message_id)
            said, keyframes = await self._said(typed)
            if said is None:
                self._go_on()
                return
            if typed is None:
                await self._keep_pace(said)
            going_on = await self._interrupt("stopped") and typed is None
            session = await self._loaded()
            self._model = session.model
            if going_on:
                turn = await self._went_on(session, said)
            else:
                turn = await self._turns.begin(session, said, by=by, message_id=message_id)
            self._tell_all(TurnChanged(turn=turn))
            self._answer(_until(session, turn), turn, said_at, keyframes)
            if typed is not None and said.readings is not None:
                self._say_aloud(said.readings.words)

    def _say_aloud(self, words: tuple[Word, ...]) -> None:
        """What was spoken while the words before it were on their way."""
        if words:
            spoken = cleaned(" ".join(word.text for word in words), "What was heard")
            self._begin_turn(Turn(speaker=PERSON, text=spoken), "spoken", time.monotonic())

    def _go_on(self) -> None:
        """What was taken for a turn was none, so the reply that waited for it goes on."""
        if self._reply is not None and self._reply.held:
            self._in_background(self._release(self._reply))

    async def _keep_pace(self, said: Turn) -> None:
        """What was spoken cannot be sent once more: it is kept, though nobody answers it now."""
        try:
            await self._pace()
        except TooFast:
            self._go_on()
            await self._set_aside(said)
            raise

    async def _keep_unfinished(self) -> None:
        """What somebody was saying when they left."""
        try:
            async with self._in_order:
                said, _ = await self._said(None)
                if said is not None:
                    await self._set_aside(said)
        except HeartfeltError as error:  # such as that the session was deleted
            self._turns.metrics.log.warning("What was said last cannot be kept: %s", error)

    async def _set_aside(self, said: Turn) -> None:
        turn = await self._turns.begin(await self._loaded(), said, by="spoken")
        self._tell_all(TurnChanged(turn=await self._changed(turn.number, state="unfinished")))

    async def _said(self, typed: Turn | None) -> tuple[Turn | None, tuple[Keyframe, ...]]:
        """What the person said, with what was seen and heard of it; nothing where no word was."""
        self._taking = self._watcher.open
        impression = await self._watcher.turn(text=typed.text if typed else "")
        if impression is None:
            self._taking = False
            return typed, ()
        if not impression.text.strip():
            return None, ()
        text = typed.text if typed else cleaned(impression.text, "What was heard")
        return Turn(speaker=PERSON, text=text, readings=impression.readings), impression.keyframes

    async def _went_on(self, session: SessionView, said: Turn) -> TurnView:
        """The person paused, and went on before they were answered: it is one turn."""
        earlier = session.conversation[-1]
        await self._turns.take(session, earlier.number)
        return await self._changed(earlier.number, said=f"{earlier.said} {said.text}", readings=said.readings)

    def _answer(self, session: SessionView, turn: TurnView, said_at: float, keyframes: tuple[Keyframe, ...] = ()) -> None:
        telling = TurnObserver(turn.number, said_at, self._tell_all)
        telling.note(understood_ms=telling.ms)
        reply = LiveReply(turn, session, telling)
        if self._wanted.voice:
            persona = self._turns.runtime.persona(session.identity)
            reply.speaking = Speaking(self._turns.runtime, persona, lambda stretch: self._sounds(reply, stretch))
        self._reply = reply
        reply.task = asyncio.create_task(self._answered(reply, keyframes))

    async def _answered(self, reply: LiveReply, keyframes: tuple[Keyframe, ...]) -> None:
        try:
            waited = await self._turns.wait(reply.session, reply.turn, self._freed(reply.turn.number))
            with self._hub.enter(self._session):
                if waited:  # for what was asked before the page was loaded again: now it is known what was said to that
                    reply.session = _until(await self._loaded(), reply.turn)
                reply.answered = await self._turns.answer(
                    reply.session, reply.turn, reply.telling, keyframes=keyframes, speaking=reply.speaking, who=self._owner
                )
            if reply.speaking is not None and reply.answered.made is not None:
                with suppress(asyncio.CancelledError), self._turns.runtime.warming.paused():
                    await reply.speaking.finish(reply.answered.turn.reply)
                reply.telling.note(last_sound_ms=reply.telling.ms)
                await self._keep_times(reply)
            if not reply.answered.turn.interrupted:
                self._turns.look_back_later(reply.session, reply.answered, reply.telling)
        except HeartfeltError as error:
            self._outbox.tell(ErrorNotice(code="busy", message=str(error), turn=reply.turn.number))
        finally:
            reply.over.set()

    async def _freed(self, number: int) -> bool:
        """Once nothing that was said before is still being answered, here or by another worker; whether something was."""
        waited = await self._hub.freed(self._session)
        while await self._turns.answered_before(self._session, number):
            waited = True
            await asyncio.sleep(LOOKED)
            await self._hub.freed(self._session)
        return waited

    def _sounds(self, reply: LiveReply, stretch: SpeakingStretch) -> None:
        """Nobody is spoken over: where the person makes a sound at this moment, the reply waits for what comes of it."""
        if reply.held or (self._person.person_speaks and not reply.first_sound):
            reply.held.append(stretch)
        else:
            self._send(reply, stretch)

    async def _release(self, reply: LiveReply) -> None:
        """It was only a cough: nothing was said, so the reply is."""
        await asyncio.sleep(PATIENCE)
        await self._watcher.settled()
        if self._person.state != "silent" or self._taking or reply.hushed:
            return
        held, reply.held = reply.held, []
        for stretch in held:
            self._send(reply, stretch)

    def _send(self, reply: LiveReply, stretch: SpeakingStretch) -> None:
        number = reply.turn.number
        self._outbox.tell(
            Speech(
                turn=number,
                piece=stretch.piece,
                start=stretch.start,
                seconds=stretch.seconds,
                timeline=stretch.timeline,
                last=stretch.last,
            )
        )
        self._outbox.send(reply_piece(number, stretch.piece, stretch.sound))
        if not reply.first_sound:
            reply.first_sound = time.monotonic()
            reply.telling.note(first_sound_ms=reply.telling.ms)
            self._turns.metrics.time("first_sound", reply.telling.ms)
            self._in_background(self._keep_times(reply))

    async def _interrupt(self, why: Why, *, at: float | None = None) -> bool:
        """End the reply that is being given, if one is; true where nothing of it had come yet.

        What was not heard is not remembered as said.
        """
        reply = self._reply
        if reply is None:
            return False
        thinking = reply.thinking
        if not thinking and not reply.sounding and not reply.about_to_sound and at is None:
            return False
        reply.held = []
        if reply.speaking is not None:
            reply.speaking.hush()
        if not reply.hushed:
            self._outbox.tell(Hush(turn=reply.turn.number, why=why))
        reply.hushed = True
        if thinking and reply.task is not None:
            reply.task.cancel()
            with suppress(asyncio.CancelledError):
                await reply.task
        if reply.first_sound or not (thinking or reply.speaking):
            await self._remember(reply, at)
            return False
        if reply.answered is not None:
            reply.played = True
            self._tell_all(TurnChanged(turn=await self._changed(reply.turn.number, state="unfinished", reply="")))
        return True

    async def _remember(self, reply: LiveReply, at: float | None) -> None:
        written, heard = reply.heard(at)
        answered = reply.answered
        if answered is not None and written and heard == written:
            return
        changes: dict[str, Any] = {"interrupted": True, "heard": heard}
        if answered is None and heard:
            changes |= {"state": "answered", "reply": written}
        changed = await self._changed(reply.turn.number, **changes)
        if answered is not None:
            reply.answered = replace(answered, turn=changed)
        if not reply.played:
            self._turns.metrics.interrupted.inc()
        reply.played = True
        self._tell_all(TurnChanged(turn=changed))

    async def _keep_times(self, reply: LiveReply) -> None:
        """Until the answer is there they are kept with it."""
        if reply.answered is not None:
            changed = await self._changed(reply.turn.number, times=reply.telling.times)
            self._tell_all(TurnChanged(turn=changed))

    def _in_background(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[None]:
        """So that what comes over the socket meanwhile is not kept waiting; what goes wrong is told."""

        async def run() -> None:
            try:
                await work
            except AlreadySaid as already:
                self._outbox.tell(TurnChanged(turn=already.turn))
            except HeartfeltError as error:
                self._outbox.tell(notice_of(error))
            except Exception as error:
                self._turns.metrics.log.exception("a task of a live socket failed")
                self._outbox.tell(unforeseen(error))

        task = asyncio.create_task(run())
        task.add_done_callback(lambda _task: work.close())  # one that is called off before it began would never be awaited
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    def _tell_all(self, message: FromServer) -> None:
        """Who else is in this session, now or once this socket is gone, is told what becomes of a turn."""
        self._hub.tell(self._session, message)

    async def _changed(self, number: int, **changes: Any) -> TurnView:
        return await self._turns.archive.call(SessionStore.change_turn, self._session, number, **changes)

    async def _loaded(self) -> SessionView:
        return await self._turns.archive.call(SessionStore.session, self._session, self._owner)


def _until(session: SessionView, turn: TurnView) -> SessionView:
    """What was there when the turn began."""
    return session.model_copy(update={"conversation": session.conversation[: turn.number]})


def notice_of(error: HeartfeltError) -> ErrorNotice:
    """The word for programs where a client can do something about it by itself: wait."""
    return ErrorNotice(code="too_fast" if isinstance(error, TooFast) else "invalid", message=sayable(str(error)))


def unforeseen(error: Exception) -> ErrorNotice:
    return ErrorNotice(code="failed", message=f"Something unforeseen went wrong ({type(error).__name__}).")


def _cancel(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
