"""What a client of OpenAI's API is answered with, whole or in chunks. `heartfelt` is what that API has no field for."""

from typing import Literal

from pydantic import Field

from heartfelt.models.seam import Usage
from heartfelt.records import Outcome, Record
from heartfelt.server.chat.cutting import Finish
from heartfelt.server.wire import Alarm


def _missing(value: object) -> bool:
    return value is None


class ChatReply(Record):
    role: Literal["assistant"] = "assistant"
    content: str
    refusal: None = None


class ChatChoice(Record):
    index: int = 0
    message: ChatReply
    finish_reason: Finish
    """`length` where `max_completion_tokens` cut it, otherwise `stop`."""
    logprobs: None = None


class ChatUsage(Record):
    """What went in and what came out. What the steps cost beside that is `heartfelt.steps`."""

    prompt_tokens: int
    """Of the words of all messages; pictures and sound count with the words that were heard in them."""
    completion_tokens: int
    """Of the reply."""
    total_tokens: int


class CompletionNotes(Record):
    """Heartfelt's own."""

    alarm: Alarm | None = None
    """Set where what was said tells of danger: how grave, of which kind, and the services of the country."""
    reviewed: bool = False
    """Whether the reply is a reviewed one that no model wrote, because somebody may be in danger. It is never cut."""
    reminder: str = ""
    """Where danger could not be fully looked for, that this is so: show it beside the reply."""
    unused: tuple[str, ...] = ()
    """What of the request changed nothing."""
    counted_by: str = ""
    """How the tokens of `usage` were counted."""
    steps: Usage = Usage()
    """What all steps together read and wrote, as the model counts it."""


class ChatCompletion(Record):
    id: str
    object: Literal["chat.completion"] = "chat.completion"
    created: int
    """Seconds since 1970."""
    model: str
    choices: tuple[ChatChoice, ...]
    usage: ChatUsage
    heartfelt: CompletionNotes


class ChatDelta(Record):
    role: Literal["assistant"] | None = Field(default=None, exclude_if=_missing)
    """In the first chunk."""
    content: str | None = Field(default=None, exclude_if=_missing)


class ChunkChoice(Record):
    index: int = 0
    delta: ChatDelta
    finish_reason: Finish | None = None
    logprobs: None = None


class ChatChunk(Record):
    """An event of a stream. The last with a choice has `finish_reason` and `heartfelt`; `data: [DONE]` ends it."""

    id: str
    object: Literal["chat.completion.chunk"] = "chat.completion.chunk"
    created: int
    model: str
    choices: tuple[ChunkChoice, ...]
    usage: ChatUsage | None = None
    """Of the last chunk, where `stream_options.include_usage` asks for it."""
    heartfelt: CompletionNotes | None = None


class ChatModel(Record):
    id: str
    object: Literal["model"] = "model"
    created: int
    """Since when it is served, in seconds since 1970."""
    owned_by: str = "heartfelt"


class ChatModels(Record):
    object: Literal["list"] = "list"
    data: tuple[ChatModel, ...]


def steps_of(outcome: Outcome) -> Usage:
    calls = [call for made in outcome.passes for record in made.steps if record.made_in == made.number for call in record.calls]
    calls += [call for made in outcome.passes if made.audit for call in made.audit.calls]
    return Usage(
        prompt_tokens=sum(call.prompt_tokens for call in calls),
        cached_tokens=sum(call.cached_tokens for call in calls),
        output_tokens=sum(call.output_tokens for call in calls),
    )
