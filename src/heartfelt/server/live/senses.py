"""Looking and listening while a person is there: opened when they allow it, closed when they take it back."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from heartfelt.errors import HeartfeltError, InputError
from heartfelt.senses.live import Event, FaceSeen, Live, Overheard, Spoken, Stills, TurnOver, VoiceActivity
from heartfelt.senses.sense import Impression, Senses
from heartfelt.server.consent import Consent
from heartfelt.server.live.pieces import SOUND, ReplyPiece, picture_of, sound_of
from heartfelt.server.live.turn_taking import is_complete
from heartfelt.server.wire import SOUND_IN, Begin
from heartfelt.server.words_only import words_only

Sensed: TypeAlias = FaceSeen | VoiceActivity | Spoken | TurnOver
_FACES_APART = 0.22
"""Seconds between two faces that are told: enough to see oneself followed, little enough to be calm."""
_EARLY = 2 * SOUND_IN * 5
"""Bytes of sound that may lie here before a `begin`: five seconds."""


class Watcher:
    """The senses of one person. `heard` is told what a person should see of it, `overheard` what is not sure yet, `failed` of
    an error that ended them."""

    def __init__(
        self,
        senses: Callable[[], Senses],
        *,
        heard: Callable[[Sensed], None],
        overheard: Callable[[Overheard], None],
        failed: Callable[[str], None],
    ):
        self._senses, self._heard, self._overheard, self._failed = senses, heard, overheard, failed
        self._live: Live | None = None
        self._pump: asyncio.Task[None] | None = None
        self._allowed: Begin | None = None
        """Nothing, until the person has said what they allow."""
        self._tone = False
        """Whether these ears measure more than words."""
        self._early: list[ReplyPiece] = []
        self._lag = float("inf")
        self._come = 0.0
        """Seconds of sound that have come so far, by the page's clock."""
        self._changed = asyncio.Event()
        """More has come, or something else is allowed."""
        self._last_face = 0.0
        self._given = False
        """Whether anything was seen or heard since the last turn."""

    def allow(self, begin: Begin) -> bool:
        """What the person allows from now on; whether what is being heard ends with that."""
        before, self._allowed = self._allowed or Begin(), begin
        self._changed.set()
        return before.microphone and (begin.tone != before.tone or not begin.microphone)

    async def adapt(self) -> None:
        """Ears that heard more, or less, than is allowed are not used any further."""
        allowed = self._allowed or Begin()
        if allowed.tone != self._tone or not (allowed.microphone or allowed.camera):
            await self.close()
        early, self._early = self._early, []
        if allowed.microphone:
            for piece in early:
                await self.take(piece)

    async def take(self, piece: ReplyPiece) -> None:
        """A piece that was not allowed is refused: the page is at fault, and the person must not be watched unasked. Sound that
        comes before anything was said about it lies unopened until it is."""
        sound = piece.kind == SOUND
        if self._allowed is None and sound and sum(len(each.data) for each in (*self._early, piece)) <= _EARLY:
            self._early.append(piece)
            return
        if self._allowed is None or not (self._allowed.microphone if sound else self._allowed.camera):
            what = "microphone" if sound else "camera"
            raise InputError(f"The {what} was not allowed: send a `begin` that allows it first.")
        live = await self._opened()
        if sound:
            heard = sound_of(piece)
            self._come = heard.start + len(heard.samples) / 16_000
            self._changed.set()
            self._lag = min(self._lag, time.monotonic() - self._come)
            await live.chunk(heard)
        else:
            await live.frame(await asyncio.to_thread(picture_of, piece))
        self._given = True

    def moment(self, seconds: float) -> float:
        """When, by the server's clock, something was heard that lies so far in the sound."""
        return min(seconds + self._lag, time.monotonic()) if self._lag < float("inf") else time.monotonic()

    async def come(self, seconds: float, *, patience: float) -> None:
        """Returns once the sound up to there has come, or is not sent any more. A line that stalls is no silence."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while self._allowed is not None and self._allowed.microphone and self._come < seconds:
                    self._changed.clear()
                    await self._changed.wait()

    async def settled(self) -> None:
        """Returns once everything that was given so far was seen and heard, and told."""
        if self._live is not None:
            await self._live.settled()
            await asyncio.sleep(0)

    @property
    def listening(self) -> bool:
        return self._live is not None

    @property
    def open(self) -> bool:
        """Whether there is anything to take a turn of."""
        return self._live is not None and self._given

    async def turn(self, *, text: str = "") -> Impression | None:
        """What was seen and heard since the last turn, if anything was."""
        if self._live is None or not self._given:
            return None
        self._given = False
        found = await self._live.turn(text=text)
        taken_back = self._tone and not (self._allowed and self._allowed.tone)
        return replace(found, readings=words_only(found.readings)) if taken_back else found

    async def close(self) -> None:
        live, self._live = self._live, None
        if self._pump is not None:
            self._pump.cancel()
        if live is not None:
            await live.close()

    async def _opened(self) -> Live:
        if self._live is None:
            self._tone = self._allowed is not None and self._allowed.tone
            self._live = await Live(Consent(voice=self._tone).senses(self._senses()), complete=is_complete).__aenter__()
            self._pump = asyncio.create_task(self._listen(self._live))
        return self._live

    async def _listen(self, live: Live) -> None:
        try:
            async for event in live:
                self._pass_on(event)
        except HeartfeltError as error:
            self._live = None
            self._failed(str(error))

    def _pass_on(self, event: Event) -> None:
        if isinstance(event, Stills):
            return
        if isinstance(event, Overheard):
            self._overheard(event)
            return
        if isinstance(event, Spoken) and self._live is not None:
            self._live.read_ahead(" ".join(word.text for word in event.heard.words))
        if isinstance(event, FaceSeen):
            if event.time - self._last_face < _FACES_APART and event.time >= self._last_face:
                return
            self._last_face = event.time
        self._heard(event)
