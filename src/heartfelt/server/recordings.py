"""What recordings tell: opened, looked at and listened to in the workshop, and let lie as soon as nobody waits for it."""

import asyncio
import threading
from dataclasses import dataclass, replace

from heartfelt.senses.media.media import open_media
from heartfelt.senses.sense import Impression, Senses
from heartfelt.server.consent import Consent
from heartfelt.server.settings import ServerSettings
from heartfelt.server.workshop import Workshop, in_thread


class _LetLie(Exception):
    """Nobody waits for what the senses are at."""


@dataclass(frozen=True)
class Recordings:
    workshop: Workshop
    settings: ServerSettings
    owner: str
    """Whose they are."""

    async def sensed(self, data: bytes, senses: Senses, consent: Consent, *, name: str, text: str = "") -> Impression:
        """As far as it was allowed. Its place is free again when the senses are really done, or have let it lie."""
        left = threading.Event()
        begun = asyncio.create_task(self._placed(data, _listening_for(left, senses), consent, name, text))
        begun.add_done_callback(lambda task: task.cancelled() or task.exception())
        try:
            return await asyncio.shield(begun)
        except asyncio.CancelledError:
            left.set()
            raise

    async def _placed(self, data: bytes, senses: Senses, consent: Consent, name: str, text: str) -> Impression:
        async with self.workshop.place(self.owner):
            senses.told("begin", 0.0, 0.0)  # who left while it waited
            opened = await in_thread(lambda: open_media(data, name=name))
            return await consent.sense(senses, opened, self.settings, text=text)


def _listening_for(left: threading.Event, senses: Senses) -> Senses:
    """The same, told after each frame and each second of sound that they need not go on."""
    told = senses.told

    def ask(sense: str, done: float, total: float) -> None:
        if left.is_set():
            raise _LetLie
        told(sense, done, total)

    return replace(senses, told=ask)
