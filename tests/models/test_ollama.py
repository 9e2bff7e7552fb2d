"""The Ollama back end against a stand-in that speaks /api/chat."""

import asyncio
import json
from typing import Any

import pytest

from heartfelt.errors import BadOutput, InputError, ModelError, ModelRefusal, ModelTimeout, ModelUnavailable
from heartfelt.models import seam
from heartfelt.models.answers import parse
from heartfelt.models.ollama import OllamaModel
from heartfelt.models.seam import Capabilities, Completion, Message, Request, Usage
from heartfelt.records import Keyframe

from .conftest import Waits
from .standin import Reply, StandIn, answer, chunks, hang_up, raw, silence, slow_bytes

SCHEMA = seam.fields(emotion=seam.one_of(["joy", "sadness"]))
DONE = {"done": True, "done_reason": "stop", "prompt_eval_count": 40, "eval_count": 5}


def said(text: str, **more: Any) -> Reply:
    return answer({"model": "tiny", "message": {"role": "assistant", "content": text}, **DONE, **more})


def lines(*pieces: str, done: bool = True, **how: Any) -> Reply:
    bodies: list[dict[str, Any]] = [{"message": {"content": piece}, "done": False} for piece in pieces]
    bodies += [{"message": {"content": ""}, **DONE}] if done else []
    return chunks(*(json.dumps(body) + "\n" for body in bodies), media_type="application/x-ndjson", **how)


def make(server: StandIn, waits: Waits, *script: Reply, attempts: int = 4, **options: Any) -> OllamaModel:
    server.script = list(script)
    return OllamaModel("tiny", server.url, retry=waits.retry(attempts), **options)


async def streamed(model: OllamaModel, request: Request) -> tuple[list[str], Completion]:
    *pieces, completion = [piece async for piece in model.stream(request)]
    assert isinstance(completion, Completion)
    return [str(piece) for piece in pieces], completion


async def test_sends_the_whole_request_and_reads_the_whole_answer(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, said("I am so sorry.", done_reason="length"), capabilities=Capabilities(context=4096))
    completion = await model.complete(request_.model_copy(update={"stop": ("\n",), "seed": 7, "answer": SCHEMA}))
    assert completion.text == "I am so sorry." and completion.finish == "length" and completion.model == "tiny"
    assert completion.usage == Usage(prompt_tokens=40, output_tokens=5)
    options = {"temperature": 0.0, "top_p": 0.95, "seed": 7, "num_predict": 256, "num_ctx": 4096, "stop": ["\n"]}
    assert server.asked[0].path == "/api/chat"
    assert server.asked[0].body == {
        "model": "tiny",
        "messages": [{"role": "system", "content": "Listen."}, {"role": "user", "content": "My cat died."}],
        "options": options,
        "format": SCHEMA,
        "think": False,
        "keep_alive": "10m",
        "stream": False,
    }
    await model.close()


async def test_streams_pieces_that_join_to_the_completion(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, lines("<think>Hm.</thi", "nk>I am", " so", " sorry. "))
    pieces, completion = await streamed(model, request_)
    assert pieces == ["I am", " so", " sorry."] and completion.text == "I am so sorry."
    assert completion.usage.output_tokens == 5 and server.asked[0].body["stream"] is True
    await model.close()


@pytest.mark.parametrize("sees", [True, False])
async def test_images_go_to_models_that_see(server: StandIn, waits: Waits, request_: Request, sees: bool):
    picture = Message(role="user", text="Look.", images=(Keyframe(data="QUJD"),))
    model = make(server, waits, said("I see."), capabilities=Capabilities(images=sees))
    await model.complete(request_.model_copy(update={"messages": (picture,)}))
    assert server.asked[0].body["messages"][0].get("images") == (["QUJD"] if sees else None)
    await model.close()


@pytest.mark.parametrize(
    ("script", "slept"),
    [
        ([answer({"error": "server busy"}, status=503)], [0.25]),
        ([answer({"error": "busy"}, status=429, retry_after="3")], [3.0]),
        ([answer({"error": "crashed"}, status=500)] * 2, [0.25, 0.5]),
        ([hang_up], [0.25]),
        ([raw("")], [0.25]),
        ([raw('{"message": {"cont')], [0.25]),
    ],
)
async def test_passing_faults_are_sat_out(
    server: StandIn, waits: Waits, request_: Request, script: list[Reply], slept: list[float]
):
    model = make(server, waits, *script, said("I am so sorry."))
    assert (await model.complete(request_)).attempts == len(script) + 1
    assert waits.slept == slept
    await model.close()


@pytest.mark.parametrize(
    ("reply", "error", "words"),
    [
        (answer({"error": "model 'tiny' not found"}, status=404), ModelUnavailable, "ollama pull tiny"),
        (answer({"error": "invalid format"}, status=400), ModelRefusal, "answered 400: invalid format"),
        (answer({"error": "unauthorized"}, status=401), ModelRefusal, "answered 401"),
        (answer({"error": "out of memory"}), ModelRefusal, "failed within its answer: out of memory"),
        (raw("<html>Welcome</html>", "text/html"), ModelRefusal, "text/html instead of JSON. Is it an Ollama"),
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


async def test_no_server_at_all(waits: Waits, request_: Request):
    model = OllamaModel("tiny", "http://127.0.0.1:9", retry=waits.retry())
    with pytest.raises(ModelUnavailable, match="ollama serve"):
        await model.complete(request_)
    await model.close()


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("reply", [silence, slow_bytes(), lines(*"slowly" * 9, pause=0.05)])
async def test_the_deadline_covers_the_whole_call(server: StandIn, waits: Waits, request_: Request, reply: Reply, stream: bool):
    model = make(server, waits, reply)
    request = request_.model_copy(update={"timeout": 0.2})
    with pytest.raises(ModelTimeout):
        await (streamed(model, request) if stream else model.complete(request))
    await asyncio.wait_for(server.left.wait(), 2)
    await model.close()


async def test_cancelling_closes_the_connection_at_once(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, silence)
    task = asyncio.ensure_future(model.complete(request_))
    await asyncio.wait_for(server.reached.wait(), 2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.left.wait(), 2)
    await model.close()


async def test_a_stream_that_breaks_before_its_first_word_is_tried_again(server: StandIn, waits: Waits, request_: Request):
    broken = chunks('{"message": {"cont', media_type="application/x-ndjson")
    model = make(server, waits, lines(done=False, whole=False), broken, lines("Hello."))
    assert (await streamed(model, request_))[1].attempts == 3
    await model.close()


@pytest.mark.parametrize("whole", [True, False])
async def test_a_stream_that_breaks_after_a_word_is_an_error(server: StandIn, waits: Waits, request_: Request, whole: bool):
    model = make(server, waits, lines("I am", done=False, whole=whole), lines("Hello."))
    with pytest.raises(ModelError, match="cut after 4 characters"):
        await streamed(model, request_)
    await model.close()


async def test_a_models_bad_json_is_for_the_parser(server: StandIn, waits: Waits, request_: Request):
    model = make(server, waits, said('{"feeling": "joy"}'))
    completion = await model.complete(request_.model_copy(update={"answer": SCHEMA}))
    with pytest.raises(BadOutput, match=r"answer\.emotion is missing"):
        parse(completion.text, SCHEMA)
    await model.close()


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("box:8080", "http://box:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("https://box.example/ollama/", "https://box.example/ollama"),
        ("[::1]:8080", "http://[::1]:8080"),
    ],
)
async def test_the_host_as_people_write_it(written: str, url: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OLLAMA_HOST", written)
    assert repr(OllamaModel("tiny")) == f"OllamaModel('tiny', '{url}')"


async def test_addresses():
    model = OllamaModel.at("llava:7b?images=1")
    assert model.name == "llava:7b" and model.capabilities.images
    with pytest.raises(InputError, match="names no model"):
        OllamaModel.at("?images=1")
