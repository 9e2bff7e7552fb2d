"""What is said while somebody may be in danger: sentences of the plan, put together by what was just said and before.

A reply acknowledges, speaks of distance where a means is named, names a service once and then when asked, and asks one thing.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from heartfelt.records import Alert, Danger, Dialogue, DialogueAct, Who
from heartfelt.safety.detect.acts import DARK, GRAVE, LOWERING, means_in
from heartfelt.safety.detect.wordings import (
    asked_for_pictures,
    asks_about_dying,
    asks_in_pain,
    by_another,
    called_help,
    cared_for,
    grown_up,
    lies_in_wait,
    of_a_child,
    put_away,
    says_not_to_die,
    says_they_do_not_want_to_die,
    speaks_of_another,
    speaks_of_self,
    threatens,
    wants_no_lines,
    wants_no_questions,
    wants_to_know,
    whose_it_says,
    writes_stories,
)
from heartfelt.safety.respond import crisis_languages
from heartfelt.safety.respond.answers import answers, answers_to
from heartfelt.safety.respond.helpers import helper_in
from heartfelt.safety.respond.places import country_in
from heartfelt.safety.respond.services import Country, country, lines_for
from heartfelt.safety.tiers import alarms
from heartfelt.text import asks, sentences_of

FILE = Path(__file__).with_name("crisis_plan.toml")
RULES = ("means", "reviewed", "closes", "fits")
"""What of the plan is never said."""
FAMILIES: dict[str, tuple[Danger, ...]] = {
    "mood": ("suicide", "despair", "self-harm"),
    "home": ("abuse", "child"),
    "anger": ("violence",),
    "body": ("medical", "eating"),
}
PLACES = ("place", "car", "fumes", "taken")
"""Means that nobody can give away."""
TAKEN, FUMES = "taken", "fumes"
"""What was swallowed already: nobody is asked whether they did. What may poison the air: nobody is told to sit down in it."""
REFUSES: tuple[DialogueAct, ...] = ("numbers", "hospital", "police", "watched", "locked_up")
"""After these no service is named unless it is asked for."""
AT_ONCE: tuple[DialogueAct, ...] = (
    "asks_call",
    "medical_question",
    "numbers",
    "secrecy",
    "wants_service",
    "swallowed",
    "private_here",
    "must_tell",
    "locked_up",
    "asks_wait",
    "asks_drive",
)
"""What is taken up even in the first reply."""
LET_BE: tuple[DialogueAct, ...] = (
    "help_coming",
    "helper_coming",
    "agrees",
    "did_it",
    "thanks",
    "brief",
    "going_to_sleep",
    "goodbye",
    "wants_service",
    "worn_out",
    "waiting",
)
"""After these nothing is asked beyond what their own sentences ask."""
KNOWN: tuple[DialogueAct, ...] = (*GRAVE, *DARK, "confirmed", "they_said_yes", "means_kept", "wound", "pain")
"""After these it is clear that there is a danger: nobody says any more that they may not have understood."""
EASED: tuple[DialogueAct, ...] = ("did_it", "helper_coming", "better", "agrees", "thanks", "safe", "not_now")
"""What makes an imminent danger less urgent, unless a body is in danger."""
OFTEN = 2
ATTENDED = 3
"""Messages for which somebody counts as in the hands of those whose work it is, once they have said so."""
LATE = 4
"""Replies after which somebody whose danger is imminent is no longer asked whether there is one."""
THIRD = 3
"""The reply, counted from the first, that names professional help."""
LONG = 22
"""Words of an acknowledgement after which no further advice is given."""
_GAP = re.compile(r"\{\w+\}")
_MINOR = re.compile(r"\b(i'?m|i am|im only) (only )?([6-9]|1[0-7])\b(?! (min|hour|week|month|year|day|kg|stone|%))", re.I)


def reviewed() -> str:
    """When, and by whom."""
    return _plan()["reviewed"]


def reply(alert: Alert, dialogue: Dialogue, code: str, words: str = "") -> str:
    """What is said instead of a model's words, where the talk about a danger stands as the alert says. `words`: a reply of the
    bank that was found to fit; the plan adds what has to be said besides."""
    danger: Danger = alert.danger or "despair"
    said = dialogue.last.text
    heard = [turn.text for turn in dialogue.turns if turn.speaker == dialogue.listener]
    told = [turn.text for turn in dialogue.turns if turn.speaker != dialogue.listener]
    who = addressed(alert, said, told)
    not_dying = danger in ("suicide", "despair") and any(map(says_they_do_not_want_to_die, told))
    if who == "other" and (not_dying or danger == "self-harm") and any(map(by_another, told)):
        danger = "abuse"
    elif danger in ("abuse", "child") and any(map(lies_in_wait, told)) and not any(map(by_another, told)):
        danger, who = "violence", "self"
    if danger == "child" and who == "self" and any(map(grown_up, told)):
        danger = "abuse"
    if danger == "abuse" and who == "other" and any(map(of_a_child, told)):
        danger = "child"
    where = country(code or country_in(told))
    parts = _ReplyParts(alert, heard, told, danger, who, where)
    if crisis_languages.knows(alert.language):
        return _elsewhere(alert, said, danger, where, heard)
    answer = parts.answer(said)
    match alert.state:
        case "doubt":
            return parts.after(answer, words or parts.pick(parts.doubted()))
        case "heard":
            meant_otherwise = alert.act == "corrects" and not parts.attended
            act = alert.act if alert.act in LOWERING else "joke" if meant_otherwise else "safe"
            return parts.after(answer, parts.filled(words) or parts.pick(_plan()["heard"][who][act]))
        case "checked":
            return parts.pick(_plan()["checked"][who])
        case "turned":
            return parts.after(answer, parts.pick(_plan()["turned"][who]))
        case _:
            return " ".join(parts.crisis(alert, means_in(said), words, answer))


def instead() -> str:
    """What is said where a model found no words that may be said."""
    return _plan()["words"]["instead"]


def fits(act: DialogueAct, danger: Danger) -> bool:
    """Whether an act is answered as such in a talk about this danger."""
    return _family(danger) in _plan()["fits"].get(act, FAMILIES)


def texts() -> list[str]:
    """Every sentence that can be said, with its gaps: for the protocol page and for whoever checks them."""
    said = [text for name, part in _plan().items() if name not in RULES for text in _leaves(part)]
    return [*said, *(text for one in answers() for text in one.says)]


def sections() -> dict[str, dict[str, Any]]:
    return {name: part for name, part in _plan().items() if name not in (*RULES, "words")}


class _ReplyParts:
    """Sentences for one reply. What was said before in this talk is not said again while there are other words."""

    def __init__(self, alert: Alert, heard: list[str], told: list[str], danger: Danger, who: Who, where: Country | None):
        self.heard, self.told, self.where = heard, told, where
        self.who: Who = who
        self.danger: Danger = danger
        self.act = alert.act
        did = set(alert.acts) | {alert.act}
        self.taken = "swallowed" in did or any(means_in(text) == TAKEN for text in told)
        self.bodily = self.taken or danger == "medical"
        self.imminent = alert.tier == "imminent"
        self.attended = any(map(cared_for, told[-ATTENDED:]))
        self.refused = not did.isdisjoint(REFUSES) or any(map(wants_no_lines, told))
        self.unasked = any(map(wants_no_questions, told)) and not self.bodily
        self.helped = "help_coming" in did or self._called_when_asked()
        self.minor = "young" in did or any(_MINOR.search(text) for text in told)
        self.alarmed = any(alarms(sign.tier) and sign.by != "before" for sign in alert.signs)
        self.known = not did.isdisjoint(KNOWN)
        self.closed = {topic for act in did for topic in _plan()["closes"].get(act, ())} | self._told_outright(alert)
        if any(map(asks_about_dying, heard)) or any(map(says_not_to_die, told)):
            self.closed.add("danger")
        if any(means_in(text) in PLACES for text in told):
            self.closed.add("means")

    def _called_when_asked(self) -> bool:
        """Whether help was called after this talk asked for it: a call of long ago is none for now."""
        again, full = _plan()["words"]["emergency_again"], self._emergency_in_full()
        asked = next((at for at, text in enumerate(self.heard) if again in text or full in text), len(self.told))
        return any(map(called_help, self.told[asked + 1 :]))

    def answer(self, said: str) -> str:
        """To a plain question in what was said; each wording once in a talk."""
        return self._new(list(answers_to(said, _family(self.danger), self.who, " . ".join(self.told))))

    def after(self, answer: str, words: str) -> str:
        """An answer, and of the words only what they ask."""
        if not answer:
            return words
        return f"{answer} {_split(words)[1]}".strip() if words.endswith("?") else answer

    def crisis(self, alert: Alert, means: str, found: str = "", answer: str = "") -> Iterator[str]:
        plan, imminent = _plan(), alert.tier == "imminent"
        opened = alert.state == "opened"
        turns = len([text for text in self.heard if any(question in text for question in self._all_questions())])
        if opened and self._in_a_story(alert):
            yield " ".join(filter(None, [answer, self.pick(plan["opened"]["story"])]))
            return
        if opened and not (answer or means) and alert.act not in AT_ONCE and self._only_hinted(alert):
            yield self.pick(plan["opened"]["softly"][self.who][self.danger])
            return
        found = found if not (answer or means == FUMES) else ""
        first = opened and not found and not answer and alert.act not in AT_ONCE
        words = answer or found or (self._opening() if first else "" if opened or not turns else self._unsure(alert.act))
        words = words or self._acknowledging(alert.act)
        if not (answer or found or first) and asks(self.told[-1]):
            words = self._owning_up(words, alert.act)
        acknowledged = self.filled(f"{plan['words']['being']} {words}" if opened and not first else words)
        # what has to be said besides stands before the question that the words themselves end in
        said, own_question = _split(acknowledged)
        if own_question.startswith("Who") and (self._told_of_people() or self._asked_who() >= OFTEN):
            own_question = ""
        if own_question.startswith("Who") and (helper := self._new(self._helper_question())):
            own_question = helper
        yield said
        named = self._emergency() in acknowledged
        eased = alert.act in EASED and not self.bodily
        near = opened or not (found or answer) or self.bodily or alert.act in GRAVE
        if imminent and near and not named and not eased and self._may_name_emergency(opened=opened, turns=turns):
            yield self._emergency()
        near_means = bool(means) and self._fits(means, alert.act) and not self._is_away(means, alert.act)
        if near_means and (distance := self._new(self._distance(means))):
            yield distance
        if own_question:
            yield own_question
            return
        if self._may_name_help(acknowledged):
            yield self._help()
        elif len(acknowledged.split()) <= LONG and not answer:
            yield from self._advising(turns)
        curious = (opened or not found) and alert.act not in LET_BE and not (self.unasked or self.attended)
        if curious and (question := self._question(imminent=imminent and not self.helped)):
            yield question

    def _distance(self, means: str) -> list[str]:
        """What somebody at home holds over another is theirs to keep away from, not to put away."""
        held_by_another = _family(self.danger) == "home"
        return _plan()["distance"]["other" if held_by_another else self.who][means]

    def _is_away(self, means: str, act: DialogueAct) -> bool:
        """Whether nobody has to be told any more to put it out of reach."""
        return means not in PLACES and (act == "means_away" or put_away(self.told[-1]))

    def _only_hinted(self, alert: Alert) -> bool:
        """A reader alone suspects it: they are asked, and not yet treated as if they had said so."""
        alone = alert.tier == "active" and all(sign.by == "reader" for sign in alert.signs) and bool(alert.signs)
        mild = self.danger in _plan()["opened"]["softly"][self.who] and not self.known
        return alone and mild and "danger" not in self.closed

    def doubted(self) -> list[str]:
        """What is asked where there is only a doubt. Nobody is asked about people whom they have not spoken of."""
        given = _plan()["doubt"][self.who]
        family = _family(self.danger)
        if self.who == "self" and family in ("home", "anger") and not any(map(speaks_of_another, self.told)):
            return given["mood"]
        return given.get(self.danger) or given[family]

    def _owning_up(self, words: str, act: DialogueAct) -> str:
        """Who has asked what nobody here can answer is told so, and not passed over. What is said about an act may be an answer
        itself; a sentence that fits anything is none."""
        question = next(part for part in reversed(sentences_of(self.told[-1])) if part.rstrip().endswith("?"))
        pained, near = asks_in_pain(question), self.imminent or self.bodily
        if (pained and near) or not (pained or wants_to_know(question)):
            return words
        unknowing = self._new(_plan()["unanswered"]["felt" if pained else "urgent" if near else "calmer"])
        general = words in (*self._anything(act), *_plan()["unsure"][self.who])
        if not unknowing or not (general or act == "corrects"):
            return words
        return unknowing if general else f"{_split(words)[0]} {unknowing}"

    def _in_a_story(self, alert: Alert) -> bool:
        """Somebody writes or plays it, and a reader alone takes it for danger: they are asked."""
        alone = bool(alert.signs) and all(sign.by == "reader" for sign in alert.signs)
        return alone and alert.tier == "active" and any(map(writes_stories, self.told))

    def _opening(self) -> str:
        return self.pick(_plan()["opened"][self.who][self.danger])

    def _unsure(self, act: DialogueAct) -> str:
        """Asked instead of guessed, where nobody can tell what was done: not twice in a row, nor where it is urgent."""
        wordings: list[str] = _plan()["unsure"][self.who]
        asked_last = bool(self.heard) and any(text in self.heard[-1] for text in wordings)
        clear = self.known or self.alarmed or "danger" in self.closed
        return "" if act or self.imminent or asked_last or clear else self._new(wordings)

    def _told_of_people(self) -> bool:
        return "people" in self.closed and self.act not in ("names_helper", "no_one")

    def _asked_who(self) -> int:
        return sum("Who " in text for text in self.heard)

    def _may_name_help(self, acknowledged: str) -> bool:
        return not self.refused and self._helps() and not self._said(self._help()) and self._help() not in acknowledged

    def _advising(self, turns: int) -> Iterator[str]:
        plan = _plan()
        if self.who == "other" and (advice := self._new(plan["advice"][self.danger])):
            yield advice
        elif turns + 1 == THIRD and not self.refused and not self._said(plan["words"]["professional"]):
            yield plan["words"]["professional"]

    def _told_outright(self, alert: Alert) -> set[str]:
        """Nobody is asked whether they think of it who has just said so."""
        said = any(sign.danger == self.danger and sign.by in ("rules", "answer", "before") for sign in alert.signs)
        return {"danger"} if said else set()

    def _may_name_emergency(self, *, opened: bool, turns: int) -> bool:
        """At once and twice at most, and not against somebody's wish; but every second time where a body is in danger."""
        if self.helped:
            return False
        return opened or (turns % 2 == 1 and (self.bodily or not (self._called_for_often() or self.refused)))

    def _called_for_often(self) -> bool:
        """Whether it was asked to call often enough, unless a body is in danger."""
        words = _plan()["words"]
        called = [text for text in self.heard if words["emergency_again"] in text or self._emergency_in_full() in text]
        return not self.bodily and len(called) >= OFTEN

    def _fits(self, means: str, act: DialogueAct) -> bool:
        """Medicine that somebody ill speaks of is no means; and what was swallowed is answered by its own words."""
        return (self.danger != "medical" or means in (TAKEN, FUMES)) and not (means == TAKEN and act == "swallowed")

    def _helps(self) -> bool:
        """For what needs a doctor a helpline is no help, unless something was swallowed."""
        return self.danger != "medical" or (self.taken and bool(self.where and lines_for(self.where, self.danger)))

    def pick(self, wordings: list[str]) -> str:
        """The first that was not used; where all were, the one that was used longest ago."""
        return self._new(wordings) or min(wordings, key=self._last)

    def filled(self, text: str) -> str:
        call = "" if self.helped else self._emergency()
        return " ".join(text.replace("{help}", self._help()).replace("{emergency}", call).split())

    def _acknowledging(self, act: DialogueAct) -> str:
        """Words for what was just done; once they are used up, words that fit anything."""
        tables, anything = self._tables(act), self._anything(act)
        wordings = next((table[act] for table in tables if act in table and fits(act, self.danger)), anything)
        if self.helped or self._called_for_often():
            wordings = [text for text in wordings if "{emergency}" not in text]
        return self._new(wordings) or self.pick(anything)

    def _tables(self, act: DialogueAct) -> list[dict[str, list[str]]]:
        """Where words for an act are looked for, one after the other."""
        given = _plan()["acknowledged"][self.who]
        danger = "child" if self.minor and self.danger == "abuse" else self.danger
        urgent = self.bodily or (self.imminent and act not in EASED)
        keys = [*(["urgent"] if urgent else []), danger, _family(self.danger)]
        return [*(given["by"].get(key, {}) for key in keys), given]

    def _anything(self, act: DialogueAct) -> list[str]:
        return next(table["more"] for table in self._tables(act) if "more" in table)

    def _question(self, *, imminent: bool) -> str:
        asked = _plan()["asked"][self.who]
        near = asked["imminent"].get(_kin(self.danger), {}) if imminent else {}
        topics = [(topic, text) for topic, text in (*near.items(), *asked[self.danger].items())]
        if named := self._helper_question():
            topics = [(topic, named[0] if topic in ("people", "call") else text) for topic, text in topics]
        closed = self.closed | ({"danger"} if len(self.heard) > LATE and near else set())
        return self._new([text for topic, text in topics if topic not in closed])

    def _helper_question(self) -> list[str]:
        """Asks about the one whom the person spoke of. Where somebody is hurt at home or may hurt others, nobody can tell from
        afar who is safe to be told."""
        if self.who != "self" or _family(self.danger) not in ("mood", "body") or "people" in self.closed:
            return []
        helper = helper_in(self.told)
        return [_plan()["words"]["helper"].format(helper=helper)] if helper else []

    def _all_questions(self) -> list[str]:
        asked = _plan()["asked"][self.who]
        return [*asked["imminent"].get(_kin(self.danger), {}).values(), *asked[self.danger].values()]

    def _new(self, wordings: list[str]) -> str:
        return next((text for text in wordings if not self._said(text)), "")

    def _said(self, text: str) -> bool:
        return self._last(text) >= 0

    def _last(self, text: str) -> int:
        pieces = [piece for piece in map(str.strip, _GAP.split(text)) if piece] or [self.filled(text)]
        return max((at for at, heard in enumerate(self.heard) if all(piece in heard for piece in pieces)), default=-1)

    def _line(self) -> Danger:
        """Whose lines are named: children have their own, and who might hurt somebody is heard by those for a crisis."""
        if self.minor and self.danger in ("abuse", "child"):
            return "child"
        return "suicide" if self.danger == "violence" and self.who == "self" else self.danger

    def _emergency(self) -> str:
        """With the number the first time, and shorter when it was said already."""
        full = self._emergency_in_full()
        return _plan()["words"]["emergency_again"] if any(full in text for text in self.heard) else full

    def _emergency_in_full(self) -> str:
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


def _split(text: str) -> tuple[str, str]:
    """What is said, and the question at its end, where there is one."""
    if not text.endswith("?"):
        return text, ""
    *said, question = sentences_of(text)
    return " ".join(said) or question, question if said else ""


def _elsewhere(alert: Alert, said: str, danger: Danger, where: Country | None, heard: list[str]) -> str:
    lines = ", ".join(f"{line.name} ({line.number or line.how})" for line in (lines_for(where, danger) if where else []))
    number, ended = where.emergency if where else "", alert.state == "heard"
    return crisis_languages.reply(
        alert.language, said, heard, family=_family(danger), emergency=number, lines=lines, ended=ended
    )


def addressed(alert: Alert, said: str, told: list[str]) -> Who:
    """Who might hurt somebody is spoken to as the one who can stop, though it is the other who is in danger; and of whom
    somebody wants pictures, as the child that this is done to."""
    if alert.danger == "child" and any(map(asked_for_pictures, told)) and not any(grown_up(t) or of_a_child(t) for t in told):
        return "self"
    told_apart = any(whose_it_says(text) == "other" for text in told)
    own = alert.danger == "violence" and not told_apart and (speaks_of_self(said) or any(map(threatens, told)))
    return "self" if own else alert.who or "self"


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
