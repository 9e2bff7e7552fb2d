"""The OpenAI back end against a stand-in that replays what servers do, faults above all."""

import asyncio
import json
from typing import Any

import pytest

from heartfelt.errors import (
    BadOutput,
    InputError,
    ModelError,
    ModelRefusal,
    ModelTimeout,
    ModelUnavailable,
)
from heartfelt.models import seam
from heartfelt.models.answers import parse
from heartfelt.models.openai import OFFICIAL, OpenAIModel
from heartfelt.models.seam import Capabilities, Completion, Message, Request, Usage
from heartfelt.records import Keyframe

from .conftest import Waits
from .standin import Reply, StandIn, answer, chunks, hang_up, raw, silence, slow_bytes

SCHEMA = seam.fields(emotion=seam.one_of(["joy", "sadness"]), cues=seam.many(seam.text(40), least=1, most=2))
USAGE = {"prompt_tokens": 40, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 30}}


def said(text: str | None, finish: str = "stop", **more: Any) -> Reply:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return answer({"id": "1", "object": "chat.completion", "choices": [choice], "usage": USAGE, **more})


def events(*pieces: str, finish: str | None = "stop", usage: bool = True, **how: Any) -> Reply:
    deltas: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
    if finish:
        deltas.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if usage:
        deltas.append({"choices": [], "usage": USAGE})
    lines = [f"data: {json.dumps({'id': '1', 'object': 'chat.completion.chunk', **delta})}\n\n" for delta in deltas]
    return chunks(*lines, *(["data: [DONE]\n\n"] if finish else []), media_type="text/event-stream", **how)


def make(server: StandIn, waits: Waits, *script: Reply, attempts: int = 4, **options: Any) -> OpenAIModel:
    server.script = list(script)
    return OpenAIModel(f"{server.url}/v1", "tiny", retry=waits.retry(attempts), **options)


async def streamed(model: OpenAIModel, request: Request) -> tuple[list[str], Completion]:
    *pieces, completion = [piece async for piece in model.stream(request)]
    assert isinstance(completion, Completion)
    return [str(piece) for piece in pieces], completion


# ── what is sent and what comes back ────────────────────────────────────────────────────────────────────────────────


async def test_sends_the_whole_request_and_reads_the_whole_answer(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, said("I am so sorry.", finish="length"))
    completion = await model.complete(request_.model_copy(update={"stop": ("\n",), "seed": 7, "temperature": 0.5}))
    assert completion.text == "I am so sorry." and completion.model == "tiny"
    assert completion.finish == "length" and completion.attempts == 1 and completion.ms > 0
    assert completion.usage == Usage(prompt_tokens=40, cached_tokens=30, output_tokens=5)
    sent = server.asked[0]
    assert sent.path == "/v1/chat/completions"
    assert sent.body == {
        "model": "tiny",
        "messages": [{"role": "system", "content": "Listen."}, {"role": "user", "content": "My cat died."}],
        "max_tokens": 256,
        "temperature": 0.5,
        "top_p": 0.95,
        "seed": 7,
        "stop": ["\n"],
    }
    await model.close()


async def test_streams_pieces_that_join_to_the_completion(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, events("I am", " so", " sorry. "))
    pieces, completion = await streamed(model, request_)
    assert pieces == ["I am", " so", " sorry."] and completion.text == "I am so sorry."
    assert completion.usage.cached_tokens == 30 and completion.finish == "stop"
    assert server.asked[0].body["stream_options"] == {"include_usage": True}
    await model.close()


async def test_cached_tokens_of_llama_server(server: StandIn, waits: Waits, request_: Request):
    usage = {"prompt_tokens": 40, "completion_tokens": 5}
    model = make(server, waits, said("Hello.", usage=usage, timings={"cache_n": 12}))
    assert (await model.complete(request_)).usage.cached_tokens == 12
    await model.close()


@pytest.mark.parametrize("sees", [True, False])
async def test_images_go_to_models_that_see(server: StandIn, waits: Waits, request_: Request, sees: bool):
    picture = Message(role="user", text="Look.", images=(Keyframe(data="QUJD", mime="image/png"),))
    model = make(server, waits, said("I see."), capabilities=Capabilities(images=sees))
    await model.complete(request_.model_copy(update={"messages": (picture,)}))
    content = server.asked[0].body["messages"][0]["content"]
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}
    assert content == ([image, {"type": "text", "text": "Look."}] if sees else "Look.")
    await model.close()


async def test_thinking_is_never_seen(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, said("<think>Hm.</think>\n\nHello."), events("<thi", "nk>Hm.</th", "ink>\n", "Hel", "lo."))
    assert (await model.complete(request_)).text == "Hello."
    pieces, completion = await streamed(model, request_)
    assert "".join(pieces) == completion.text == "Hello."
    await model.close()


async def test_thinking_in_a_field_of_its_own_leaves_no_text(server: StandIn, waits: Waits, request_: Request):
    choice = {"message": {"content": None, "reasoning_content": "Hm."}, "finish_reason": "length"}
    model = make(server, waits, answer({"choices": [choice]}))
    completion = await model.complete(request_)
    assert completion.text == "" and completion.finish == "length"
    await model.close()


# ── JSON ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_asks_for_json_by_its_schema(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, said('{"emotion": "joy", "cues": ["smile"]}'))
    completion = await model.complete(request_.model_copy(update={"answer": SCHEMA}))
    assert parse(completion.text, SCHEMA) == {"emotion": "joy", "cues": ["smile"]}
    wanted = {"name": "respond", "schema": SCHEMA, "strict": True}
    assert server.asked[0].body["response_format"] == {"type": "json_schema", "json_schema": wanted}
    await model.close()


@pytest.mark.parametrize("stream", [False, True])
async def test_a_refused_schema_is_asked_for_more_plainly_and_remembered(
    server: StandIn, waits: Waits, request_: Request, stream: bool
):
    no = answer({"error": {"message": "response_format json_schema is not supported"}}, status=400)
    yes = events('{"emotion": "joy"}') if stream else said('{"emotion": "joy"}')
    model = make(server, waits, no, no, yes)
    request = request_.model_copy(update={"answer": SCHEMA})
    for _ in range(2):
        completion = (await streamed(model, request))[1] if stream else await model.complete(request)
        assert completion.text == '{"emotion": "joy"}'
    formats = [asked.body["response_format"]["type"] for asked in server.asked]
    assert formats == ["json_schema", "json_schema", "json_object", "json_object"]
    assert "maxLength" not in json.dumps(server.asked[1].body["response_format"])
    assert '"enum": ["joy", "sadness"]' in server.asked[2].body["messages"][-1]["content"]
    assert not waits.slept
    await model.close()


async def test_a_request_that_is_wrong_in_every_form_spoils_nothing(server: StandIn, waits: Waits, request_: Request):
    no = answer({"error": {"message": "the prompt is too long"}}, status=400)
    model = make(server, waits, no, no, no, no, said('{"emotion": "joy"}'))
    request = request_.model_copy(update={"answer": SCHEMA})
    with pytest.raises(ModelRefusal, match="too long"):
        await model.complete(request)
    await model.complete(request)
    assert server.asked[-1].body["response_format"]["json_schema"]["schema"] == SCHEMA
    await model.close()


@pytest.mark.parametrize(
    ("text", "complaint"), [('{"emotion": ', "cannot be read"), ('{"emotion": "joy"}', "answer.cues is missing")]
)
async def test_a_models_bad_json_is_for_the_parser(server: StandIn, waits: Waits, request_: Request, text: str, complaint: str):
    model = make(server, waits, said(text))
    completion = await model.complete(request_.model_copy(update={"answer": SCHEMA}))
    with pytest.raises(BadOutput, match=complaint):
        parse(completion.text, SCHEMA)
    await model.close()


# ── faults ──────────────────────────────────────────────────────────────────────────────────────────────────────────

BUSY = answer({"error": {"message": "slow down"}}, status=429, retry_after="7")
BROKEN = answer({"error": {"message": "out of memory"}}, status=500)
CUT = events("I am", finish=None, usage=False, whole=False)
CUT_BEFORE_WORDS = events(finish=None, usage=False, whole=False)


@pytest.mark.parametrize(
    ("script", "slept"),
    [
        ([BUSY], [7.0]),
        ([BROKEN, BROKEN], [0.25, 0.5]),
        ([hang_up], [0.25]),
        ([raw("")], [0.25]),
        ([raw('{"choices": [{"mess')], [0.25]),
        ([answer({"choices": []})], [0.25]),
        ([answer({}, status=503, retry_after="9999")], [30.0]),
        ([answer({}, status=503, retry_after="Thu, 01 Jan 1970 00:00:00 GMT")], [0.0]),
    ],
)
async def test_passing_faults_are_sat_out(
    server: StandIn, waits: Waits, request_: Request, script: list[Reply], slept: list[float]
):
    model = make(server, waits, *script, said("I am so sorry."))
    completion = await model.complete(request_)
    assert completion.text == "I am so sorry." and completion.attempts == len(script) + 1
    assert waits.slept == slept
    await model.close()


@pytest.mark.parametrize(
    ("reply", "error", "words"),
    [
        (BUSY, ModelUnavailable, "answered 429: slow down. Gave up after 2 attempts"),
        (BROKEN, ModelUnavailable, "answered 500: out of memory"),
        (hang_up, ModelUnavailable, "Is it running"),
        (raw(""), ModelError, "empty or broken"),
    ],
)
async def test_lasting_faults_end_in_an_error(
    server: StandIn, waits: Waits, request_: Request, reply: Reply, error: type[ModelError], words: str
):
    model = make(server, waits, reply, attempts=2)
    with pytest.raises(error, match=words):
        await model.complete(request_)
    assert len(server.asked) == 2
    await model.close()


@pytest.mark.parametrize(
    ("reply", "error", "words"),
    [
        (answer({"error": {"message": "bad key"}}, status=401), ModelRefusal, "Set OPENAI_API_KEY"),
        (answer({"error": {"message": "no such model"}}, status=404), ModelUnavailable, "no model 'tiny'"),
        (answer({"error": {"message": "too long"}}, status=400), ModelRefusal, "too long"),
        (raw("<html>Welcome</html>", "text/html"), ModelRefusal, "text/html instead of JSON.*v1"),
        (raw("<html>Sorry</html>", "text/html", status=418), ModelRefusal, "answered 418. Asking again"),
        (said("", finish="content_filter"), ModelRefusal, "content filter"),
        (answer({"choices": [{"message": {"refusal": "I will not."}}]}), ModelRefusal, "I will not"),
    ],
)
async def test_what_asking_again_does_not_mend_is_asked_once(
    server: StandIn, waits: Waits, request_: Request, reply: Reply, error: type[ModelError], words: str
):
    model = make(server, waits, reply)
    with pytest.raises(error, match=words):
        await model.complete(request_)
    assert len(server.asked) == 1 and not waits.slept
    await model.close()


async def test_a_wait_that_outlasts_the_deadline_is_not_begun(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, BUSY)
    with pytest.raises(ModelUnavailable, match="slow down"):
        await model.complete(request_.model_copy(update={"timeout": 5.0}))
    assert len(server.asked) == 1 and not waits.slept
    await model.close()


async def test_no_server_at_all(waits: Waits, request_: Request):
    model = OpenAIModel("http://127.0.0.1:9/v1", "tiny", retry=waits.retry())
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9.*Gave up after 4 attempts"):
        await model.complete(request_)
    assert waits.slept == [0.25, 0.5, 1.0]
    await model.close()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("reply", [silence, slow_bytes(), events(*"slowly" * 9, pause=0.05)])
async def test_the_deadline_covers_the_whole_call(server: StandIn, waits: Waits, request_: Request, reply: Reply, stream: bool):
    model = make(server, waits, reply)
    request = request_.model_copy(update={"timeout": 0.3})
    with pytest.raises(ModelTimeout, match=r"tiny did not finish its answer within 0\.3 seconds"):
        await (streamed(model, request) if stream else model.complete(request))
    await asyncio.wait_for(server.left.wait(), 2)
    await model.close()


async def test_a_slow_caller_is_not_the_models_fault(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, events("a", "b", "c", pause=0.02))
    pieces: list[str | Completion] = []
    async for piece in model.stream(request_.model_copy(update={"timeout": 0.5})):
        await asyncio.sleep(0.3)
        pieces.append(piece)
    assert pieces[:3] == ["a", "b", "c"]
    await model.close()


@pytest.mark.parametrize("stream", [False, True])
async def test_cancelling_closes_the_connection_at_once(server: StandIn, waits: Waits, request_: Request, stream: bool):
    model = make(server, waits, silence)
    task = asyncio.ensure_future(streamed(model, request_) if stream else model.complete(request_))
    await asyncio.wait_for(server.reached.wait(), 2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.left.wait(), 2)
    assert len(server.asked) == 1
    await model.close()


async def test_leaving_a_stream_early_closes_the_connection(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, events(*["word "] * 200, pause=0.02))
    pieces = model.stream(request_)
    assert await anext(pieces) == "word"
    await pieces.aclose()
    await asyncio.wait_for(server.left.wait(), 2)
    await model.close()


async def test_a_stream_that_breaks_before_its_first_word_is_tried_again(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, CUT_BEFORE_WORDS, events("<think>Hm", finish=None, usage=False), events("Hello."))
    pieces, completion = await streamed(model, request_)
    assert pieces == ["Hello."] and completion.attempts == 3
    await model.close()


@pytest.mark.parametrize("cut", [CUT, events("I am", finish=None, usage=False)])
async def test_a_stream_that_breaks_after_a_word_is_an_error(server: StandIn, waits: Waits, request_: Request, cut: Reply):
    model = make(server, waits, cut, events("Hello."))
    with pytest.raises(ModelError, match="cut after 4 characters"):
        await streamed(model, request_)
    assert len(server.asked) == 1
    await model.close()


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (raw("<html>Welcome</html>", "text/html"), "text/html instead of JSON"),
        (chunks('data: {"error": {"message": "too long"}}\n\n', media_type="text/event-stream"), "too long"),
    ],
)
async def test_a_stream_that_is_none(server: StandIn, waits: Waits, request_: Request, reply: Reply, words: str):
    model = make(server, waits, reply)
    with pytest.raises(ModelRefusal, match=words):
        await streamed(model, request_)
    assert len(server.asked) == 1
    await model.close()


@pytest.mark.parametrize("line", ["data: {broken\n\n", "data: 7\n\n", ""])
async def test_pieces_that_cannot_be_read_are_tried_again(server: StandIn, waits: Waits, request_: Request, line: str):
    model = make(server, waits, chunks(*([line] if line else []), media_type="text/event-stream"), events("Hello."))
    assert (await streamed(model, request_))[1].attempts == 2
    await model.close()


# ── keys and addresses ──────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_key_is_sent_and_never_shown(
    server: StandIn, waits: Waits, request_: Request, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    for status in (401, 400, 500, 404):
        body = {"error": {"message": "the key sk-secret is not good enough"}}
        model = make(server, waits, answer(body, status=status), attempts=1)
        with pytest.raises(ModelError) as caught:
            await model.complete(request_)
        assert "[key]" in str(caught.value) and caught.value.__cause__ is None
        assert "sk-secret" not in str(caught.value) + repr(caught.value) + repr(model)
        assert caught.value.__suppress_context__
        await model.close()
    assert server.asked[0].headers["authorization"] == "Bearer sk-secret"


async def test_a_server_without_a_key_gets_none(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, said("Hello."))
    await model.complete(request_)
    assert server.asked[0].headers["authorization"] == "Bearer none"
    await model.close()


async def test_addresses():
    model = OpenAIModel.at("http://me:pw@host:8000/v1?images=1&context=32768&profile=compact#org/name")
    assert repr(model) == "OpenAIModel('http://host:8000/v1', 'org/name')"
    assert model.capabilities == Capabilities(images=True, context=32768, profile="compact")
    assert OFFICIAL in repr(OpenAIModel.at("#gpt"))
    for address, words in [
        ("http://me:pw@host/v1", "openai:http://host/v1 names no model"),
        ("ftp://host/v1#a", "must begin with"),
        ("http://host/v1?picture=1#a", "cannot be used: picture\\."),
        ("http://host/v1?context=big#a", "context=big"),
    ]:
        with pytest.raises(InputError, match=words):
            OpenAIModel.at(address)


async def test_the_official_server_gets_the_limit_under_its_new_name(request_: Request):
    from heartfelt.models.openai import _PLAIN

    payload = OpenAIModel(OFFICIAL, "gpt")._payload(request_, _PLAIN)
    assert payload["max_completion_tokens"] == 256 and "max_tokens" not in payload
