"""From a model's raw text to the answer in it: no thinking, no code fences, no prose around the JSON.

Models wrap their JSON in words however often they are told not to. What can be read without guessing is read; the rest
is refused in words that can be handed back to the model.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from heartfelt.errors import BadOutput
from heartfelt.models.seam import Schema, misfits

_BLOCKS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "[THINK]": "[/THINK]",
    "<|channel>thought": "<channel|>",
    "<|channel|>analysis<|message|>": "<|channel|>final<|message|>",
    "<|channel|>commentary<|message|>": "<|channel|>final<|message|>",
}
_MARKS = ("<|start|>assistant", "<|end|>", "<|return|>")
"""What is left of a chat format when a server does not take it out."""
_TAGS = (*_BLOCKS, *dict.fromkeys(_BLOCKS.values()), *_MARKS)
_TAG = re.compile("|".join(map(re.escape, _TAGS)))
_FENCE = re.compile(r"```[ \t]*[\w+-]*[ \t]*\n?(.*?)```", re.DOTALL)
_STRING_OR_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_MOST_STARTS = 500
"""Brackets that are tried as the start of the answer: a model gone astray can write thousands."""
_DECODER = json.JSONDecoder(strict=False)  # small models put bare line breaks into strings


# ── thinking ────────────────────────────────────────────────────────────────────────────────────────────────────────


class ThinkingFilter:
    """Takes thinking out of text that comes in pieces, wherever the pieces are cut, and trims the whole.

    >>> thinking = ThinkingFilter()
    >>> [thinking.feed(piece) for piece in ("<th", "ink>hm</thi", "nk> I am", " sorry. ")], thinking.end()
    (['', '', 'I am', ' sorry.'], '')
    """

    def __init__(self) -> None:
        self._held = ""
        """Text that may yet turn out to be the start of a tag."""
        self._space = ""
        """White space that is only part of the answer if something follows it."""
        self._closing = ""
        self._begun = False

    def feed(self, piece: str) -> str:
        self._held += piece
        outside = ""
        while tag := self._next_tag():
            before, self._held = self._held[: tag.start()], self._held[tag.end() :]
            outside = self._passed(tag[0], outside, before)
        keep = _start_of_tag(self._held)
        ready, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return self._trimmed(outside if self._closing else outside + ready)

    def end(self) -> str:
        """What was held back and is no tag. A block that never closed is thinking to its end."""
        held, self._held = self._held, ""
        return "" if self._closing else self._trimmed(held)

    def _next_tag(self) -> re.Match[str] | None:
        if not self._closing:
            return _TAG.search(self._held)
        return re.search(re.escape(self._closing), self._held)

    def _passed(self, tag: str, outside: str, before: str) -> str:
        """The text outside of blocks once `tag` is passed."""
        if self._closing:
            self._closing = ""
            return outside
        self._closing = _BLOCKS.get(tag, "")
        # Some chat templates open the block in the prompt: then all that comes before the closing tag is thinking.
        return "" if tag in _BLOCKS.values() else outside + before

    def _trimmed(self, text: str) -> str:
        text = self._space + text if self._begun else text.lstrip()
        shown = text.rstrip()
        self._begun = self._begun or bool(shown)
        self._space = text[len(shown) :] if self._begun else ""
        return shown


def without_thinking(text: str) -> str:
    thinking = ThinkingFilter()
    return thinking.feed(text) + thinking.end()


def _start_of_tag(text: str) -> int:
    """How many characters at the end of `text` may be the start of a tag."""
    longest = min(len(text), max(map(len, _TAGS)) - 1)
    return next((n for n in range(longest, 0, -1) if any(tag.startswith(text[-n:]) for tag in _TAGS)), 0)


# ── JSON ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def parse(text: str, schema: Schema) -> Any:
    """The first value in `text` that fits `schema`, or `BadOutput` that says what is wrong with the nearest one.

    >>> from heartfelt.models import seam
    >>> parse('Sure! ```json\\n{"event": "lost a friend",}\\n```', seam.fields(event=seam.text(80)))
    {'event': 'lost a friend'}
    """
    # An answer that is JSON from end to end holds no thinking: a tag in it is part of a quote.
    said = text.strip() if isinstance(_decoded(text), dict | list) else without_thinking(text)
    if not said:
        raise BadOutput("The answer is empty.", raw=text)
    nearest: list[str] | None = None
    for value in _text_values(said, schema) if schema["type"] == "string" else _values(said):
        wrong = misfits(schema, value)
        if not wrong:
            return value
        nearest = wrong if nearest is None or len(wrong) < len(nearest) else nearest
    raise BadOutput(_complaint(nearest, said), raw=text)


def _text_values(said: str, schema: Schema) -> Iterator[Any]:
    """A text may come as JSON, fenced or bare. Only a closed choice is looked for among other words."""
    whole = [said, *(match[1].strip() for match in _FENCE.finditer(said))]
    yield from (value for part in whole if isinstance(value := _decoded(part), str))
    quoted = (_decoded_at(said, match.start()) for match in re.finditer('"', said))
    yield from (value for value in quoted if value in schema.get("enum", ()))
    yield whole[-1]


def _values(said: str) -> Iterator[Any]:
    """Every object and list in the text, outer before inner, as some models wrap the answer once more."""
    for spelling in dict.fromkeys((said, _without_trailing_commas(said))):
        for match in islice(re.finditer(r"[{\[]", spelling), _MOST_STARTS):
            value = _decoded_at(spelling, match.start())
            if value is not None:
                yield value


def _without_trailing_commas(said: str) -> str:
    return _STRING_OR_TRAILING_COMMA.sub(lambda match: match[1] or "", said)


def _decoded(part: str) -> Any:
    try:
        return json.loads(part, strict=False)
    except (ValueError, RecursionError):
        return None


def _decoded_at(said: str, start: int) -> Any:
    try:
        return _DECODER.raw_decode(said, start)[0]
    except (ValueError, RecursionError):
        return None


def _complaint(nearest: list[str] | None, said: str) -> str:
    if nearest:
        return f"The answer does not fit: {'; '.join(nearest)}."
    start = re.search(r"[{\[]", said)
    if start is None:
        return "The answer holds no JSON."
    try:
        _DECODER.raw_decode(said[start.start() :])
    except ValueError as error:
        return f"The JSON in the answer cannot be read: {error}."
    except RecursionError:
        pass
    return "The JSON in the answer is nested too deep."
