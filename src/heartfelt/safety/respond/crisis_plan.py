"""What is said while somebody may be in danger: sentences of the plan, put together by what was just said and before.

A reply acknowledges, speaks of distance where a means is named, names a service once and then when asked, and asks one thing.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from heartfelt import languages
from heartfelt.records import Alert, Danger, Dialogue, Who
from heartfelt.safety.detect.acts import LOWERING, act_of, means_in
from heartfelt.safety.respond.services import Country, country, lines_for

FILE = Path(__file__).with_name("crisis_plan.toml")
FAMILIES: dict[str, tuple[Danger, ...]] = {
    "mood": ("suicide", "despair", "self-harm"),
    "home": ("abuse", "child"),
    "anger": ("violence",),
    "body": ("medical", "eating"),
}
TAKEN = "taken"
"""What was swallowed already: nobody is asked whether they did."""
OFTEN = 2
THIRD = 3
"""The reply, counted from the first, that names professional help."""
_MINE = re.compile(r"\b(i ?'?m|i am|i'?ll|i (will|want|could|would|swear)|i'?ve|gonna|imma)\b", re.I)


_CANNOT_CALL = re.compile(
    r"\b(can'?t|cannot) (call|ring|phone|talk|speak)\b|\b(will|ll|might|could|would) hear (me|us)\b", re.I
)
_MINOR = re.compile(r"\b(i'?m|i am|im only) (only )?([6-9]|1[0-7])\b(?! (min|hour|week|month|year|day|kg|stone|%))", re.I)


def reviewed() -> str:
    """When, and by whom."""
    return _plan()["reviewed"]


def reply(alert: Alert, dialogue: Dialogue, code: str) -> str:
    """What is said instead of a model's words, where the talk about a danger stands as the alert says."""
    danger: Danger = alert.danger or "despair"
    said = dialogue.last.text
    who = _addressed(alert.who or "self", danger, said)
    heard = [turn.text for turn in dialogue.turns if turn.speaker == dialogue.listener]
    told = [turn.text for turn in dialogue.turns if turn.speaker != dialogue.listener]
    where = country(code)
    parts = _Parts(heard, told, danger, who, where)
    if alert.language:
        return _elsewhere(alert.language, danger, where, heard)
    match alert.state:
        case "doubt":
            return parts.pick(_plan()["doubt"][who][_family(danger)])
        case "heard":
            return parts.pick(_plan()["heard"][who][alert.act if alert.act in LOWERING else "safe"])
        case "checked":
            return parts.pick(_plan()["checked"][who])
        case "turned":
            return parts.pick(_plan()["turned"][who])
        case _:
            return " ".join(parts.crisis(alert, means_in(said)))


def instead() -> str:
    """What is said where a model found no words that may be said."""
    return _plan()["words"]["instead"]


def texts() -> list[str]:
    """Every sentence that can be said, with its gaps: for the protocol page and for whoever checks them."""
    return [text for name, part in _plan().items() if name not in ("acts", "means", "reviewed") for text in _leaves(part)]


def sections() -> dict[str, dict[str, Any]]:
    return {name: part for name, part in _plan().items() if name not in ("acts", "means", "reviewed", "words")}


class _Parts:
    """Sentences for one reply. What was said before in this talk is not said again while there are other words."""

    def __init__(self, heard: list[str], told: list[str], danger: Danger, who: Who, where: Country | None):
        self.heard, self.who, self.where = heard, who, where
        self.danger: Danger = danger
        self.taken = any(means_in(text) == TAKEN for text in told)
        self.refused = any(act_of(text) in ("numbers", "hospital") or _CANNOT_CALL.search(text) for text in told)
        self.helped = any(act_of(text) == "help_coming" for text in told)
        self.minor = any(_MINOR.search(text) for text in told)

    def crisis(self, alert: Alert, means: str) -> Iterator[str]:
        plan, imminent = _plan(), alert.tier == "imminent"
        opened = alert.state == "opened"
        turns = sum(any(question in text for question in self._questions(imminent=True)) for text in self.heard)
        first = opened and alert.act not in ("numbers", "asks_call", "secrecy")
        yield self.filled(self.pick(plan["opened"][self.who][self.danger] if first else self._acknowledging(alert.act)))
        if imminent and alert.act != "asks_call" and self._may_name_emergency(opened=opened, turns=turns):
            yield self._emergency()
        if means and self._fits(means) and (distance := self._new(plan["distance"][self.who][means])):
            yield distance
        if alert.act != "wants_service" and not self.refused and self._helps() and not self._said(self._help()):
            yield self._help()
        elif self.who == "other" and (advice := self._new(plan["advice"][self.danger])):
            yield advice
        elif turns + 1 == THIRD and not self.refused and not self._said(plan["words"]["professional"]):
            yield plan["words"]["professional"]
        questions = self._questions(imminent=imminent and not self.helped)
        if alert.act != "help_coming" and (
            question := self._new(questions[1:] if self.taken and not self.helped else questions)
        ):
            yield question

    def _may_name_emergency(self, *, opened: bool, turns: int) -> bool:
        """At once and twice at most, and not against somebody's wish; but every second time where a body is in danger."""
        if self.helped:
            return False
        bodily = self.taken or self.danger == "medical"
        often = sum(self._emergency() in text for text in self.heard)
        return opened or (turns % 2 == 1 and (bodily or (often < OFTEN and not self.refused)))

    def _fits(self, means: str) -> bool:
        """Medicine that somebody ill speaks of is no means."""
        return self.danger != "medical" or means == TAKEN

    def _helps(self) -> bool:
        """For what needs a doctor a helpline is no help, unless something was swallowed."""
        return self.danger != "medical" or (self.taken and bool(self.where and lines_for(self.where, self.danger)))

    def pick(self, wordings: list[str]) -> str:
        """The first that was not used; where all were, the one that was used longest ago."""
        return self._new(wordings) or min(wordings, key=self._last)

    def filled(self, text: str) -> str:
        return text.replace("{help}", self._help()).replace("{emergency}", self._emergency())

    def _acknowledging(self, act: str) -> list[str]:
        given = _plan()["acknowledged"][self.who]
        if act in given:
            return given[act]
        return [*given.get("by", {}).get(self.danger, []), *given["more"]]

    def _questions(self, *, imminent: bool) -> list[str]:
        given = _plan()["asked"][self.who]
        usual: list[str] = given[self.danger]
        return [*given["imminent"].get(_kin(self.danger), []), *usual] if imminent else usual

    def _new(self, wordings: list[str]) -> str:
        return next((text for text in wordings if not self._said(text)), "")

    def _said(self, text: str) -> bool:
        return self._last(text) >= 0

    def _last(self, text: str) -> int:
        filled = self.filled(text) if "{" in text else text
        return max((at for at, heard in enumerate(self.heard) if filled in heard), default=-1)

    def _line(self) -> Danger:
        """Whose lines are named: children have their own, and who might hurt somebody is heard by those for a crisis."""
        if self.minor and self.danger in ("abuse", "child"):
            return "child"
        return "suicide" if self.danger == "violence" and self.who == "self" else self.danger

    def _emergency(self) -> str:
        words = _plan()["words"]
        return words["emergency"].format(number=self.where.emergency) if self.where else words["emergency_anywhere"]

    def _help(self) -> str:
        words = _plan()["words"]
        lines = lines_for(self.where, self._line()) if self.where else []
        if not self.where or not lines:
            return words["help_anywhere"]
        named = ", or ".join(f"{line.name} ({line.how})" for line in lines)
        form = words["help" if all(line.free for line in lines) else "help_paid"]
        return form.format(country=self.where.name, lines=named)


def _elsewhere(language: str, danger: Danger, where: Country | None, heard: list[str]) -> str:
    """In the person's own language; what was said already is not said again."""
    lines = ", ".join(f"{line.name} ({line.number or line.how})" for line in (lines_for(where, danger) if where else []))
    first = languages.danger_reply(language, where.emergency if where else "", lines)
    return first if first not in heard else f"{languages.sorry(language)} {languages.help_anywhere(language)}".strip()


def _addressed(who: Who, danger: Danger, said: str) -> Who:
    """Who might hurt somebody is spoken to as the one who can stop, though it is the other who is in danger."""
    return "self" if danger == "violence" and _MINE.search(said) else who


def _family(danger: Danger) -> str:
    return next(name for name, dangers in FAMILIES.items() if danger in dangers)


def _kin(danger: Danger) -> Danger:
    """Despair that is near is asked about like suicide."""
    return "suicide" if danger == "despair" else danger


def _leaves(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    else:
        for each in part.values() if isinstance(part, dict) else part:
            yield from _leaves(each)


@cache
def _plan() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text("utf-8"))
