"""One person, live: frames and sound go in as they come, events come out, and each turn ends as a recording would."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import TypeVar

from heartfelt.errors import InputError
from heartfelt.senses.live.entry import FrameEntry, SoundEntry
from heartfelt.senses.live.events import Event, Load, TurnOver
from heartfelt.senses.live.listening import LiveListening
from heartfelt.senses.live.looking import Looking
from heartfelt.senses.live.stream import Stream
from heartfelt.senses.live.turn import Extent
from heartfelt.senses.live.waiting import Backlog, Newest
from heartfelt.senses.live.worker import LiveWorker
from heartfelt.senses.media.pieces import SAMPLE_RATE, Picture, Sound
from heartfelt.senses.sense import Impression, Senses
from heartfelt.senses.words import Ahead

RATE = 12.0
"""Frames a second that are looked at, at most: enough for what a face does, and half a core stays for the model."""
WAITING = 2
"""Frames that may wait while one is looked at."""
BEHIND = 5.0
"""Seconds of sound that may wait. To understand the longest stretch takes less: nobody waits unless the machine is too slow."""
Result = TypeVar("Result")


class Live:
    """Use it as `async with Live(usual_senses(model)) as live`, from one event loop. Iterate over it, once, for its events.

    Face and voice have a thread each, which end with the session. An error in one of them ends the session: it is raised by
    whatever is called next, and at the end of the events.
    """

    def __init__(
        self,
        senses: Senses,
        *,
        rate: float = RATE,
        waiting: int = WAITING,
        behind: float = BEHIND,
        complete: Callable[[str], bool] | None = None,
    ):
        """`complete`: whether words are a whole thought. A pause after one is told as its end before the silence has lasted."""
        self._senses, self._complete = senses, complete
        self._events = Stream()
        self._frame_door, self._sound_door = FrameEntry(rate), SoundEntry()
        self._face, self._voice = LiveWorker("face", self._fail), LiveWorker("voice", self._fail)
        self._newest = Newest(self._face, waiting)
        self._backlog = Backlog(self._voice, behind)
        self._in_order = asyncio.Lock()
        self._extent = Extent()
        self._ahead = Ahead(senses.model)
        self._frames = self._passed_over = 0
        self._opened = False
        self._error: BaseException | None = InputError("The live session is not open: use it as `async with`.")

    async def __aenter__(self) -> "Live":
        if self._opened:
            raise InputError("A live session is opened once. Make a new one.")
        self._opened, self._error = True, None
        try:
            self._looking, self._listening = await asyncio.gather(
                self._result(self._face.do(self._open_eyes)), self._result(self._voice.do(self._open_ears))
            )
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    async def frame(self, picture: Picture) -> None:
        """Give an upright frame, RGB. It never waits: where the face sense is busy, the oldest frame that waits is dropped."""
        self._refuse_if_over()
        taken = self._frame_door.take(picture)
        self._frames += 1
        self._extent.take(picture.time, picture.time)
        if taken is None:
            self._passed_over += 1
        else:
            self._newest.give(partial(self._looking.look, taken))

    async def chunk(self, sound: Sound, *, sample_rate: int = SAMPLE_RATE) -> None:
        """Give the next sound, 32 to 100 ms at a time is best. While more than `behind` seconds are unheard, this waits.

        Cancelled while it waits, nothing of the chunk is taken.
        """
        async with self._in_order:
            self._refuse_if_over()
            samples = self._sound_door.check(sound, sample_rate)
            seconds = len(samples) / SAMPLE_RATE
            if seconds > self._backlog.most:
                raise InputError(f"A chunk of {seconds:g} s is too long: give at most {self._backlog.most:g} s at once.")
            await self._backlog.room()
            self._refuse_if_over()
            start = self._sound_door.place(sound)
            self._extent.take(start, start + seconds)
            self._backlog.give(partial(self._listening.listen, Sound(start, samples)), len(samples))

    async def turn(self, *, text: str = "") -> Impression:
        """End the turn: all that was given so far, as one impression. What is given from now on belongs to the next turn.

        `text`, where it is given, stands for what was heard. Cancelled, the turn is over all the same.
        """
        self._refuse_if_over()
        turn, self._extent = self._extent, Extent()
        self._newest.seal()
        self._sound_door.new_turn()
        seen, heard = self._face.do(self._looking.end), self._voice.do(self._listening.end)
        (face, stills), (voice, words) = await asyncio.gather(self._result(seen), self._result(heard))
        self._events.put(TurnOver(start=turn.start, end=turn.start + turn.duration))
        ahead, self._ahead = self._ahead, Ahead(self._senses.model)
        try:
            found = await self._senses.together(
                turn.sensed(face),
                turn.sensed(voice),
                turn.spans(words),
                duration=turn.duration,
                text=text,
                emotion=ahead.emotion,
            )
        finally:
            ahead.close()
        return replace(found, keyframes=turn.stills(stills))

    def read_ahead(self, text: str) -> None:
        """Let the model read what was heard so far, while the person goes on: the turn then ends without waiting for it."""
        self._ahead.begin(text)

    async def settled(self) -> None:
        """Returns once everything that was given so far has been looked at and listened to."""
        self._refuse_if_over()
        self._newest.seal()
        await asyncio.gather(self._result(self._face.do(_nothing)), self._result(self._voice.do(_nothing)))

    async def close(self) -> None:
        """End the session and its threads. What waits is not looked at any more; a job that runs is waited for."""
        self._end(InputError("The live session is closed. Open a new one."))
        self._ahead.close()
        self._events.end()
        await asyncio.gather(self._face.close(), self._voice.close())

    def __aiter__(self) -> "Live":
        return self

    async def __anext__(self) -> Event:
        return await self._events.next()

    @property
    def load(self) -> Load:
        """How far the senses keep up."""
        return Load(
            frames=self._frames,
            passed_over=self._passed_over,
            dropped=self._newest.dropped,
            behind=self._backlog.seconds,
            held_back=self._backlog.held_back,
            held_seconds=self._backlog.held_seconds,
            missed=self._events.missed,
        )

    def _open_eyes(self) -> Looking:
        return Looking(self._senses.eyes(), self._senses.keyframes, self._tell_by(self._face))

    def _open_ears(self) -> LiveListening:
        return LiveListening(self._senses.ears(), self._tell_by(self._voice), complete=self._complete)

    def _tell_by(self, worker: LiveWorker) -> Callable[[Event], None]:
        return lambda event: worker.tell(self._events.put, event)

    async def _result(self, job: Future[Result]) -> Result:
        """What a job gave. Whoever waits may be cancelled without the job; a job that was called off says why."""
        try:
            return await asyncio.shield(asyncio.wrap_future(job))
        except asyncio.CancelledError:
            if job.cancelled():
                self._refuse_if_over()
            raise

    def _fail(self, error: BaseException) -> None:
        self._end(error)
        self._events.end(error)

    def _end(self, error: BaseException) -> None:
        """Only the first reason counts. Whoever waits for room hears of it: what waited is called off."""
        if self._error is None:
            self._error = error
        self._face.call_off()
        self._voice.call_off()

    def _refuse_if_over(self) -> None:
        if self._error is not None:
            raise self._error


def _nothing() -> None:
    """The job that is done when all before it are."""
