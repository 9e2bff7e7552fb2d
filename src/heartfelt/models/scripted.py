"""The model's double: answers from a script, for tests, demonstrations and `scripted:FILE`."""

import asyncio
import json
import re
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

from heartfelt.errors import InputError, ModelError, UnknownName
from heartfelt.models.seam import Capabilities, Completion, Request, Schema, Usage, canonical
from heartfelt.records import Scores

_REMEMBERED = 1000
Scalar: TypeAlias = str | dict[str, Any] | Exception
Answer: TypeAlias = Scalar | Callable[[Request], Scalar]
"""Words, a JSON object, an error to raise, or a function that makes one of these from the request."""


class Scripted:
    """Answers each request by its purpose. The last answer of a list repeats, unless the script is strict.

    >>> import asyncio
    >>> from heartfelt.models.seam import Message
    >>> model = Scripted({"respond": ["I am so sorry.", lambda request: f"You said: {request.messages[-1].text}"]})
    >>> ask = Request(purpose="respond", messages=(Message(role="user", text="My cat died."),))
    >>> [asyncio.run(model.complete(ask)).text for _ in range(3)]
    ['I am so sorry.', 'You said: My cat died.', 'You said: My cat died.']
    >>> model.calls["respond"], model.requests[0].purpose
    (3, 'respond')

    Tokens are counted as four characters each, and as cached where an earlier prompt began alike.
    """

    def __init__(
        self,
        answers: Mapping[str, Answer | Sequence[Answer]],
        *,
        name: str = "scripted",
        capabilities: Capabilities | None = None,
        strict: bool = False,
    ):
        self._answers = {purpose: _listed(given) for purpose, given in answers.items()}
        self.name, self.capabilities, self._strict = name, capabilities or Capabilities(), strict
        self._prompts: deque[str] = deque(maxlen=_REMEMBERED)
        self._requests: deque[Request] = deque(maxlen=_REMEMBERED)
        self.calls: Counter[str] = Counter()
        """How often each purpose was asked for."""

    @classmethod
    def load(cls, path: Path | str, *, capabilities: Capabilities | None = None, strict: bool = False) -> "Scripted":
        """From a JSON file such as `{"perceive": [{"cues": []}], "respond": ["I am so sorry."]}`."""
        path = Path(path)
        script = _read(path)
        for purpose, given in script.items():
            if not _listed(given):
                raise InputError(f"The script {path} has no answer for '{purpose}'. Give it at least one.")
            for answer in _listed(given):
                if not isinstance(answer, str | dict):
                    raise InputError(
                        f"The script {path} answers '{purpose}' with {json.dumps(answer)}. "
                        "An answer is a text or an object, and a purpose has one or a list of them."
                    )
        return cls(script, name=f"scripted:{path.name}", capabilities=capabilities, strict=strict)

    @property
    def requests(self) -> list[Request]:
        """What was asked, in order: the latest thousand."""
        return list(self._requests)

    def asked(self, purpose: str) -> list[Request]:
        """The requests of one purpose, in order."""
        return [request for request in self.requests if request.purpose == purpose]

    async def complete(self, request: Request) -> Completion:
        given = self._next(request)
        if isinstance(given, Exception):
            raise given
        text = given if isinstance(given, str) else canonical(given)
        known = request.answer if self.capabilities.probabilities else None
        return Completion(
            text=text,
            model=self.name,
            usage=self._usage(request, text),
            probabilities=dict(_choices(known, given, "")) if known and isinstance(given, dict) else {},
        )

    async def stream(self, request: Request) -> AsyncGenerator[str | Completion, None]:
        completion = await self.complete(request)
        for word in re.findall(r"\s*\S+|\s+$", completion.text):
            yield word
            await asyncio.sleep(0)  # as with a real model, others run between two words
        yield completion

    async def tokenizer(self) -> Callable[[str], int]:
        return lambda text: _tokens(len(text))

    def forget(self) -> None:
        """The prompts so far: what comes next shares nothing with them."""
        self._prompts.clear()

    async def close(self) -> None:
        """There is nothing to close."""

    def __repr__(self) -> str:
        return f"Scripted({', '.join(self._answers)})"

    def _next(self, request: Request) -> Scalar:
        script = self._answers.get(request.purpose)
        if not script:
            raise UnknownName("scripted purpose", request.purpose, self._answers)
        turn = self.calls[request.purpose]
        self.calls[request.purpose] += 1
        self._requests.append(request)
        if self._strict and turn >= len(script):
            raise ModelError(
                f"The script has {len(script)} answers for '{request.purpose}' and was asked once more. "
                "Add an answer, or let the last one repeat."
            )
        answer = script[min(turn, len(script) - 1)]
        return answer(request) if callable(answer) else answer

    def _usage(self, request: Request, text: str) -> Usage:
        prompt = "\n".join(f"{message.role}: {message.text}" for message in request.messages)
        shared = max((_common(prompt, earlier) for earlier in self._prompts), default=0)
        self._prompts.append(prompt)
        return Usage(prompt_tokens=_tokens(len(prompt)), cached_tokens=shared // 4, output_tokens=_tokens(len(text)))


def _listed(given: Answer | Sequence[Answer]) -> list[Answer]:
    if isinstance(given, Sequence) and not isinstance(given, str):
        return list(given)
    return [given]


def _common(left: str, right: str) -> int:
    """Characters in common from the start, found by halving: compared one by one, a long script would take its time."""
    same, limit = 0, min(len(left), len(right))
    while same < limit:
        middle = (same + limit + 1) // 2
        if left.startswith(right[:middle]):
            same = middle
        else:
            limit = middle - 1
    return same


def _tokens(characters: int) -> int:
    return -(-characters // 4)


def _choices(schema: Schema, value: Any, path: str) -> Iterator[tuple[str, Scores]]:
    """For each closed choice in the answer its path, and all of the probability on what was chosen."""
    if "enum" in schema:
        if value in schema["enum"]:
            yield path, {option: float(option == value) for option in schema["enum"]}
    elif isinstance(value, dict):
        for name, inner in schema.get("properties", {}).items():
            yield from _choices(inner, value.get(name), f"{path}.{name}".lstrip("."))
    elif isinstance(value, list) and "items" in schema:
        for i, item in enumerate(cast(list[Any], value)):
            yield from _choices(schema["items"], item, f"{path}.{i}".lstrip("."))


def _read(path: Path) -> dict[str, Any]:
    try:
        script = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"The script {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"The script {path} is not JSON: {error}.") from error
    if not isinstance(script, dict):
        raise InputError(f'The script {path} must be an object of answers by purpose, such as {{"respond": ["…"]}}.')
    return cast(dict[str, Any], script)
