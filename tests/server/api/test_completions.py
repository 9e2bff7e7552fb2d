"""The real OpenAI client, unchanged, against the server."""

import base64
import io
from pathlib import Path

import pytest
from openai import APIStatusError, AsyncOpenAI, BadRequestError, OpenAI, UnprocessableEntityError
from PIL import Image

from heartfelt.errors import ModelUnavailable
from scripts import REPLY, good

from ..serving import HEARD, Served, serving
from .test_messages import recording

SAID = "I failed my driving test today, and my father laughed at me."


@pytest.fixture
def client(served: Served) -> OpenAI:
    return OpenAI(base_url=f"{served.url}/v1", api_key="anything", max_retries=0)


def test_models_are_listed(client: OpenAI):
    assert {"heartfelt", "heartfelt/trace", "heartfelt/direct"} <= {model.id for model in client.models.list()}


def test_a_message_is_answered_with_its_cost(client: OpenAI):
    answer = client.chat.completions.create(
        model="heartfelt",
        messages=[
            {"role": "system", "content": "You are a pirate."},
            {"role": "user", "content": "It was my third try."},
            {"role": "assistant", "content": "How did it go?"},
            {"role": "user", "content": SAID},
        ],
    )
    assert answer.choices[0].message.content == REPLY and answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None and answer.usage.prompt_tokens > 100 and answer.usage.completion_tokens > 10


def test_a_stream_brings_the_reply_sentence_by_sentence(client: OpenAI):
    stream = client.chat.completions.create(
        model="heartfelt/trace",
        messages=[{"role": "user", "content": SAID}],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)
    pieces = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
    assert "".join(pieces) == REPLY and len([piece for piece in pieces if piece]) == 2
    assert chunks[-1].usage is not None and chunks[-1].usage.total_tokens > 0
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"


def test_a_thorough_stream_brings_only_what_was_chosen(client: OpenAI):
    stream = client.chat.completions.create(
        model="heartfelt",
        messages=[{"role": "user", "content": SAID}],
        stream=True,
        extra_body={"heartfelt": {"pace": "thorough"}},
    )
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == REPLY


async def test_the_asynchronous_client_works_too(served: Served):
    async with AsyncOpenAI(base_url=f"{served.url}/v1", api_key="x", max_retries=0) as client:
        answer = await client.chat.completions.create(model="heartfelt", messages=[{"role": "user", "content": SAID}])
    assert answer.choices[0].message.content == REPLY


def test_sound_is_heard_and_a_picture_is_seen(served: Served, client: OpenAI):
    file = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(file, "PNG")
    picture = "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
    sound = base64.b64encode(recording()).decode()
    answer = client.chat.completions.create(
        model="heartfelt",
        messages=[
            {
                "role": "user",
                "content": [
                    {"type": "input_audio", "input_audio": {"data": sound, "format": "wav"}},
                    {"type": "image_url", "image_url": {"url": picture}},
                ],
            }
        ],
        extra_body={"heartfelt": {"face": True}},
    )
    assert answer.choices[0].message.content == REPLY
    model = served.app.state.parts.runtime.model("scripted:")
    prompt = "\n".join(message.text for message in model.asked("perceive")[-1].messages)
    assert HEARD in prompt


@pytest.mark.parametrize(
    ("model", "content", "message"),
    [
        ("gpt-4o", SAID, "There is no model 'gpt-4o'"),
        ("heartfelt/nonsense", SAID, "There is no model"),
        ("heartfelt", "", "is empty"),
        ("heartfelt", [{"type": "image_url", "image_url": {"url": "http://127.0.0.1/secret.png"}}], "nothing is fetched"),
        ("heartfelt", [{"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}], "nothing is fetched"),
        ("heartfelt", [{"type": "input_audio", "input_audio": {"data": "%%%", "format": "wav"}}], "not valid base64"),
        ("heartfelt", [{"type": "video", "video": "x"}], "content"),
    ],
)
def test_what_cannot_be_answered_is_told_in_the_client_s_own_errors(client: OpenAI, model: str, content, message: str):
    with pytest.raises((BadRequestError, UnprocessableEntityError)) as refused:
        client.chat.completions.create(model=model, messages=[{"role": "user", "content": content}])
    assert message in str(refused.value)


def test_there_must_be_something_to_answer(client: OpenAI):
    with pytest.raises(UnprocessableEntityError, match="last message must be the user's"):
        client.chat.completions.create(model="heartfelt", messages=[{"role": "assistant", "content": "Hello."}])


def test_a_model_that_is_away_is_an_error_of_the_server(tmp_path: Path):
    with serving(tmp_path, model=good(perceive=ModelUnavailable("The model is away. Start it."))) as served:
        client = OpenAI(base_url=f"{served.url}/v1", api_key="x", max_retries=0)
        with pytest.raises(APIStatusError) as failed:
            client.chat.completions.create(model="heartfelt", messages=[{"role": "user", "content": SAID}])
        assert failed.value.status_code == 502 and "The model is away" in str(failed.value)
        stream = client.chat.completions.create(model="heartfelt", messages=[{"role": "user", "content": SAID}], stream=True)
        with pytest.raises(Exception, match="The model is away"):
            list(stream)
