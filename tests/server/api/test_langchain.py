"""LangChain's client of OpenAI's API, unchanged, against the server."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_openai import ChatOpenAI
from openai import BadRequestError, NotFoundError

from scripts import REPLY, SAID

from ..serving import Served

WORDS = [REPLY.split()[0], *(f" {word}" for word in REPLY.split()[1:])]


@pytest.fixture
def chat(served: Served) -> ChatOpenAI:
    return chat_of(served)


def chat_of(served: Served, **options: Any) -> ChatOpenAI:
    return ChatOpenAI(**{"model": "heartfelt", "base_url": f"{served.url}/v1", "api_key": "x", "max_retries": 0, **options})


def test_a_message_is_answered_with_its_usage(chat: ChatOpenAI):
    answer = chat.invoke(SAID)
    assert answer.content == REPLY and answer.response_metadata["finish_reason"] == "stop"
    assert answer.usage_metadata is not None
    assert (answer.usage_metadata["input_tokens"], answer.usage_metadata["output_tokens"]) == (
        -(-len(SAID) // 4),
        -(-len(REPLY) // 4),
    )


def test_a_chain_that_remembers_the_talk_works(served: Served, chat: ChatOpenAI):
    first = chat.invoke([HumanMessage("It was my third try.")])
    chain = ChatPromptTemplate.from_messages([("placeholder", "{talk}"), ("human", "{said}")]) | chat
    answer = chain.invoke({"talk": [HumanMessage("It was my third try."), first], "said": SAID})
    assert answer.content == REPLY
    model = served.app.state.parts.runtime.model("scripted:")
    prompt = "\n".join(message.text for message in model.asked("respond")[-1].messages)
    assert "User: It was my third try." in prompt and f"Listener: {REPLY}" in prompt and f"User: {SAID}" in prompt


def test_a_stream_brings_words_and_at_the_end_the_usage(served: Served):
    chunks = list(chat_of(served, stream_usage=True).stream(SAID))
    assert [chunk.content for chunk in chunks if chunk.content] == WORDS
    whole = sum(chunks[1:], chunks[0])
    assert isinstance(whole, AIMessageChunk) and whole.usage_metadata is not None
    assert whole.usage_metadata["output_tokens"] == -(-len(REPLY) // 4)
    assert whole.response_metadata["finish_reason"] == "stop"


async def test_it_works_asynchronously(chat: ChatOpenAI):
    assert (await chat.ainvoke(SAID)).content == REPLY
    assert [chunk.content async for chunk in chat.astream(SAID) if chunk.content] == WORDS
    assert [answer.content for answer in await chat.abatch([SAID, SAID])] == [REPLY, REPLY]


def test_options_of_the_client_arrive(served: Served):
    chat = chat_of(served, temperature=0.7, seed=7, max_tokens=7, stop=["never"], extra_body={"heartfelt": {"country": "DE"}})
    answer = chat.invoke(SAID)
    assert answer.content == "Being mocked by your own dad" and answer.response_metadata["finish_reason"] == "length"
    model = served.app.state.parts.runtime.model("scripted:")
    request = model.asked("respond")[-1]
    assert (request.temperature, request.seed) == (0.7, 7)


def test_what_cannot_be_done_is_refused_in_words(served: Served, chat: ChatOpenAI):
    def look_up(name: str) -> str:
        """Look somebody up."""
        return name

    with pytest.raises(BadRequestError, match="calls no tools"):
        chat.bind_tools([look_up]).invoke(SAID)
    with pytest.raises(BadRequestError, match="plain text"):
        chat.with_structured_output({"title": "x", "type": "object", "properties": {}}, method="json_mode").invoke(SAID)
    with pytest.raises(BadRequestError, match="No recipe reads system"):
        chat.invoke([SystemMessage("You are a pirate."), HumanMessage(SAID)])
    with pytest.raises(BadRequestError, match="last message must be the user's"):
        chat.invoke([HumanMessage(SAID), AIMessage("Hello.")])
    with pytest.raises(NotFoundError, match="There is no model 'gpt-4o'"):
        chat_of(served, model="gpt-4o").invoke(SAID)
