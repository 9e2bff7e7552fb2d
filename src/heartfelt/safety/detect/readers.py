"""Which reader reads a message: the quick one all of them, the large one those that give a reason to look closely."""

import asyncio
from functools import cache
from pathlib import Path
from typing import Protocol, runtime_checkable

from heartfelt.errors import UsageError
from heartfelt.languages import language_of
from heartfelt.models.embedded import why_not_large
from heartfelt.safety.detect import phrases, rules
from heartfelt.safety.detect.large_reader import LargeReader, ReplyJudgement
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.detect.reader import Read, Reader, TaughtReader, odds, seconded, usual_reader

LOOK, LOOK_CONCERN = 0.03, 0.12
"""How likely the quick reader must find danger, or danger or concern, for the large one to be asked: so low that hardly any
danger is lost, and so high that most ordinary messages are not read twice (docs/design/safety.md)."""
WEIGHED = 0.3
"""The same for weighed phrases."""
PHRASES = 0.4
"""How much the weighed phrases count beside the quick reader, as a power of their odds."""
SECONDS, JUDGING = 5.0, 10.0
"""That the large reader may take for a message, and for choosing a reply; then what the quick one found has to do."""
LOADING = 60.0
"""The same for its first message, which waits for the weights."""
SECOND, EVEN = 0.5, 0.43
"""How much the quick reader counts beside the large one, as a power of its odds, and what it finds where it changes nothing:
two that are wrong in different places are wrong together less often. The large one counts alone where a talk is read closely,
since only it has read what went before, and in other languages than English, which only it knows (docs/design/safety.md)."""


@runtime_checkable
class Judge(Protocol):
    """A reader that can also tell which reply answers a talk."""

    async def judge(self, lines: tuple[str, ...], replies: tuple[str, ...]) -> list[ReplyJudgement]: ...


class TwoReaders:
    name = "reader"

    def __init__(self, quick: TaughtReader, large: LargeReader, *, patient: bool = False):
        """`patient`: for measuring, where a busy machine must not decide what is found."""
        self.quick, self.large, self._patient = quick, large, patient

    @property
    def loaded(self) -> bool:
        return self.quick.loaded and self.large.loaded

    async def read(self, message: PersonMessage, *, closely: bool = False) -> Read:
        first = await self.quick.read(message)
        if not closely and not suspects(first, message):
            return first
        limit = self._limit(SECONDS)
        try:
            found = await asyncio.wait_for(asyncio.shield(asyncio.ensure_future(self.large.read(message))), limit)
        except TimeoutError:
            return first
        if closely or language_of(message.text):
            return found
        return seconded(found, odds(by_phrases(first, message.text).alarm) / odds(EVEN), SECOND)

    async def judge(self, lines: tuple[str, ...], replies: tuple[str, ...]) -> list[ReplyJudgement]:
        return await asyncio.wait_for(self.large.judge(lines, replies), self._limit(JUDGING))

    def _limit(self, seconds: float) -> float | None:
        if self._patient:
            return None
        return seconds if self.large.loaded else LOADING

    async def warm(self) -> None:
        await asyncio.gather(self.quick.warm(), self.large.warm())

    def forget(self) -> None:
        self.quick.forget()
        self.large.forget()


def suspects(first: Read, message: PersonMessage) -> bool:
    """Whether there is a reason to look closely. What is not English the quick reader does not know."""
    if first.alarm >= LOOK or first.alarm + first.tiers["concern"] >= LOOK_CONCERN:
        return True
    if language_of(message.text):
        return True
    return bool(rules.signs(message.text)) or phrases.weighed(message.text)[0] >= WEIGHED


def by_phrases(read: Read, text: str) -> Read:
    """What the quick reader finds, in the light of the weighed phrases."""
    return seconded(read, odds(phrases.weighed(text)[0]), PHRASES)


@cache
def open_reader(address: str, *, patient: bool = False) -> Reader | None:
    """The reader of `Safety.reader`, one for the whole process: whoever listens shares it."""
    match address:
        case "" | "none":
            return None
        case "embedded:":
            return usual_reader() if why_not_large() else TwoReaders(usual_reader(), LargeReader(), patient=patient)
        case "embedded:quick":
            return usual_reader()
        case _:
            pass
    if not Path(address).is_file():
        raise UsageError(
            f"There is no reader at {address}. Say embedded:, embedded:quick, none, or a file that `heartfelt tune danger` "
            "wrote."
        )
    return TaughtReader(Path(address))
