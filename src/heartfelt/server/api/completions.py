"""OpenAI's chat completions: `heartfelt` is the server's usual recipe, `heartfelt/trace` another one."""

import secrets
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from heartfelt.errors import HeartfeltError, TurnError
from heartfelt.records import Record
from heartfelt.server.chat.completion import (
    ChatChoice,
    ChatChunk,
    ChatCompletion,
    ChatDelta,
    ChatModel,
    ChatModels,
    ChatReply,
    ChunkChoice,
    CompletionNotes,
)
from heartfelt.server.chat.cutting import Finish
from heartfelt.server.chat.models import offered, recipe_of
from heartfelt.server.chat.refusal import openai_refusal
from heartfelt.server.chat.request import ChatRequest
from heartfelt.server.chat.turn import ChatTurn
from heartfelt.server.description import EVENTS, brings
from heartfelt.server.parts import Here, Parts, Who
from heartfelt.server.presence import while_there
from heartfelt.server.problems import OPENAI_RESPONSES, problem_of
from heartfelt.server.streams import kept_alive

router = APIRouter(prefix="/v1", tags=["OpenAI-compatible"], responses=OPENAI_RESPONSES)
_SINCE = int(time.time())
_ANSWERS = brings(EVENTS, "ChatChunk")


@router.get("/models")
async def models(here: Here) -> ChatModels:
    """The models that can be asked for: one for each recipe."""
    return ChatModels(data=tuple(ChatModel(id=name, created=_SINCE) for name in offered(here.settings)))


@router.get("/models/{name:path}")
async def model(name: str, here: Here) -> ChatModel:
    """One of the models."""
    recipe_of(name, here.settings)
    return ChatModel(id=name, created=_SINCE)


@router.post("/chat/completions", response_model=ChatCompletion, responses=_ANSWERS)
async def chat_completions(asked: ChatRequest, request: Request, here: Here, who: Who) -> Response:
    """Answer the last message of the user, whole or as a stream of its words."""
    await here.pace.take(who.owner)
    turn = await while_there(request, ChatTurn.of(asked, here, who.owner))
    head: dict[str, Any] = {"id": f"chatcmpl-{secrets.token_hex(12)}", "created": int(time.time()), "model": asked.model}
    if asked.stream:
        events = kept_alive(_events(turn, asked, head, here))
        return StreamingResponse(events, media_type=EVENTS, headers={"cache-control": "no-store"})
    return JSONResponse((await while_there(request, _whole(turn, head))).model_dump())


async def _whole(turn: ChatTurn, head: dict[str, Any]) -> ChatCompletion:
    async with aclosing(turn.words()) as words:
        content = "".join([word async for word in words])
    choice = ChatChoice(message=ChatReply(content=content), finish_reason=turn.reply.finish or "stop")
    return ChatCompletion(**head, choices=(choice,), usage=await turn.usage(), heartfelt=turn.notes())


async def _events(turn: ChatTurn, asked: ChatRequest, head: dict[str, Any], here: Parts) -> AsyncGenerator[str, None]:
    """The stream has begun when something goes wrong, so that is told in it."""
    counted = asked.stream_options is not None and asked.stream_options.include_usage

    def chunk(delta: ChatDelta, *, finish: Finish | None = None, notes: CompletionNotes | None = None) -> str:
        made = ChatChunk(**head, choices=(ChunkChoice(delta=delta, finish_reason=finish),), heartfelt=notes)
        unasked = {name for name, given in (("usage", counted), ("heartfelt", notes)) if not given}
        return _event(made, exclude=unasked)

    try:
        yield chunk(ChatDelta(role="assistant", content=""))
        async for word in turn.words():
            yield chunk(ChatDelta(content=word))
        yield chunk(ChatDelta(), finish=turn.reply.finish, notes=turn.notes())
        if counted:
            yield _event(ChatChunk(**head, choices=(), usage=await turn.usage()), exclude={"heartfelt"})
    except HeartfeltError as error:
        yield _failure(error)
    except Exception as error:
        here.metrics.log.exception("a stream failed")
        yield _failure(TurnError(f"Something unforeseen went wrong ({type(error).__name__})."))
    yield "data: [DONE]\n\n"


def _event(data: Record, *, exclude: set[str] | None = None) -> str:
    return f"data: {data.model_dump_json(exclude=exclude)}\n\n"


def _failure(error: HeartfeltError) -> str:
    status, problem, _ = problem_of(error)
    return _event(openai_refusal(status, problem)[1])
