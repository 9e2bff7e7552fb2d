"""Texts that are begun before anybody asks for them."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from heartfelt.errors import ModelTimeout
from heartfelt.models import Completion, Message, Request
from heartfelt.models.embedded.ahead import WrittenAhead
from heartfelt.models.embedded.model import EmbeddedModel

ASKED = Request(purpose="respond", messages=(Message(role="user", text="My cat died."),))
WHOLE = Completion(text="Oh no.", model="double")


class Writer(EmbeddedModel):
    """Writes a letter whenever it is let."""

    def __init__(self, *, fails: bool = False) -> None:
        super().__init__()
        self.let, self.begun, self.ended, self._fails = asyncio.Semaphore(0), 0, 0, fails

    async def _stream(self, request: Request) -> AsyncGenerator[str | Completion, None]:
        self.begun += 1
        try:
            for letter in WHOLE.text:
                await self.let.acquire()
                yield letter
            if self._fails:
                raise ModelTimeout("It took too long.")
            yield WHOLE
        finally:
            self.ended += 1

    def let_on(self, letters: int = len(WHOLE.text)) -> None:
        for _ in range(letters):
            self.let.release()


async def asked(model: Writer, request: Request = ASKED) -> list[str | Completion]:
    return [piece async for piece in model.stream(request)]


async def test_who_asks_gets_what_there_is_and_the_rest_as_it_comes():
    model = Writer()
    begun = asyncio.create_task(model.begin(ASKED))
    model.let_on(3)
    await asyncio.sleep(0.01)
    asking = asyncio.create_task(asked(model, ASKED.model_copy(update={"within": 3.0, "timeout": 4.0})))
    await asyncio.sleep(0.01)
    model.let_on(3)
    assert await asking == [*WHOLE.text, WHOLE]
    await begun
    assert model.begun == model.ended == 1


async def test_what_was_written_whole_waits_until_it_is_asked_for():
    model = Writer()
    model.let_on()
    await model.begin(ASKED)
    assert await asked(model) == [*WHOLE.text, WHOLE]
    assert model.begun == 1
    model.let_on()
    assert await asked(model) == [*WHOLE.text, WHOLE]
    assert model.begun == 2


async def test_whoever_asks_for_something_else_calls_it_off():
    model = Writer()
    begun = asyncio.create_task(model.begin(ASKED))
    await asyncio.sleep(0.01)
    model.let_on()
    other = ASKED.model_copy(update={"seed": 7})
    assert await asked(model, other) == [*WHOLE.text, WHOLE]
    await begun
    assert model.begun == model.ended == 2


async def test_cancelled_before_anybody_asked_it_is_called_off():
    model = Writer()
    begun = asyncio.create_task(model.begin(ASKED))
    await asyncio.sleep(0.01)
    begun.cancel()
    await asyncio.gather(begun, return_exceptions=True)
    await asyncio.sleep(0.01)
    assert model.ended == 1


async def test_cancelled_afterwards_whoever_asked_gets_it_all_the_same():
    model = Writer()
    begun = asyncio.create_task(model.begin(ASKED))
    await asyncio.sleep(0.01)
    asking = asyncio.create_task(asked(model))
    await asyncio.sleep(0.01)
    begun.cancel()
    await asyncio.gather(begun, return_exceptions=True)
    model.let_on()
    assert await asking == [*WHOLE.text, WHOLE]


async def test_whoever_stops_asking_ends_it():
    model = Writer()
    begun = asyncio.create_task(model.begin(ASKED))
    await asyncio.sleep(0.01)
    asking = asyncio.create_task(asked(model))
    await asyncio.sleep(0.01)
    asking.cancel()
    await asyncio.gather(asking, begun, return_exceptions=True)
    assert model.ended == 1


async def test_what_goes_wrong_is_told_to_whoever_asks():
    model = Writer(fails=True)
    model.let_on()
    await model.begin(ASKED)
    with pytest.raises(ModelTimeout):
        await asked(model)


async def test_only_the_time_may_differ():
    async def nothing() -> AsyncGenerator[str | Completion, None]:
        yield WHOLE

    ahead = WrittenAhead(ASKED, nothing())
    await ahead.written()
    assert ahead.fits(ASKED.model_copy(update={"within": 1.0, "timeout": 2.0}))
    assert not ahead.fits(ASKED.model_copy(update={"max_tokens": 3}))
