"""The real OpenAI client, unchanged, against the server: answers, streams, and what each field of a request brings."""

import base64
import io
import json
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from openai import (
    APIConnectionError,
    APIError,
    APIStatusError,
    AsyncOpenAI,
    BadRequestError,
    InternalServerError,
    NotFoundError,
    OpenAI,
    RateLimitError,
)
from PIL import Image

from heartfelt.errors import ModelUnavailable
from heartfelt.models import Completion, Request, Scripted
from heartfelt.models.seam import Tokenizing
from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.server.breaks import UNCHECKED
from heartfelt.server.chat.request import ChatRequest, Refused, Unused
from scripts import FULL, REPLY, SAID, Stuck, fine, good

from ..serving import HEARD, Served, serving
from .test_messages import recording

DARK = "I have it all laid out on the table before me."
USER: Any = {"role": "user", "content": SAID}


@pytest.fixture
def client(served: Served) -> OpenAI:
    return client_of(served)


def client_of(served: Served, key: str = "anything") -> OpenAI:
    return OpenAI(base_url=f"{served.url}/v1", api_key=key, max_retries=0)


def ask(client: OpenAI, *messages: Any, **options: Any) -> Any:
    return client.chat.completions.create(**{"model": "heartfelt", "messages": list(messages) or [USER], **options})


def told(refused: APIStatusError) -> dict[str, Any]:
    """The refusal as it came, with nothing but the four fields of OpenAI's."""
    assert set(refused.response.json()) == {"error"}
    error = refused.response.json()["error"]
    assert set(error) == {"message", "type", "param", "code"} and error["message"].endswith((".", "?"))
    return error


# ── models ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_models_are_listed_and_looked_up(client: OpenAI):
    listed = client.models.list().data
    assert {"heartfelt", "heartfelt/trace", "heartfelt/direct"} <= {model.id for model in listed}
    assert all(client.models.retrieve(model.id) == model for model in listed)


@pytest.mark.parametrize("name", ["gpt-4o", "heartfelt/nonsense", "heartfelttrace", "heartfelt/", "HEARTFELT"])
def test_a_model_that_is_not_there_is_a_404(client: OpenAI, name: str):
    for call in (lambda: ask(client, model=name), lambda: client.models.retrieve(name)):
        with pytest.raises(NotFoundError) as refused:
            call()
        error = told(refused.value)
        assert (error["code"], error["param"], error["type"]) == ("model_not_found", "model", "invalid_request_error")
        assert f"There is no model '{name}'" in error["message"] and "heartfelt" in error["message"]


# ── answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_message_is_answered(client: OpenAI):
    answer = ask(
        client,
        {"role": "user", "content": "It was my third try."},
        {"role": "assistant", "content": "How did it go?"},
        {"role": "user", "content": [{"type": "text", "text": SAID}]},
    )
    choice = answer.choices[0]
    assert (choice.message.role, choice.message.content, choice.finish_reason) == ("assistant", REPLY, "stop")
    assert answer.object == "chat.completion" and answer.id.startswith("chatcmpl-") and answer.model == "heartfelt"


def test_the_whole_talk_reaches_the_model_and_names_do_too(served: Served, client: OpenAI):
    first = ask(client, USER | {"name": "Ana"}).choices[0].message
    ask(client, USER, first, {"role": "user", "content": "Thank you, that helps.", "name": "Ben"})
    model = served.app.state.parts.runtime.model("scripted:")
    prompt = "\n".join(message.text for message in model.asked("respond")[-1].messages)
    assert f"User: {SAID}" in prompt and f"Listener: {REPLY}" in prompt and "Ben: Thank you, that helps." in prompt


async def test_usage_counts_what_went_in_and_what_came_out(served: Served, client: OpenAI):
    model = served.app.state.parts.runtime.model("scripted:")
    assert isinstance(model, Tokenizing)
    count = await model.tokenizer()
    answer = ask(client, {"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Hello."}, USER)
    usage = answer.usage
    assert usage.prompt_tokens == count("Hello.") * 2 + count(SAID) and usage.completion_tokens == count(REPLY)
    assert usage.total_tokens == usage.prompt_tokens + usage.completion_tokens
    assert answer.heartfelt["counted_by"] == "the tokenizer of scripted"
    assert answer.heartfelt["steps"]["prompt_tokens"] > usage.prompt_tokens  # several steps, each with its prompt
    assert answer.heartfelt["steps"]["output_tokens"] > 0


def test_where_no_tokenizer_is_at_hand_four_characters_are_a_token(tmp_path: Path):
    class Far(Scripted):
        tokenizer = None  # type: ignore[assignment]

    model = Far(FULL | {"audit": fine})
    with serving(tmp_path, model=model) as served:
        answer = ask(client_of(served))
    assert answer.usage.completion_tokens == -(-len(REPLY) // 4)
    assert answer.heartfelt["counted_by"] == "four characters a token"


async def test_the_asynchronous_client_works_too(served: Served):
    async with AsyncOpenAI(base_url=f"{served.url}/v1", api_key="x", max_retries=0) as client:
        answer = await client.chat.completions.create(model="heartfelt", messages=[USER])
        stream = await client.chat.completions.create(model="heartfelt", messages=[USER], stream=True)
        pieces = [chunk.choices[0].delta.content or "" async for chunk in stream]
        with pytest.raises(NotFoundError):
            await client.chat.completions.create(model="none", messages=[USER])
    assert answer.choices[0].message.content == "".join(pieces) == REPLY


def test_sound_is_heard_and_a_picture_is_seen(served: Served, client: OpenAI):
    file = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(file, "PNG")
    picture = "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
    sound = base64.b64encode(recording()).decode()
    content = [
        {"type": "input_audio", "input_audio": {"data": sound, "format": "wav"}},
        {"type": "image_url", "image_url": {"url": picture, "detail": "auto"}},
    ]
    answer = ask(client, {"role": "user", "content": content}, extra_body={"heartfelt": {"face": True}})
    assert answer.choices[0].message.content == REPLY
    model = served.app.state.parts.runtime.model("scripted:")
    prompt = "\n".join(message.text for message in model.asked("perceive")[-1].messages)
    assert HEARD in prompt
    with pytest.raises(BadRequestError, match="may not be looked at"):
        ask(client, {"role": "user", "content": [{"type": "text", "text": SAID}, content[1]]})


# ── streams ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_stream_brings_the_reply_word_by_word(client: OpenAI):
    chunks = list(ask(client, model="heartfelt/trace", stream=True, stream_options={"include_usage": True}))
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert (deltas[0].role, deltas[0].content) == ("assistant", "") and all(delta.role is None for delta in deltas[1:])
    assert "".join(delta.content or "" for delta in deltas) == REPLY
    assert [delta.content for delta in deltas[1:-1]] == [REPLY.split()[0], *(f" {word}" for word in REPLY.split()[1:])]
    finished = [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices]
    assert finished == [None] * (len(deltas) - 1) + ["stop"]
    assert len({chunk.id for chunk in chunks}) == 1 and {chunk.object for chunk in chunks} == {"chat.completion.chunk"}
    assert [chunk.usage for chunk in chunks[:-1]] == [None] * (len(chunks) - 1) and chunks[-1].choices == []
    whole = ask(client, model="heartfelt/trace")
    assert chunks[-1].usage == whole.usage and chunks[-2].heartfelt["alarm"] is None


def test_without_being_asked_for_there_is_no_usage_and_a_stream_ends_with_done(served: Served):
    asked = {"messages": [USER], "stream": True}
    with served.client() as client, client.stream("POST", "/v1/chat/completions", json=asked) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in answer.iter_lines() if line]
    assert lines[-1] == "data: [DONE]" and all(line.startswith("data: ") for line in lines)
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
    assert not any("usage" in chunk for chunk in chunks) and ["heartfelt" in chunk for chunk in chunks[-2:]] == [False, True]
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks[-2:]] == [None, "stop"]
    assert chunks[1]["choices"][0]["delta"] == {"content": "Being"} and chunks[-1]["choices"][0]["delta"] == {}


def until(true: Callable[[], bool]) -> None:
    for _ in range(500):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it never came about")


class Pausing(Scripted):
    """Writes its second sentence only once the first was heard."""

    def __init__(self) -> None:
        super().__init__(FULL | {"audit": fine})
        self.heard = threading.Event()

    async def stream(self, request: Request) -> AsyncGenerator[str | Completion, None]:
        import asyncio

        async for piece in super().stream(request):
            if request.purpose == "respond" and piece == " on":
                assert await asyncio.to_thread(self.heard.wait, 10), "the first sentence never came"
            yield piece


def test_words_come_while_the_rest_is_still_being_written(tmp_path: Path):
    model = Pausing()
    with serving(tmp_path, model=model) as served:
        said = ""
        for chunk in ask(client_of(served), model="heartfelt/direct", stream=True):
            said += chunk.choices[0].delta.content or ""
            if said.endswith("hurt."):
                assert not model.heard.is_set()
                model.heard.set()
    assert said == REPLY and model.heard.is_set()


def test_a_thorough_stream_brings_only_what_was_chosen(client: OpenAI):
    for options in ({"extra_body": {"heartfelt": {"pace": "thorough"}}}, {"reasoning_effort": "high"}):
        assert "".join(chunk.choices[0].delta.content or "" for chunk in ask(client, stream=True, **options)) == REPLY


def test_effort_is_pace(served: Served, client: OpenAI):
    model = served.app.state.parts.runtime.model("scripted:")

    def audits(**options: Any) -> int:
        before = model.calls["audit"]
        ask(client, **options)
        return model.calls["audit"] - before

    assert audits() > 0 and audits(reasoning_effort="medium") > 0
    assert audits(reasoning_effort="low") == audits(reasoning_effort="none") == 0
    assert audits(reasoning_effort="low", extra_body={"heartfelt": {"pace": "thorough"}}) > 0


def test_a_client_that_goes_away_calls_the_turn_off(tmp_path: Path):
    with serving(tmp_path, model=Stuck("respond")) as served:
        stream = ask(client_of(served), model="heartfelt/direct", stream=True)
        next(iter(stream))
        queue = served.app.state.parts.turns.queue
        until(lambda: queue.inside == 1)
        stream.close()
        until(lambda: queue.inside == 0)


# ── the end of a reply ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("options", "left", "finish"),
    [
        ({"stop": "when"}, "Being mocked by your own dad", "stop"),
        ({"stop": ["nowhere", " hurt", "side", "I"]}, "Being mocked by your own dad when you needed him must", "stop"),
        ({"stop": []}, REPLY, "stop"),
        ({"max_tokens": 7}, "Being mocked by your own dad", "length"),
        ({"max_completion_tokens": 1000}, REPLY, "stop"),
        ({"max_completion_tokens": 7, "max_tokens": 1000}, "Being mocked by your own dad", "length"),
        ({"max_tokens": 1}, "", "length"),
        ({"max_tokens": 7, "stop": "your"}, "Being mocked by", "stop"),
    ],
)
def test_a_reply_ends_where_the_client_says(client: OpenAI, options: Any, left: str, finish: str, streamed: bool):
    if streamed:
        chunks = list(ask(client, stream=True, stream_options={"include_usage": True}, **options))
        said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks[:-1])
        ended, usage = chunks[-2].choices[0].finish_reason, chunks[-1].usage
    else:
        answer = ask(client, **options)
        said, ended, usage = answer.choices[0].message.content, answer.choices[0].finish_reason, answer.usage
    assert (said, ended) == (left, finish)
    limit = min(options.get("max_tokens", 1000), options.get("max_completion_tokens", 1000))
    assert usage.completion_tokens == -(-len(left) // 4) <= limit


# ── danger ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    reader = ScriptedReader(finds={DARK: ("imminent", "suicide")})
    with serving(tmp_path_factory.mktemp("watched"), reader=reader) as running:
        yield running


def test_a_reviewed_reply_comes_like_any_other_and_says_that_it_is_one(watched: Served):
    client, country = client_of(watched), {"heartfelt": {"country": "US"}}
    answer = ask(client, {"role": "user", "content": DARK}, extra_body=country)
    reply = answer.choices[0].message.content
    assert answer.choices[0].finish_reason == "stop" and "988" in reply
    notes = answer.heartfelt
    assert notes["reviewed"] is True and (notes["alarm"]["tier"], notes["alarm"]["danger"]) == ("imminent", "suicide")
    assert notes["alarm"]["emergency"] == "911" and notes["alarm"]["help"]
    assert answer.usage.completion_tokens == -(-len(reply) // 4)
    chunks = list(ask(client, {"role": "user", "content": DARK}, stream=True, extra_body=country))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == reply
    assert chunks[-1].heartfelt["alarm"] == notes["alarm"] and chunks[-1].choices[0].finish_reason == "stop"
    calm = ask(client).heartfelt
    assert calm["alarm"] is None and calm["reviewed"] is False


@pytest.mark.parametrize("said", [SAID, "I want to kill myself tonight"])
def test_that_danger_could_not_be_looked_for_is_told_with_every_reply(tmp_path: Path, said: str):
    with serving(tmp_path, reader=ScriptedReader(fails=RuntimeError("gone"))) as served:
        answer = ask(client_of(served), {"role": "user", "content": said})
    assert answer.heartfelt["reminder"] == UNCHECKED and answer.heartfelt["reviewed"] is (said != SAID)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_reviewed_reply_is_never_cut(watched: Served, streamed: bool):
    asked: Any = {"messages": [{"role": "user", "content": DARK}], "heartfelt": {"country": "US"}}
    cut: Any = asked | {"max_tokens": 2, "stop": ["988", "a"], "stream": streamed}
    with watched.client() as client:
        whole = client.post("/v1/chat/completions", json=asked).json()["choices"][0]["message"]["content"]
    client = client_of(watched)
    extra = {"extra_body": {"heartfelt": cut.pop("heartfelt")}}
    answer = client.chat.completions.create(model="heartfelt", **cut, **extra)
    said = "".join(chunk.choices[0].delta.content or "" for chunk in answer) if streamed else answer.choices[0].message.content
    assert said == whole


# ── what is not used, and what is refused ───────────────────────────────────────────────────────────────────────────


def test_every_field_of_openai_s_api_is_known_here():
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

    assert set(CompletionCreateParamsNonStreaming.__annotations__) == set(ChatRequest.model_fields) - {"heartfelt"}


REFUSED = {
    "n": 2,
    "tools": [{"type": "function", "function": {"name": "look_up", "parameters": {}}}],
    "tool_choice": "required",
    "parallel_tool_calls": "yes",
    "functions": [{"name": "look_up", "parameters": {}}],
    "function_call": {"name": "look_up"},
    "response_format": {"type": "json_object"},
    "logprobs": True,
    "top_logprobs": 3,
    "logit_bias": {"50256": -100},
    "frequency_penalty": 0.5,
    "presence_penalty": -1,
    "top_p": 0.5,
    "modalities": ["text", "audio"],
    "audio": {"voice": "alloy", "format": "wav"},
    "prediction": {"type": "content", "content": "x"},
    "store": True,
    "service_tier": "priority",
    "verbosity": "low",
    "web_search_options": {"search_context_size": "low"},
    "moderation": {"model": "omni-moderation-latest"},
}


def marked(kind: type) -> list[str]:
    fields = ChatRequest.model_fields.items()
    return [name for name, field in fields if any(isinstance(mark, kind) for mark in field.metadata)]


def test_no_refused_field_is_left_out_here():
    assert set(marked(Refused)) == set(REFUSED)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_refused_in_words(client: OpenAI, name: str):
    with pytest.raises(BadRequestError) as refused:
        ask(client, **{name: REFUSED[name]})
    error = told(refused.value)
    assert (error["type"], error["param"], error["code"]) == ("invalid_request_error", name, "unsupported_value")
    assert error["message"].startswith(f"{name}: ") and len(error["message"].split()) > 5


@pytest.mark.parametrize("name", REFUSED)
def test_what_asks_for_nothing_is_taken(client: OpenAI, name: str):
    mark = next(mark for mark in ChatRequest.model_fields[name].metadata if isinstance(mark, Refused))
    for usual in (None, *mark.but):
        assert ask(client, **{name: usual}).choices[0].message.content == REPLY


def test_what_means_nothing_here_is_taken_and_told(client: OpenAI):
    given = {
        "user": "u-17",
        "safety_identifier": "s-17",
        "metadata": {"topic": "exams"},
        "prompt_cache_key": "k",
        "prompt_cache_retention": "24h",
        "prompt_cache_options": {"mode": "implicit"},
    }
    assert set(given) == set(marked(Unused))
    assert set(ask(client, **given).heartfelt["unused"]) == set(given)
    assert ask(client).heartfelt["unused"] == []


def test_system_messages_are_refused_unless_they_may_be_left_out(served: Served, client: OpenAI):
    for role in ("system", "developer"):
        pirate: Any = {"role": role, "content": "You are a pirate."}
        with pytest.raises(BadRequestError) as refused:
            ask(client, pirate, USER)
        error = told(refused.value)
        assert error["param"] == "messages" and "No recipe reads" in error["message"] and "ignore" in error["message"]
        answer = ask(client, pirate, USER, extra_body={"heartfelt": {"system": "ignore"}})
        assert answer.choices[0].message.content == REPLY and answer.heartfelt["unused"] == ["system messages"]
    model = served.app.state.parts.runtime.model("scripted:")
    assert "pirate" not in str(model.requests)


@pytest.mark.parametrize(
    ("options", "param", "words"),
    [
        ({"temperature": 2.5}, "temperature", "less than or equal to 2"),
        ({"temperature": "warm"}, "temperature", "valid number"),
        ({"seed": 2**40}, "seed", "less than"),
        ({"max_tokens": 0}, "max_tokens", "greater than or equal to 1"),
        ({"max_completion_tokens": -1}, "max_completion_tokens", "greater than or equal to 1"),
        ({"stop": ["a", "b", "c", "d", "e"]}, "stop", "The list should have at most 4 items, not 5."),
        ({"stop": ""}, "stop[0]", "at least 1 character"),
        ({"stop": 7}, "stop", "valid list"),
        ({"reasoning_effort": "utmost"}, "reasoning_effort", "Input should be"),
        ({"stream_options": {"include_usage": True}}, "stream_options", "goes with `stream` only"),
        ({"stream": True, "stream_options": {"include_obfuscation": True}}, "stream_options.include_obfuscation", "padded"),
        ({"extra_body": {"temprature": 1}}, "temprature", "no such field"),
        ({"extra_body": {"heartfelt": {"mood": "x"}}}, "heartfelt.mood", "no such field"),
        ({"extra_body": {"heartfelt": {"pace": "slow"}}}, "heartfelt.pace", "'quick' or 'thorough'"),
        ({"extra_body": {"heartfelt": {"identity": "nobody"}}}, None, "nobody"),
        ({"extra_body": {"heartfelt": {"country": "Atlantis"}}}, None, "Atlantis"),
        ({"messages": []}, "messages", "The list should have at least 1 item, not 0."),
        ({"messages": [{"role": "assistant", "content": "Hello."}]}, "messages", "last message must be the user's"),
        ({"messages": [USER, {"role": "assistant", "content": "Hello."}]}, "messages", "last message must be the user's"),
        ({"messages": [{"role": "tool", "content": "7", "tool_call_id": "x"}, USER]}, "messages[0].role", "'assistant'"),
        ({"messages": [{"role": "user", "content": ""}]}, "messages[0].content", "is empty"),
        ({"messages": [{"role": "user", "content": None}]}, "messages[0].content", "is empty"),
        ({"messages": [{"role": "user", "content": 7}]}, "messages[0].content", "valid list"),
        ({"messages": [{"role": "user", "content": [{"type": "video"}]}]}, "messages[0].content[0]", "'video'"),
        ({"messages": [{"role": "user", "content": [{"type": "file", "file": {}}]}]}, "messages[0].content[0]", "'file'"),
        ({"messages": [USER | {"name": "Listener"}]}, "messages[0].name", "whoever answers"),
        ({"messages": [USER | {"mood": "x"}]}, "messages[0].mood", "no such field"),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"id": "x"}], "content": "Hm."}, USER]},
            "messages[0].tool_calls",
            "No tools",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://127.0.0.1/x"}}]}]},
            "messages[0].content",
            "nothing is fetched",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}]}]},
            "messages[0].content",
            "nothing is fetched",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "%%%"}}]}]},
            "messages[0].content",
            "not valid base64",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "AAAA"}}] * 9}]},
            "messages",
            "At most 8",
        ),
    ],
)
@pytest.mark.parametrize("streamed", [False, True])
def test_what_cannot_be_answered_is_refused_with_its_place(
    client: OpenAI, options: dict[str, Any], param: str | None, words: str, streamed: bool
):
    if streamed and "stream_options" not in options:
        options = options | {"stream": True}
    with pytest.raises(BadRequestError) as refused:
        ask(client, **options)
    error = told(refused.value)
    assert (error["type"], error["param"]) == ("invalid_request_error", param) and words in error["message"]


@pytest.mark.parametrize(
    "body", [b"{", b"\xff\xfe", b"[" * 100_000, b'"x"', b"[]", b'{"messages": [{"content": "\\ud800"}]}', b""]
)
def test_a_body_that_cannot_be_read_is_refused_in_the_same_form(served: Served, body: bytes):
    with served.client() as client:
        answer = client.post("/v1/chat/completions", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400 and set(answer.json()["error"]) == {"message", "type", "param", "code"}


# ── what else can go wrong ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/v1/embeddings", 404),
        ("POST", "/v1/responses", 404),
        ("POST", "/v1/completions", 404),
        ("GET", "/v1/files", 404),
        ("GET", "/v1", 404),
        ("GET", "/v1/", 404),
        ("POST", "/v1/chat", 404),
        ("POST", "/v1/chat/completions/x", 404),
        ("GET", "/v1/chat/completions", 405),
        ("DELETE", "/v1/models/heartfelt", 405),
    ],
)
def test_a_path_that_is_not_there_says_so_in_the_same_form(served: Served, method: str, path: str, status: int):
    with served.client() as client:
        answer = client.request(method, path)
    assert answer.status_code == status
    assert set(answer.json()["error"]) == {"message", "type", "param", "code"} and path in answer.json()["error"]["message"]


def test_the_client_s_other_calls_are_404s(client: OpenAI):
    with pytest.raises(NotFoundError):
        client.embeddings.create(model="heartfelt", input="x")
    with pytest.raises(NotFoundError):
        client.responses.create(model="heartfelt", input="x")


def test_a_model_that_is_away_is_an_error_of_the_server(tmp_path: Path):
    with serving(tmp_path, model=good(perceive=ModelUnavailable("The model is away. Start it."))) as served:
        client = client_of(served)
        with pytest.raises(InternalServerError) as failed:
            ask(client)
        assert failed.value.status_code == 502 and told(failed.value)["type"] == "server_error"
        assert "The model is away" in str(failed.value)
        with pytest.raises(APIError, match="The model is away"):
            list(ask(client, stream=True))
        with served.client() as plain:
            counted = plain.get("/metrics").text
    assert 'heartfelt_turns_total{state="failed"} 2.0' in counted


def test_what_is_unforeseen_is_told_in_the_stream_without_its_words(tmp_path: Path):
    with serving(tmp_path, model=good(perceive=ZeroDivisionError("secret"))) as served:
        with pytest.raises(APIError, match="unforeseen") as failed:
            list(ask(client_of(served), stream=True))
        assert "secret" not in str(failed.value)


def test_a_turn_that_takes_too_long_is_given_up(tmp_path: Path):
    with serving(tmp_path, model=Stuck("perceive"), turn_seconds=0.3) as served:
        with pytest.raises(InternalServerError, match="took longer than") as failed:
            ask(client_of(served))
        assert failed.value.status_code == 504
        with pytest.raises(APIError, match="took longer than"):
            list(ask(client_of(served), stream=True))


def test_a_busy_server_refuses_a_stream_before_it_begins(tmp_path: Path):
    with serving(tmp_path, model=Stuck("respond"), at_once=1, waiting=0) as served:
        first = ask(client_of(served), model="heartfelt/direct", stream=True)
        next(iter(first))
        until(lambda: served.app.state.parts.turns.queue.inside == 1)
        with pytest.raises(InternalServerError, match="Try again in about") as refused:
            ask(client_of(served), stream=True)
        assert refused.value.status_code == 503 and int(refused.value.response.headers["retry-after"]) >= 1
        first.close()


def test_who_is_too_fast_or_sends_too_much_is_told_in_the_same_form(tmp_path: Path):
    with serving(tmp_path, messages_a_minute=4, upload_mb=0.01) as served:
        client = client_of(served)
        with pytest.raises(APIStatusError) as large:
            ask(client, {"role": "user", "content": "x" * 20_000})
        assert large.value.status_code == 413 and "0.01 MB" in told(large.value)["message"]
        ask(client)
        with pytest.raises(RateLimitError) as fast:
            ask(client)
        assert told(fast.value)["type"] == "rate_limit_error" and int(fast.value.response.headers["retry-after"]) >= 1
        with pytest.raises((APIStatusError, APIConnectionError)) as elsewhere:
            OpenAI(
                base_url=f"{served.url}/v1", api_key="x", max_retries=0, default_headers={"host": "rebound.example"}
            ).models.list()
        assert isinstance(elsewhere.value, APIStatusError) and told(elsewhere.value)["code"] == "forbidden"


def test_a_long_silence_is_broken_by_comments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("heartfelt.server.streams._QUIET", 0.05)
    with serving(tmp_path, model=Stuck("respond"), turn_seconds=0.5) as served:
        asked = {"messages": [USER], "model": "heartfelt/direct", "stream": True}
        with httpx.stream("POST", f"{served.url}/v1/chat/completions", json=asked, timeout=10) as answer:
            lines = list(answer.iter_lines())
        with pytest.raises(APIError, match="took longer than"):
            list(ask(client_of(served), model="heartfelt/direct", stream=True))  # the client passes them over
    assert lines.count(": still here") >= 3 and lines[-2] == "data: [DONE]"
