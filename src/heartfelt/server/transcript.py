"""A conversation as a page for people: what was said, by whom and when. An export for programs holds the rest."""

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

_TEMPLATE = Path(__file__).with_suffix(".html")


def transcript(exported: dict[str, Any], *, redacted: bool) -> str:
    """Of a session as the store exports it, redacted or not."""
    turns = [_turn(turn, exported["identity"]) for turn in exported["conversation"]]
    title = exported["title"] or "A conversation"
    return _template().render(title=title, made=_when(exported["made"]), turns=turns, redacted=redacted)


def _turn(turn: dict[str, Any], identity: str) -> dict[str, str]:
    reply, heard = turn["reply"], turn["heard"] if turn["interrupted"] else turn["reply"]
    return {
        **{name: turn[name] for name in ("said", "reply", "reminder", "made", "language")},
        "when": _when(turn["made"]),
        "who": (turn["identity"] or identity).capitalize(),
        "heard": heard,
        "unheard": reply.removeprefix(heard).strip(),
    }


def _when(iso: str) -> str:
    moment = datetime.fromisoformat(iso)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


@cache
def _template() -> Template:
    return Environment(undefined=StrictUndefined, autoescape=True, trim_blocks=True).from_string(_TEMPLATE.read_text("utf-8"))
