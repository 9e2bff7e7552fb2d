"""What is heard by words alone in a talk about a danger, where a model that guesses would do harm: whose it is, and what is not
wanted any more (`wordings.toml`)."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from heartfelt.records import Who
from heartfelt.safety.detect.plain import plain

FILE = Path(__file__).with_name("wordings.toml")


def whose_it_says(text: str) -> Who | None:
    """Whose danger it is, where somebody puts it right: «not me, HIM»."""
    return "self" if _said("self", text) else "other" if _said("other", text) else None


def corrects(text: str) -> bool:
    """Whether somebody puts the listener right, and does not merely answer."""
    return _said("corrects", text)


def says_not_to_die(text: str) -> bool:
    """Whether somebody has said themselves that they do not want to die: they are not asked that."""
    return _said("not_dying", text)


def wants_no_questions(text: str) -> bool:
    return _said("no_questions", text)


def wants_no_lines(text: str) -> bool:
    """Whether somebody has said that no helpline should be named to them."""
    return _said("no_lines", text)


def speaks_of_self(text: str) -> bool:
    """Of somebody's anger: what they do or want themselves."""
    return _said("own", text)


def speaks_of_another(text: str) -> bool:
    """Whether anybody else is in it, who may be hard to live with."""
    return _said("another", text)


def asked_for_pictures(text: str) -> bool:
    """Whether somebody wants pictures or the like of whoever writes."""
    return _said("wanted", text)


def wants_to_know(question: str) -> bool:
    """Whether something is asked that can be known, and not in anger or despair."""
    return _said("fact", question) and not _said("felt", question)


def asks_in_pain(question: str) -> bool:
    """Whether something is asked that nobody can answer: «why me?»"""
    return _said("felt", question)


def threatens(text: str) -> bool:
    """Whether somebody says that they want to hurt another, or might."""
    return _said("threat", text)


def lies_in_wait(text: str) -> bool:
    return _said("ambush", text)


def of_a_child(text: str) -> bool:
    return _said("child", text)


def of_a_story(text: str) -> bool:
    """Whether it is said that nobody who lives is meant."""
    return _said("story", text)


def writes_stories(text: str) -> bool:
    """Whether what sounds like danger may belong to a story."""
    return _said("writes", text)


def cared_for(text: str) -> bool:
    """Whether those whose work it is have whoever was in danger."""
    return _said("cared_for", text)


def by_another(text: str) -> bool:
    """Whether somebody is hurt by another, and not by their own hand or an illness."""
    return _said("by_another", text)


def called_help(text: str) -> bool:
    """Whether help was called already: nobody is told again to call."""
    return _said("called", text)


def grown_up(text: str) -> bool:
    return _said("adult", text)


def speaks_of_dying(text: str) -> bool:
    return _said("dying", text)


def says_they_do_not_want_to_die(text: str) -> bool:
    """The same of somebody else."""
    return _said("others_not_dying", text)


def put_away(text: str) -> bool:
    """Whether a means that is named is out of reach."""
    return _said("put_away", text)


def asks_about_dying(reply: str) -> bool:
    """Whether a reply asks the person whether they think of dying, or how near it is."""
    questions = re.findall(r"[^.?!:«»]*\?", reply.lower())
    return any(_patterns()["about_dying"].search(question) for question in questions if "they" not in question)


def _said(name: str, text: str) -> bool:
    read = f"{plain(text).text} "
    against = _against().get(name)
    return bool(_patterns()[name].search(read)) and not (against and against.search(read))


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return _compiled({name: said for name, said in _file().items() if isinstance(said, str)})


@cache
def _against() -> dict[str, re.Pattern[str]]:
    """What takes a wording back, wherever in the message it stands."""
    return _compiled(_file()["unless"])


def _file() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text("utf-8"))


def _compiled(patterns: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(pattern.replace("\n", "")) for name, pattern in patterns.items()}
