"""What somebody does with their words while a danger is talked about: says no, or safe, asks for secrecy, names a means."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import cast, get_args

from heartfelt.records import Danger, DialogueAct
from heartfelt.safety.detect.message import Message
from heartfelt.safety.detect.plain import plain

PLAN = Path(__file__).parent.parent / "respond" / "crisis_plan.toml"
LOWERING: tuple[DialogueAct, ...] = ("denied", "safe", "joke", "stop")
"""Acts after which a danger is let go, unless the same words tell of it again."""
ASKED: tuple[tuple[Danger, str], ...] = (
    ("suicide", r"suicid|end(ing)? (your|it|things)|tak(e|ing) your (own )?life|kill(ing)? yourself|want(ing)? to (die|live)"),
    ("self-harm", r"(hurt(ing)?|harm(ing)?|cut(ting)?) yourself"),
    ("violence", r"(hurt(ing)?|harm(ing)?|kill(ing)?) (someone|somebody|anyone|anybody|him|her|them|other)"),
    ("child", r"is (the|your) (child|kid|baby|son|daughter) safe"),
    ("abuse", r"(hurt|hit|threaten)(s|ed|ing|ting)? you|afraid of (him|her|them|this)|are you safe|do you feel safe"),
)
"""How it is seen that a question asks about a danger."""
_NO_FIRST = re.compile(r"^(?:(?:\w+|,|\.) ){0,3}(no|nope|nah|lol|lmao|haha)\b(?! (one|body))")
BARE = 3
"""Words of an answer that is nothing but a yes or a no."""
_YES_OR_NO = re.compile(
    r"^(?:\w+[,:]? ){0,12}?(are|is|do|does|did|have|has|had|can|could|will|would|was|were|any(thing|one|body)?)\b", re.I
)
LONGEST = 60
"""Words of a message that is read for what it does; a longer one tells itself what it means."""


def act_of(text: str) -> DialogueAct:
    """The first that fits, in the order of the plan."""
    read = plain(text).text
    if len(read.split()) > LONGEST:
        return ""
    for act, pattern in _acts():
        if pattern.search(read):
            return act
    return ""


def act_in(message: Message) -> DialogueAct:
    """What a message does. A bare yes or no does nothing by itself: only after a question that can be answered so."""
    act = act_of(message.text)
    bare = act in ("denied", "confirmed") and len(message.text.split()) <= BARE
    return "" if bare and not _YES_OR_NO.search(_last_question(message.asked)) else act


def says_no(text: str) -> bool:
    """Whether it begins with a no or a laugh, however it goes on."""
    return bool(_NO_FIRST.search(plain(text).text))


def question_about(message: Message) -> Danger | None:
    """The danger that was asked about right before the message."""
    question = _last_question(message.asked).lower()
    return next((danger for danger, pattern in ASKED if question and re.search(pattern, question)), None)


def _last_question(asked: str) -> str:
    return next(iter(re.findall(r"[^.?!:]*\?", asked)[::-1]), "").strip()


def means_in(text: str) -> str:
    """A means that is named, such as `gun`; empty where there is none."""
    read = plain(text).text
    return next((name for name, pattern in _means() if pattern.search(read)), "")


@cache
def _acts() -> list[tuple[DialogueAct, re.Pattern[str]]]:
    given = _table()["acts"]
    assert set(given) < set(get_args(DialogueAct))
    return [(cast(DialogueAct, name), _compiled(pattern)) for name, pattern in given.items()]


@cache
def _means() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, _compiled(pattern)) for name, pattern in _table()["means"].items()]


def _compiled(pattern: str) -> re.Pattern[str]:
    """Line breaks in the table are there for the eye."""
    return re.compile(pattern.replace("\n", ""))


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(PLAN.read_text("utf-8"))
