"""What a client of OpenAI's API may ask for. Every field of that API is here, and is used, told as unused, or refused in words.

The text under a field says what becomes of it, and why it is refused. What is not here at all is refused too.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationInfo,
    field_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from heartfelt.server.wire import Pace, Whole

NAME = "heartfelt"
"""The model that is the server's usual recipe; `heartfelt/trace` is another one."""
UNSUPPORTED = "unsupported_value"
MOST_STOPS = 4
_QUICK = ("none", "minimal", "low")


@dataclass(frozen=True, eq=False)
class Refused:
    """A field that takes only what asks for nothing: null, nothing in it, or one of `but`."""

    why: str
    but: tuple[Any, ...] = ()

    def check(self, value: Any) -> Any:
        if value is None or value in ("", [], {}) or any(value == usual for usual in self.but):
            return value
        raise PydanticCustomError(UNSUPPORTED, "{why}", {"why": self.why})

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.check)

    def __get_pydantic_json_schema__(self, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"enum": [None, *self.but], "description": f"Refused: {self.why}"}


@dataclass(frozen=True)
class Unused:
    """A field that cannot change an answer by what it means. It is taken, and the answer says that it was not used."""


class ChatField(BaseModel):
    """A part of a request."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class TextPart(ChatField):
    type: Literal["text"] = "text"
    """Always `text`."""
    text: str
    """Plain words."""
    prompt_cache_breakpoint: Annotated[Any, Refused("What was read before is found again without being marked.")] = None


class ImageUrl(ChatField):
    """Of the person. It is looked at where `heartfelt.face` allows it, and refused otherwise."""

    url: str
    """A `data:` URL in base64; nothing is fetched from elsewhere."""
    detail: Annotated[Any, Refused("A face is looked at as closely as it needs.", but=("auto",))] = None


class ImagePart(ChatField):
    """A picture."""

    type: Literal["image_url"]
    image_url: ImageUrl
    prompt_cache_breakpoint: Annotated[Any, Refused("What was read before is found again without being marked.")] = None


class AudioData(ChatField):
    """Of the person: its words are understood, and how they sound where `heartfelt.voice` allows it."""

    data: str
    """In base64."""
    format: str = "wav"
    """Not needed: the bytes say it. WAV, MP3, Ogg, FLAC, MP4 and others are read."""


class AudioPart(ChatField):
    """A sound."""

    type: Literal["input_audio"]
    input_audio: AudioData
    prompt_cache_breakpoint: Annotated[Any, Refused("What was read before is found again without being marked.")] = None


Part = Annotated[TextPart | ImagePart | AudioPart, Field(discriminator="type")]
Stops = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(max_length=MOST_STOPS)]


def _parts(content: Any) -> Any:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class ChatMessage(ChatField):
    role: Literal["system", "developer", "user", "assistant"]
    """What user and assistant said is read; see `heartfelt.system` for the others."""
    content: Annotated[tuple[Part, ...], BeforeValidator(_parts, json_schema_input_type=str | tuple[Part, ...] | None)] = ()
    """A text, or parts: `text`, `image_url`, `input_audio`."""
    name: str = ""
    """Of a user: the name that they are read under, where several people talk."""
    refusal: Annotated[Any, Refused("Give what the assistant said as its `content`.")] = None
    audio: Annotated[Any, Refused("Sound of the assistant is not kept here. Give what it said as its `content`.")] = None
    annotations: Annotated[Any, Refused("No other sources are cited here.")] = None
    tool_calls: Annotated[Any, Refused("No tools are called here.")] = None
    function_call: Annotated[Any, Refused("No functions are called here.")] = None

    @property
    def text(self) -> str:
        return " ".join(part.text for part in self.content if isinstance(part, TextPart)).strip()

    @property
    def media(self) -> tuple[ImagePart | AudioPart, ...]:
        return tuple(part for part in self.content if not isinstance(part, TextPart))


class RequestOptions(ChatField):
    """Heartfelt's own: `extra_body={"heartfelt": {"pace": "thorough"}}`."""

    pace: Pace | None = None
    """`quick`: the first pass is said as it comes; `thorough`: audited first. Usual: `quick` for a stream, else `thorough`."""
    identity: Whole = ""
    """Who answers; empty: the server's usual persona."""
    country: Whole = ""
    """Whose services are named should somebody be in danger."""
    voice: bool = False
    """Whether how sound of the person sounds may be measured, beyond the words."""
    face: bool = False
    """Whether pictures of the person may be looked at."""
    system: Literal["refuse", "ignore"] = "refuse"
    """What becomes of system and developer messages, which no recipe reads: `ignore` goes on without them, and says so."""


class StreamOptions(ChatField):
    include_usage: bool = False
    """Whether a last chunk tells the usage."""
    include_obfuscation: Annotated[Any, Refused("Chunks are not padded.", but=(False,))] = None


class ChatRequest(ChatField):
    model: Whole = NAME
    """`heartfelt`, or `heartfelt/RECIPE`; `GET /v1/models` lists them."""
    messages: tuple[ChatMessage, ...] = Field(
        min_length=1, max_length=2000, examples=[[{"role": "user", "content": "I failed my exam and my parents are furious."}]]
    )
    """What user and assistant said so far. The last one is the user's, and is answered."""
    stream: bool | None = False
    """The reply word by word, as server-sent events."""
    stream_options: StreamOptions | None = None
    """Only with `stream`."""
    max_completion_tokens: int | None = Field(default=None, ge=1)
    """The reply ends after as many whole words as fit, with `finish_reason: length`. A reviewed reply to somebody in danger is
    never cut. What the steps write beside the reply does not count."""
    max_tokens: int | None = Field(default=None, ge=1)
    """The same under its older name; of two, the smaller counts."""
    stop: Annotated[Stops | None, BeforeValidator(_listed, json_schema_input_type=str | Stops | None)] = None
    """Up to four texts; the reply ends before the first that comes. A reviewed reply to somebody in danger is never cut."""
    temperature: float | None = Field(default=None, ge=0, le=2)
    """For every step that asks the model."""
    seed: int | None = Field(default=None, ge=-(2**31), lt=2**31)
    """The same seed and messages bring the same reply, as far as the model allows it; none: 0.
    The embedded model takes its best reply, which is mostly the same with any."""
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    """Up to `low` is the pace `quick`, from `medium` on `thorough`; `heartfelt.pace` goes before it."""
    heartfelt: RequestOptions = RequestOptions()
    """Heartfelt's own options."""

    user: Annotated[str | None, Unused()] = None
    """Nothing is kept about people who talk through this API, so it names nobody."""
    safety_identifier: Annotated[str | None, Unused()] = None
    """As `user`."""
    metadata: Annotated[dict[str, str] | None, Unused()] = None
    """Completions are not stored, so there is nothing to find by it."""
    prompt_cache_key: Annotated[str | None, Unused()] = None
    """What was read before is found again without a key."""
    prompt_cache_retention: Annotated[str | None, Unused()] = None
    """As `prompt_cache_key`."""
    prompt_cache_options: Annotated[dict[str, Any] | None, Unused()] = None
    """As `prompt_cache_key`."""

    n: Annotated[
        Any,
        Refused(
            "One reply is chosen among all that were made. For another, ask again with another recipe: `heartfelt/trace`.",
            but=(1,),
        ),
    ] = None
    tools: Annotated[Any, Refused("A listener calls no tools. Leave them out.")] = None
    tool_choice: Annotated[Any, Refused("A listener calls no tools. Leave it out, or say `none`.", but=("none", "auto"))] = None
    parallel_tool_calls: Annotated[Any, Refused("A listener calls no tools. Leave it out.", but=(True, False))] = None
    functions: Annotated[Any, Refused("A listener calls no functions. Leave them out.")] = None
    function_call: Annotated[
        Any, Refused("A listener calls no functions. Leave it out, or say `none`.", but=("none", "auto"))
    ] = None
    response_format: Annotated[
        Any,
        Refused(
            'A reply is what one person says to another, in plain text. Leave it out, or say `{"type": "text"}`.',
            but=({"type": "text"},),
        ),
    ] = None
    logprobs: Annotated[
        Any,
        Refused(
            "A reply is chosen whole, and its words have no probabilities that would mean anything. Leave it out.", but=(False,)
        ),
    ] = None
    top_logprobs: Annotated[
        Any,
        Refused(
            "A reply is chosen whole, and its words have no probabilities that would mean anything. Leave it out.", but=(0,)
        ),
    ] = None
    logit_bias: Annotated[
        Any, Refused("A reply is chosen whole, so single tokens cannot be made more or less likely. Leave it out.")
    ] = None
    frequency_penalty: Annotated[
        Any, Refused("A reply is chosen whole, so single words cannot be made less likely. Leave it out.", but=(0,))
    ] = None
    presence_penalty: Annotated[
        Any, Refused("A reply is chosen whole, so single words cannot be made less likely. Leave it out.", but=(0,))
    ] = None
    top_p: Annotated[
        Any, Refused("The recipe decides which words are drawn from. Set `temperature`, or leave both out.", but=(1,))
    ] = None
    modalities: Annotated[
        Any,
        Refused(
            "Replies are text here. A session has them spoken: `GET /api/sessions/ID/turns/N/speech.wav`.", but=(["text"],)
        ),
    ] = None
    audio: Annotated[
        Any, Refused("Replies are text here. A session has them spoken: `GET /api/sessions/ID/turns/N/speech.wav`.")
    ] = None
    prediction: Annotated[Any, Refused("What somebody should be told is not known beforehand. Leave it out.")] = None
    store: Annotated[
        Any, Refused("Completions are never stored. For talks that are kept, use `/api/sessions`.", but=(False,))
    ] = None
    service_tier: Annotated[
        Any, Refused("Turns are answered in order, and nobody goes first. Leave it out.", but=("auto", "default"))
    ] = None
    verbosity: Annotated[
        Any, Refused("The recipe decides how much is said. Leave it out, or set `max_completion_tokens`.", but=("medium",))
    ] = None
    web_search_options: Annotated[Any, Refused("Nothing is looked up elsewhere. Leave it out.")] = None
    moderation: Annotated[
        Any, Refused("Danger is always looked for, in its own way; `heartfelt.alarm` of the answer tells of it. Leave it out.")
    ] = None

    @field_validator("stream_options", mode="after")
    @classmethod
    def _only_streaming(cls, options: StreamOptions | None, info: ValidationInfo) -> StreamOptions | None:
        if options is not None and not info.data.get("stream"):
            raise PydanticCustomError(UNSUPPORTED, "It goes with `stream` only. Set that to true, or leave this out.")
        return options

    @property
    def pace(self) -> Pace:
        if self.heartfelt.pace:
            return self.heartfelt.pace
        quick = self.stream if self.reasoning_effort is None else self.reasoning_effort in _QUICK
        return "quick" if quick else "thorough"

    @property
    def limit(self) -> int | None:
        """Tokens that the reply may have."""
        return min(filter(None, (self.max_completion_tokens, self.max_tokens)), default=None)

    @property
    def unread(self) -> bool:
        """Whether there are messages that no recipe reads."""
        return any(message.role in ("system", "developer") for message in self.messages)

    @property
    def unused(self) -> tuple[str, ...]:
        """What was given and changed nothing."""
        given = {name for name in self.model_fields_set if getattr(self, name)}
        marked = [name for name, field in ChatRequest.model_fields.items() if Unused() in field.metadata]
        return (*(name for name in marked if name in given), *(("system messages",) if self.unread else ()))
