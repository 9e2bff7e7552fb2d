"""The model seam: what a step asks of a language model, and what every back end gives back."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from heartfelt.records import Draft, Keyframe, Record, Scores

Schema: TypeAlias = dict[str, Any]


class Capabilities(Record):
    """What a prompt may hold for this model. Flags, so that no step asks which back end it talks to."""

    profile: Literal["full", "compact"] = "full"
    """Which prompts it reads best: `full` follows instructions, `compact` is for the small embedded one."""
    images: bool = False
    probabilities: bool = False
    """Closed choices come back with the probability of each option."""
    drafts: bool = False
    """A text can be asked for several times over, and each draft comes back with how likely it is."""
    marks: bool = False
    """Drafts, and texts that were given with the request, come back with the mark that a rater would give them."""
    context: int = 8192
    """Tokens that fit, prompt and answer together."""


class Message(Record):
    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[Keyframe, ...] = ()


class Request(Record):
    purpose: str
    """The step that asks; the scripted double answers by it and telemetry names its spans with it."""
    messages: tuple[Message, ...]
    prompt: str = ""
    """The prompt file that the step asks with: what a model is calibrated for."""
    answer: Schema | None = None
    """The JSON schema of the answer; none: plain text."""
    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 0.95
    seed: int = 0
    stop: tuple[str, ...] = ()
    drafts: int = 1
    """How many texts to write, for a step that chooses among them; only from models that can."""
    offered: tuple[str, ...] = ()
    """Texts from elsewhere that come back beside the drafts with their marks; only from models that give marks."""
    marked: bool = False
    """Whether a text that is written alone gets its mark too; only from models that give marks."""
    begun: str = ""
    """What the answer begins with already: drafts go on from it; only from models that write drafts."""
    within: float | None = None
    """Seconds after which no draft is written on: what is whole by then is the choice. None: no hurry."""
    unheard: tuple[Message, ...] = ()
    """The same question without what was said: a draft that is as likely after it could be said to anyone."""
    timeout: float = 120.0
    """Seconds until the call is given up."""


class Usage(Record):
    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that did not have to be read again."""
    output_tokens: int = 0


class Completion(Record):
    text: str
    """Of several drafts, the first."""
    model: str
    usage: Usage = Usage()
    ms: float = 0.0
    finish: Literal["stop", "length"] = "stop"
    attempts: int = 1
    drafts: tuple[Draft, ...] = ()
    """All of them, where more than one was asked for."""
    probabilities: dict[str, Scores] = {}
    """For each closed choice of the answer, by its path (`emotion`, `cues.0.meaning`): the options' probabilities."""


class Model(Protocol):
    """A language model. `stream` yields pieces of text and, last, the completion of them all."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> Capabilities: ...

    async def complete(self, request: Request) -> Completion: ...

    def stream(self, request: Request) -> AsyncIterator[str | Completion]: ...

    async def close(self) -> None: ...


@runtime_checkable
class Tokenizing(Protocol):
    """A model whose tokenizer is at hand."""

    async def tokenizer(self) -> Callable[[str], int]:
        """Counts the tokens of a text, from any thread."""
        ...


class MarkedPiece(str):
    """A piece after which a first sentence is over, with the mark that a rater would give what was written up to there: from
    models that give marks, where one text is written and its mark wanted."""

    mark: float

    def __new__(cls, text: str, mark: float) -> "MarkedPiece":
        piece = super().__new__(cls, text)
        piece.mark = mark
        return piece


@runtime_checkable
class WritesAhead(Protocol):
    """A model that can begin a text before it is sure that anybody will ask for it; `stream` then goes on with it."""

    async def begin(self, request: Request) -> None:
        """Returns once it is written. Cancelled before anybody has asked for it, it is called off."""
        ...


# ── schemas: the small part of JSON Schema that answers are written in ──────────────────────────────────────────────


def text(limit: int, *, hint: str = "") -> Schema:
    return {"type": "string", "maxLength": limit} | ({"description": hint} if hint else {})


def one_of(options: tuple[str, ...] | list[str], *, hint: str = "") -> Schema:
    return {"type": "string", "enum": list(options)} | ({"description": hint} if hint else {})


def many(item: Schema, *, least: int, most: int) -> Schema:
    return {"type": "array", "items": item, "minItems": least, "maxItems": most}


def fields(**named: Schema) -> Schema:
    return {"type": "object", "properties": named, "required": list(named), "additionalProperties": False}


def misfits(schema: Schema, value: Any, path: str = "answer") -> list[str]:
    """Where `value` is not what `schema` says. Options of a closed choice are left to the step, which may fold a word."""
    match schema["type"]:
        case "string":
            return [] if isinstance(value, str) and value.strip() else [f"{path} must be a non-empty text"]
        case "array":
            return _list_misfits(schema, value, path)
        case _:
            return _field_misfits(schema, value, path)


def _list_misfits(schema: Schema, value: Any, path: str) -> list[str]:
    if not isinstance(value, list):
        return [f"{path} must be a list"]
    if len(value) < schema["minItems"]:
        return [f"{path} needs at least {schema['minItems']} items"]
    return [misfit for i, item in enumerate(value) for misfit in misfits(schema["items"], item, f"{path}[{i}]")]


def _field_misfits(schema: Schema, value: Any, path: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{path} must be an object with {', '.join(schema['properties'])}"]
    missing = [f"{path}.{name} is missing" for name in schema["required"] if name not in value]
    return missing + [
        misfit
        for name, inner in schema["properties"].items()
        if name in value
        for misfit in misfits(inner, value[name], f"{path}.{name}")
    ]


def canonical(value: Any) -> str:
    """JSON in one spelling, for hashes and for the embedded model's answers."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
