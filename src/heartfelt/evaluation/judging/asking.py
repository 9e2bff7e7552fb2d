"""How a judge is asked: the prompt, in which others' texts can never become instructions, and the form of the answer."""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

from jinja2 import Environment, StrictUndefined, Template
from pydantic import Field

from heartfelt.evaluation.judging.criteria import Criterion
from heartfelt.evaluation.judging.pairs import Pair, ShownReply
from heartfelt.models.seam import Capabilities, Message, Request, Schema, fields, one_of, text
from heartfelt.prompts import CHARACTERS_A_TOKEN, describe, digest, readable
from heartfelt.records import Carried, Performance, Record

Side: TypeAlias = Literal["a", "b"]
OPTIONS = ("first", "second", "tie")
PURPOSE = "judge"
DRAWN = 0.7
"""The temperature of repeats. The first answer is the judge's best; further ones are drawn, to see how firmly it stands."""
_ENVIRONMENT = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
_FRAME = re.compile(r"<\|[^|<>]{0,40}\|>|</?s>|\[/?(?:INST|SYS)\]|<</?SYS>>|<(?:start|end)_of_turn>", re.IGNORECASE)
"""What chat formats are framed with: some servers read it as a frame wherever it stands."""


class JudgeManner(Record):
    """How the judge is asked."""

    seed: int = 0
    tries: int = Field(default=3, ge=1, le=10)
    timeout: float = Field(default=120.0, gt=0)


def request(
    pair: Pair,
    criterion: Criterion,
    *,
    first: Side,
    repeat: int,
    able: Capabilities,
    manner: JudgeManner,
    attempt: int = 0,
    problem: str = "",
) -> Request:
    """One question about one pair in one order; `problem` is what was wrong with the last answer to it."""
    asked = _filled(pair, criterion, first, able)
    if problem:
        asked += f"\n\nYour last answer could not be used: {problem}"
    return Request(
        purpose=PURPOSE,
        messages=(Message(role="system", text=_source("system").strip()), Message(role="user", text=asked)),
        prompt=PURPOSE,
        answer=form(able),
        max_tokens=400,
        temperature=DRAWN if repeat else 0.0,
        seed=manner.seed + repeat + 1000 * attempt,
        timeout=manner.timeout,
    )


def form(able: Capabilities) -> Schema:
    """A small model that is read by probabilities gives no reasons: it would only talk itself into something."""
    if able.profile == "compact":
        return fields(better=one_of(OPTIONS))
    return fields(reason=text(300, hint="why, in a sentence or two"), better=one_of(OPTIONS))


def prompts_digest() -> str:
    """Of all the prompt files together: judgements under other words are other judgements."""
    return digest("\x00".join(map(_source, ("system", "full", "compact"))))


def quoted(said: str) -> str:
    """A text as one JSON string: nothing in it can end it, begin a line, or pass for the frame of a chat."""
    return json.dumps(_FRAME.sub(" ", said), ensure_ascii=False)


def carried_in_words(performance: Performance) -> str:
    """What voice and face carried, as measured; without the names of what made them, which would tell who is judged."""
    how = f"performed as {quoted(performance.emotion)} at intensity {performance.intensity:.2f}"
    return "; ".join([f"This reply was {how}, {performance.seconds:.1f} s long", *map(_carried, performance.carried)]) + "."


def _carried(each: Carried) -> str:
    if each.note or not each.recognised:
        return f"what the {each.channel} carried was not measured"
    verdict = "which agrees" if each.agrees else "which does not agree"
    return f"the {each.channel} was recognised as {quoted(each.recognised)}, {verdict}"


def _filled(pair: Pair, criterion: Criterion, first: Side, able: Capabilities) -> str:
    one, two = (pair.a, pair.b) if first == "a" else (pair.b, pair.a)
    room = able.context - (len(one.reply) + len(two.reply)) // CHARACTERS_A_TOKEN
    shown = bool(criterion.needs)
    values = {
        "turns": [f"{quoted(turn.speaker)}: {quoted(turn.text)}" for turn in readable(pair.dialogue, room)],
        "first": quoted(one.reply),
        "second": quoted(two.reply),
        "first_shown": _shown(one, shown=shown),
        "second_shown": _shown(two, shown=shown),
        "question": criterion.question,
        "form": describe(form(able)),
    }
    return _template(able.profile).render(values).strip()


def _shown(one: ShownReply, *, shown: bool) -> str:
    return carried_in_words(one.performance) if shown and one.performance else ""


@cache
def _template(profile: str) -> Template:
    return _ENVIRONMENT.from_string(_source(profile))


@cache
def _source(name: str) -> str:
    return files("heartfelt.evaluation.judging").joinpath("prompts", f"{name}.md").read_text("utf-8")
