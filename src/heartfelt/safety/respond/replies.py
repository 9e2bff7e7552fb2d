"""The reviewed replies, chosen by tier, danger, country, and whether the first one was given already."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from heartfelt.records import Alert, Danger, Dialogue, Tier
from heartfelt.safety.respond.services import Country, country, lines_for

_ENDING = 6
"""Words at the end of a reply by which it is known again in a dialogue."""


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "replies.toml").read_text("utf-8"))


def reviewed() -> str:
    """When, and by whom."""
    return _table()["reviewed"]


def reply(alert: Alert, dialogue: Dialogue, code: str) -> str:
    """What is said instead of a model's words; never the same twice in a row."""
    danger: Danger = alert.danger or "despair"
    texts = _texts(danger, alert.tier)
    where = country(code)
    first, again = (_filled(texts[name], danger, where) for name in ("first", "again"))
    heard = [turn.text for turn in dialogue.turns if turn.speaker == dialogue.listener]
    last = next((text for text in reversed(heard) if _ends_alike(text, first) or _ends_alike(text, again)), "")
    return again if last and _ends_alike(last, first) else first


def question(alert: Alert, dialogue: Dialogue) -> str:
    """One direct, caring question; none where it was asked lately."""
    asked = _table()["asks"][alert.danger or "despair"]
    heard = [turn.text for turn in dialogue.turns[-8:] if turn.speaker == dialogue.listener]
    return "" if any(asked in text for text in heard) else asked


def instead() -> str:
    """What is said where a model found no words that may be said."""
    return _table()["words"]["instead"]


def all_replies() -> dict[tuple[str, str], dict[str, str]]:
    """By danger and tier: the texts with their gaps, for the protocol page."""
    tiers: tuple[Tier, ...] = ("active", "imminent")
    return {(danger, tier): _texts(danger, tier) for danger in _table()["asks"] for tier in tiers}


def _texts(danger: str, tier: Tier) -> dict[str, str]:
    found = _table()[danger][tier]
    if "same" in found:
        other, same_tier = found["same"].split(".")
        return _table()[other][same_tier]
    return found


def _filled(text: str, danger: Danger, where: Country | None) -> str:
    words = _table()["words"]
    if where is None:
        return text.format(emergency=words["emergency_anywhere"], help=words["help_anywhere"])
    lines = lines_for(where, danger)
    if not lines:
        return text.format(emergency=words["emergency"].format(number=where.emergency), help=words["help_anywhere"])
    named = ", or ".join(f"{line.name} ({line.how})" for line in lines)
    form = words["help" if all(line.free for line in lines) else "help_paid"]
    there = form.format(country=where.name, lines=named)
    return text.format(emergency=words["emergency"].format(number=where.emergency), help=there)


def _ends_alike(heard: str, given: str) -> bool:
    """By its last words: the country may have been set in between."""
    return heard.split()[-_ENDING:] == given.split()[-_ENDING:]
