"""Heartfelt as a model behind the API that existing clients speak: OpenAI's chat completions.

`heartfelt` is the server's usual recipe, `heartfelt/trace` another one. The dialogue is what user and assistant said; a system
message is read by nobody, since the recipe decides how to answer. Sound of the person is heard, and pictures are looked at
where that is allowed.
"""

import asyncio
import base64
import binascii
import json
import secrets
import time
from collections.abc import AsyncGenerator
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response, StreamingResponse

from heartfelt.errors import HeartfeltError, InputError, UnknownName
from heartfelt.events import Event, Wrote
from heartfelt.intake import PERSON, cleaned
from heartfelt.listener import Listener
from heartfelt.recipes import RECIPES, Ablation, recipe
from heartfelt.records import Dialogue, Outcome, Turn
from heartfelt.safety.respond.services import known
from heartfelt.senses.media.media import open_media
from heartfelt.server.consent import Consent
from heartfelt.server.parts import Here, Parts, Who
from heartfelt.server.problems import OPENAI_RESPONSES, problem_of
from heartfelt.server.turns import LISTENER
from heartfelt.server.wire import Pace
from heartfelt.setup import Setup

router = APIRouter(prefix="/v1", tags=["OpenAI-compatible"], responses=OPENAI_RESPONSES)
NAME = "heartfelt"
_MOST_MEDIA = 8


class _Lax(BaseModel):
    """Clients send more than is used here; what is not known is passed over."""

    model_config = ConfigDict(extra="ignore", use_attribute_docstrings=True)


class Text(_Lax):
    type: Literal["text"]
    text: str


class ImageUrl(_Lax):
    url: str
    """A `data:` URL; nothing is fetched from elsewhere."""


class Image(_Lax):
    type: Literal["image_url"]
    image_url: ImageUrl


class Audio(_Lax):
    data: str
    format: str = "wav"


class InputAudio(_Lax):
    type: Literal["input_audio"]
    input_audio: Audio


Part = Annotated[Text | Image | InputAudio, Field(discriminator="type")]


class ChatMessage(_Lax):
    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[Part] | None = None


class RequestOptions(_Lax):
    """Heartfelt's own: `extra_body={"heartfelt": {"pace": "thorough"}}`."""

    pace: Pace | None = None
    identity: str = ""
    country: str = ""
    """Whose services are named should somebody be in danger."""
    voice: bool = False
    """Whether how sound of the person sounds may be measured, beyond the words."""
    face: bool = False
    """Whether pictures of the person may be looked at."""


class StreamOptions(_Lax):
    include_usage: bool = False


class ChatRequest(_Lax):
    model: str = NAME
    messages: list[ChatMessage] = Field(
        min_length=1, max_length=2000, examples=[[{"role": "user", "content": "I failed my exam and my parents are furious."}]]
    )
    stream: bool = False
    stream_options: StreamOptions | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    seed: int = Field(default=0, ge=-(2**31), lt=2**31)
    n: int = Field(default=1, ge=1, le=1)
    heartfelt: RequestOptions = RequestOptions()


@router.get("/models")
async def models(here: Here) -> dict[str, Any]:
    """The names that can be asked for."""
    names = (NAME, *(f"{NAME}/{name}" for name in RECIPES))
    data = [{"id": name, "object": "model", "created": 0, "owned_by": NAME} for name in names]
    return {"object": "list", "data": data}


@router.post("/chat/completions")
async def chat_completions(asked: ChatRequest, here: Here, who: Who) -> Response:
    """Answer the last message of the user."""
    here.pace.take(who.owner)
    listener = _listener(asked, here)
    dialogue = await _dialogue(asked, here, listener)
    if asked.stream:
        return StreamingResponse(_stream(asked, here, listener, dialogue), media_type="text/event-stream")
    async with here.turns.queue.passed(lambda _place, _seconds: None), asyncio.timeout(here.settings.turn_seconds):
        outcome = await listener.answer(dialogue)
    choice = {"index": 0, "message": {"role": "assistant", "content": outcome.reply}, "finish_reason": "stop", "logprobs": None}
    return JSONResponse(_head(asked, "chat.completion") | {"choices": [choice], "usage": _usage(outcome)})


async def _stream(asked: ChatRequest, here: Parts, listener: Listener, dialogue: Dialogue) -> AsyncGenerator[str, None]:
    head, pieces = _head(asked, "chat.completion.chunk"), asyncio.Queue[str | None]()

    def told(event: Event) -> None:
        if isinstance(event, Wrote) and listener.recipe.audit is None:
            pieces.put_nowait(event.piece)

    async def work() -> Outcome:
        async with here.turns.queue.passed(lambda _place, _seconds: None), asyncio.timeout(here.settings.turn_seconds):
            return await listener.answer(dialogue, observers=(told,))

    task = asyncio.create_task(work())
    task.add_done_callback(lambda _task: pieces.put_nowait(None))
    try:
        yield _chunk(head, {"role": "assistant", "content": ""})
        said = ""
        while (piece := await pieces.get()) is not None:
            said += piece
            yield _chunk(head, {"content": piece})
        outcome = await task
        if rest := outcome.reply.removeprefix(said) if outcome.reply.startswith(said) else "":
            yield _chunk(head, {"content": rest})
        yield _chunk(head, {}, finish="stop")
        if asked.stream_options and asked.stream_options.include_usage:
            yield f"data: {json.dumps(head | {'choices': [], 'usage': _usage(outcome)})}\n\n"
    except (HeartfeltError, TimeoutError) as error:
        message = problem_of(error)[1].message if isinstance(error, HeartfeltError) else "The turn took too long."
        yield f"data: {json.dumps({'error': {'message': message, 'type': 'server_error', 'code': None, 'param': None}})}\n\n"
    finally:
        task.cancel()
    yield "data: [DONE]\n\n"


def _listener(asked: ChatRequest, here: Parts) -> Listener:
    wanted, settings = asked.model.removeprefix(NAME).lstrip("/"), here.settings
    if not asked.model.startswith(NAME) or (wanted and wanted not in RECIPES):
        raise UnknownName("model", asked.model, (NAME, *(f"{NAME}/{name}" for name in RECIPES)))
    pace = asked.heartfelt.pace or ("quick" if asked.stream else "thorough")
    audited = recipe(wanted or settings.recipe).audit is not None
    identity = here.runtime.persona(asked.heartfelt.identity or settings.identity).identity
    return here.runtime.listener_for(
        Setup(
            recipe=wanted or settings.recipe,
            model=settings.models[0],
            memory=settings.memory,
            identity=identity,
            safety=here.runtime.safety(known(asked.heartfelt.country)),
            seed=asked.seed,
            ablation=Ablation(without=("audit",) if pace == "quick" and audited else (), temperature=asked.temperature),
        )
    )


async def _dialogue(asked: ChatRequest, here: Parts, listener: Listener) -> Dialogue:
    turns: list[Turn] = []
    consent = Consent(voice=asked.heartfelt.voice, face=asked.heartfelt.face)
    media = sum(not isinstance(part, Text) for message in asked.messages for part in _parts(message))
    if media > _MOST_MEDIA:
        raise InputError(f"At most {_MOST_MEDIA} pictures and sounds are taken in one request.")
    for message in asked.messages:
        if message.role == "user":
            turns.append(await _said(message, here, listener, consent))
        elif message.role == "assistant" and (text := _text(message)):
            turns.append(Turn(speaker=LISTENER, text=cleaned(text, "An assistant's message")))
    if not turns or turns[-1].speaker == LISTENER:
        raise InputError("The last message must be the user's: there is nothing to answer otherwise.")
    return Dialogue(turns=tuple(turns), listener=LISTENER)


async def _said(message: ChatMessage, here: Parts, listener: Listener, consent: Consent) -> Turn:
    text = _text(message)
    turn: Turn | None = None
    for part in _parts(message):
        if isinstance(part, Text):
            continue
        name = "The picture" if isinstance(part, Image) else "The sound"
        opened = await asyncio.to_thread(open_media, _bytes(part), name=name)
        found = await consent.sense(here.runtime.senses(listener.setup.model), opened, here.settings, text=text)
        text = found.text or text
        stills = turn.keyframes if turn else ()
        turn = Turn(speaker=PERSON, text=text or "…", readings=found.readings, keyframes=(*stills, *found.keyframes))
    said = cleaned(text, "A user's message")
    return turn.model_copy(update={"text": said}) if turn else Turn(speaker=PERSON, text=said)


def _bytes(part: Image | InputAudio) -> bytes:
    data = _data_of(part.image_url.url) if isinstance(part, Image) else part.input_audio.data
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise InputError("The picture or sound is not valid base64.") from None


def _data_of(url: str) -> str:
    head, comma, data = url.partition(";base64,")
    if not head.startswith("data:") or not comma:
        raise InputError("Pictures are taken as data: URLs in base64; nothing is fetched from other addresses.")
    return data


def _parts(message: ChatMessage) -> list[Text | Image | InputAudio]:
    return message.content if isinstance(message.content, list) else []


def _text(message: ChatMessage) -> str:
    if isinstance(message.content, str):
        return message.content.strip()
    return " ".join(part.text for part in _parts(message) if isinstance(part, Text)).strip()


def _head(asked: ChatRequest, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{secrets.token_hex(12)}", "object": kind, "created": int(time.time()), "model": asked.model}


def _chunk(head: dict[str, Any], delta: dict[str, str], *, finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
    return f"data: {json.dumps(head | {'choices': [choice]})}\n\n"


def _usage(outcome: Outcome) -> dict[str, Any]:
    calls = [call for made in outcome.passes for record in made.steps if record.made_in == made.number for call in record.calls]
    calls += [call for made in outcome.passes if made.audit for call in made.audit.calls]
    read, written = sum(call.prompt_tokens for call in calls), sum(call.output_tokens for call in calls)
    cached = sum(call.cached_tokens for call in calls)
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
