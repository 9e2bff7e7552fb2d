"""The OpenAI back end against a real server with a real model."""

import asyncio
import time

import pytest

from heartfelt.errors import ModelRefusal
from heartfelt.models import seam
from heartfelt.models.answers import parse
from heartfelt.models.openai import OpenAIModel
from heartfelt.models.seam import Completion, Message, Request

pytestmark = pytest.mark.embedded

MESSAGES = (
    Message(role="system", text="You listen and answer in one short sentence."),
    Message(role="user", text="My cat died yesterday and the house is so quiet now."),
)
ASK = Request(purpose="respond", messages=MESSAGES, max_tokens=24, seed=1)
SCHEMA = seam.fields(event=seam.text(60), emotion=seam.one_of(["joy", "sadness", "anger"]))


async def test_the_same_seed_gives_the_same_words_and_the_prompt_is_cached(llama_server: str):
    model = OpenAIModel.at(f"{llama_server}#smollm2")
    first, second = await model.complete(ASK), await model.complete(ASK)
    assert first.text and first.text == second.text
    assert first.usage.prompt_tokens > 20 and 0 < first.usage.output_tokens <= 24
    assert second.usage.cached_tokens > 20
    await model.close()


async def test_streams_with_usage(llama_server: str):
    model = OpenAIModel.at(f"{llama_server}#smollm2")
    *pieces, completion = [piece async for piece in model.stream(ASK)]
    assert isinstance(completion, Completion) and len(pieces) > 3
    assert "".join(map(str, pieces)) == completion.text
    assert completion.usage.output_tokens > 3 and completion.usage.prompt_tokens > 20
    await model.close()


async def test_a_schema_is_kept_and_a_short_answer_is_told(llama_server: str):
    model = OpenAIModel.at(f"{llama_server}#smollm2")
    answer = await model.complete(ASK.model_copy(update={"answer": SCHEMA, "max_tokens": 80}))
    assert parse(answer.text, SCHEMA)["emotion"] in {"joy", "sadness", "anger"}
    assert (await model.complete(ASK.model_copy(update={"max_tokens": 2}))).finish == "length"
    await model.close()


async def test_a_prompt_that_is_too_long_is_refused(llama_server: str):
    model = OpenAIModel.at(f"{llama_server}#smollm2")
    long = Message(role="user", text="The house is quiet. " * 2000)
    with pytest.raises(ModelRefusal, match="400"):
        await model.complete(ASK.model_copy(update={"messages": (long,)}))
    await model.close()


async def test_cancelling_leaves_the_server_free(llama_server: str):
    model = OpenAIModel.at(f"{llama_server}#smollm2")
    endless = ASK.model_copy(update={"answer": seam.many(seam.text(20), least=400, most=400), "max_tokens": 1500})
    began = time.monotonic()
    await model.complete(ASK)
    alone = time.monotonic() - began
    task = asyncio.ensure_future(model.complete(endless))
    await asyncio.sleep(0.5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(model.complete(ASK), 5 + 20 * alone)  # the endless answer is sixty times as long
    await model.close()
