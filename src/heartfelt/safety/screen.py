"""The screen: everything that was said goes past all detectors before the first step.

What one detector alone may bring about follows from how often it is wrong on ordinary talk (docs/design/safety.md): words that
leave no doubt, a reader that is sure, or two that agree raise an alarm; one that is only half sure raises a doubt.
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeVar

from heartfelt import languages
from heartfelt.errors import HeartfeltError
from heartfelt.languages import language_in
from heartfelt.models.seam import Model
from heartfelt.records import Alert, Danger, Dialogue, DialogueAct, Sign, Tier, Who
from heartfelt.safety.detect import bodily, guard_model, phrases, rules
from heartfelt.safety.detect.acts import (
    BARE,
    BUTTONS,
    LOWERING,
    QUESTIONS,
    answers_yes_or_no,
    bare_act,
    means_in,
    question_about,
    says_no,
)
from heartfelt.safety.detect.answers import says_yes
from heartfelt.safety.detect.message import PersonMessage, messages, windows
from heartfelt.safety.detect.reader import KNOWN, Read, Reader
from heartfelt.safety.detect.readers import Judge, TwoReaders, by_phrases
from heartfelt.safety.detect.wordings import cared_for, corrects, of_a_story, speaks_of_dying, whose_it_says
from heartfelt.safety.respond import crisis_languages, reply_bank
from heartfelt.safety.risk import Observation, Risk, followed
from heartfelt.safety.settings import Safety
from heartfelt.safety.tiers import alarms, gravest
from heartfelt.text import sentences_of

SURE, AGREES, DOUBTS, CONCERN = 0.75, 0.1, 0.55, 0.85
"""How likely the reader must find danger to raise an alarm alone, to agree with a rule, to raise a doubt, and how likely
danger or concern together to raise one; chosen on validation messages (docs/design/safety.md)."""
CONCERN_SPOKEN = 0.5
"""The same, where what the message does speaks for it too: it calls itself a burden, names a time, longs for the dead."""
SURE_LARGE, DOUBTS_LARGE, CONCERN_LARGE = 0.4, 0.15, 0.6
"""The same for the large reader, which has the whole talk before it and is seldom wrong on ordinary talk."""
SURE_ELSEWHERE = 0.5
"""The same in another language than English (docs/design/safety.md)."""
PLAIN = 0.05
"""Below this the reader finds nothing at all: a no at the beginning then means no."""
SELF = 0.8
"""How likely it must be the person's own danger to be taken for theirs again."""
IMMINENT = 0.7
"""The share of imminent in what the reader finds of danger from which it is taken for that."""
DENIABLE = 0.97
"""Below this a clear no, safe or joke in the same message outweighs the reader."""
HINT, HINTS, TOGETHER = 0.2, 3, 0.85
"""Hints of at least this much in so many messages in a row count together, from this much on as the reader's being sure."""
OWN = (0.6, 0.25, 0.15)
"""How much a message, the one before and the one before that tell whose danger it is."""
FADES = 0.7
"""How much of what a message tells about the kind of danger counts a message later."""
UNEASY, CLOSELY = 0.15, 5
"""How likely danger or concern must be for the next so many messages to be read closely."""
AGAIN, KIND = 0.7, 0.6
"""How likely the large reader must find danger after a clear no for that to count, and a kind of danger for it to take the
place of the one that was found before."""
FITS = 0.2
"""How likely a reply of the bank must answer what was said, without a fault, to be said."""
ASKED_BY_RULE = ("checked", "turned")
"""States whose question the plan asks, whatever was said."""
NOT_GUESSED: tuple[DialogueAct, ...] = ("", "corrects")
"""What no reply of the bank is taken for: nobody can tell what the message does, or the last reply was wrong already."""
SENTENCES = 6
"""Of a message, that are also read one by one."""
LOOKED_BACK = 12
"""Messages of the person over which a danger is followed."""
LATELY = 2
"""Messages whose unease is still felt."""
LOADING = 60.0
"""Seconds that the first message of a process may wait for the reader."""


Found = TypeVar("Found")
Name = TypeVar("Name", bound=str)


class ScreenedMessage(NamedTuple):
    """What was found in one message, and what follows from it."""

    signs: list[Sign]
    observed: Observation


@dataclass(frozen=True)
class Screen:
    safety: Safety
    reader: Reader | None = None
    guard: Model | None = None

    async def look(self, dialogue: Dialogue) -> Alert:
        started = time.perf_counter()
        recent, heard = messages(dialogue)[-LOOKED_BACK:], _heard(dialogue)
        reads, guarded, failed = await self._asked(recent)
        more = [*guarded, *(bodily.signs(dialogue.last.readings) if self.safety.deployment == "private" else [])]
        seen = [
            await asyncio.to_thread(observed, message, _amid(reads[: at + 1]), []) for at, message in enumerate(recent[:-1])
        ]
        seen.append(await asyncio.to_thread(observed, recent[-1], _amid(reads), more, heard))
        risk = followed(each.observed for each in seen)
        return Alert(
            tier=risk.tier,
            danger=risk.danger,
            who=risk.who,
            state=risk.state,
            act=risk.act,
            acts=tuple(each.observed.act for each in seen),
            language=heard or language_in([message.text for message in recent]),
            signs=tuple(_signs(seen, risk)),
            unease=_unease(reads),
            failed=tuple(failed),
            ms=round((time.perf_counter() - started) * 1000, 1),
        )

    async def read_ahead(self, dialogue: Dialogue) -> None:
        """Let the reader, which remembers what it has read, read what may have to be looked at next. No guard is asked: what is
        not finished, and may never be said, is sent to nobody."""
        if self.reader is not None:
            await _within(self.safety.seconds, partial(_read, self.reader, messages(dialogue)[-LOOKED_BACK:]))

    async def words(self, alert: Alert, dialogue: Dialogue) -> str:
        """A reply of the bank that answers what was just said; empty where none does, or nobody can tell."""
        unknown = alert.act in NOT_GUESSED and alert.state != "doubt"
        if not isinstance(self.reader, Judge) or alert.language or alert.state in ASKED_BY_RULE or unknown:
            return ""
        message = messages(dialogue)[-1]
        try:
            read = await self.reader.read(message, closely=True)
            offered = await asyncio.to_thread(reply_bank.candidates, alert, read.acts, dialogue)
            judged = await self.reader.judge(message.lines, offered) if offered else []
        except Exception:  # noqa: BLE001 (whatever keeps it from choosing, the plan has words of its own)
            return ""
        best, text = max(zip((each.good for each in judged), offered, strict=True), default=(0.0, ""))
        return text if best >= FITS else ""

    async def _asked(self, recent: list[PersonMessage]) -> tuple[list[Read | None], list[Sign], list[str]]:
        """The detectors that ask a model. One that fails or takes too long is left out, and the alert says so."""
        loads = self.reader is not None and not self.reader.loaded
        limit = self.safety.seconds + (LOADING if loads else 0)
        reading, guarding = await asyncio.gather(
            _within(limit, partial(_read, self.reader, recent)) if self.reader else _nothing(),
            _within(limit, partial(self._guarded, self.guard, recent[-1].text)) if self.guard else _nothing(),
        )
        failed = [
            f"{name}: {_why(result, self.safety.seconds)}"
            for name, result in (("reader", reading), ("guard", guarding))
            if isinstance(result, Exception)
        ]
        if isinstance(reading, Exception) and isinstance(self.reader, TwoReaders):
            reading = await _within(
                limit, partial(_read, self.reader.quick, recent)
            )  # what the quick one finds is better than nothing
        reads: list[Read | None] = reading if isinstance(reading, list) else [None] * len(recent)
        return reads, guarding if isinstance(guarding, list) else [], failed

    async def _guarded(self, model: Model, text: str) -> list[Sign]:
        sign = await guard_model.ask(model, text, seconds=self.safety.seconds)
        return [sign] if sign else []


def observed(message: PersonMessage, read: Read | None, more: list[Sign], heard: str = "") -> ScreenedMessage:
    """The detectors' findings in one message, weighed against each other. `heard`: the language in which it was spoken."""
    if language := heard or language_in([message.before, message.text]):
        return _elsewhere(message, language, read, more)
    said, yes = rules.signs(message.text), says_yes(message)
    if read is None:
        second = phrases.signs(message.text)
    else:
        said, second = [_weighed(sign, read) for sign in said], list(filter(None, [_read_sign(message.text, read)]))
    found = [*said, *second, *filter(None, [yes]), *more]
    outright = yes is not None or any(alarms(sign.tier) for sign in said) or (read is not None and read.alarm >= DENIABLE)
    return ScreenedMessage(found, _observation(found, read, message, act=act_of(message, read), outright=outright))


def _heard(dialogue: Dialogue) -> str:
    """The language of the last message as it was heard, where it is one of those in which danger is answered."""
    readings = dialogue.last.readings
    return readings.language if readings and crisis_languages.knows(readings.language) else ""


def act_of(message: PersonMessage, read: Read | None) -> DialogueAct:
    """What the message does. A bare yes or no does nothing by itself: only after a question that can be answered so."""
    if button := BUTTONS.get(message.text):
        return button
    if read is None or not read.acts:
        return bare_act(message)
    if len(message.text.split()) <= BARE and read.act in ("denied", "confirmed"):
        return read.act if answers_yes_or_no(message) else ""
    if read.act == "not_me" and read.who != "other":
        return ""
    if read.act == "corrects" and not corrects(message.text):
        return "tells_more"
    if of_a_story(message.text):
        return "fiction"
    plainly = read.alarm < PLAIN and question_about(message) and says_no(message.text)
    return "denied" if plainly and read.act not in LOWERING else read.act


def _elsewhere(message: PersonMessage, language: str, read: Read | None, more: list[Sign]) -> ScreenedMessage:
    """In another language than English: what is said outright, danger and that there is none, and what the large reader, which
    was taught in English but knows some of most languages, is sure of."""
    knows = read if read is not None and read.thorough else None
    found = [*languages.signs(message.text, language), *more]
    outright = bool(found)
    if knows and knows.alarm >= SURE_ELSEWHERE:
        found += filter(None, [_read_sign(message.text, knows)])
    calm = crisis_languages.calm(language, message.text) or (knows is not None and knows.act in LOWERING)
    act: DialogueAct = "safe" if not found and calm else ""
    return ScreenedMessage(found, replace(_observation(found, None, message, act=act, outright=outright), weak=not act))


def _weighed(sign: Sign, read: Read) -> Sign:
    """A rule that is now and then wrong on ordinary talk raises no more than a doubt where the reader does not agree."""
    if not alarms(sign.tier) or sign.why not in rules.unsure() or read.alarm >= AGREES:
        return sign
    return sign.model_copy(update={"tier": "concern", "why": f"{sign.why}; the reader does not agree"})


def _read_sign(text: str, read: Read) -> Sign | None:
    sure, doubts, concern = (SURE_LARGE, DOUBTS_LARGE, CONCERN_LARGE) if read.thorough else (SURE, DOUBTS, CONCERN)
    if read.alarm >= sure:
        tier: Tier = "imminent" if read.tiers["imminent"] >= IMMINENT * read.alarm else "active"
        share = read.alarm
    elif read.alarm >= doubts or read.alarm + read.tiers["concern"] >= (CONCERN_SPOKEN if read.dark >= KNOWN else concern):
        tier, share = "concern", read.alarm + read.tiers["concern"]
    else:
        return None
    return Sign(by="reader", tier=tier, danger=read.danger, quote=text, confidence=round(share, 3))


def _observation(
    found: list[Sign], read: Read | None, message: PersonMessage, *, act: DialogueAct = "", outright: bool
) -> Observation:
    first = next(iter(gravest(found)), None)
    return Observation(
        tier=first.tier if first else "none",
        danger=first.danger if first else None,
        who=None if first is None else read.who if read else "self",
        act=act,
        outright=outright and first is not None,
        ruled=any(alarms(sign.tier) and sign.by != "reader" for sign in found),
        again=read is not None and read.thorough and read.alarm >= AGAIN,
        kind=_kind(read, message),
        weak=read is not None and read.alarm >= AGREES,
        nothing=read is not None and read.thorough and read.tiers["none"] >= 1 - AGREES,
        whose=_whose(read),
        put_right=whose_it_says(message.text),
        cared_for=cared_for(message.text),
        about=question_about(message),
        means=bool(means_in(message.text)),
        words=len(message.text.split()),
    )


def _kind(read: Read | None, message: PersonMessage) -> Danger | None:
    """Suicide only where a word of dying was said now or just before: somebody who worries about a child is not to be asked
    whether it wants to die."""
    if read is not None and read.danger == "suicide" and not speaks_of_dying(f"{message.before} {message.text}"):
        return None
    if read is None or not read.thorough or read.alarm < SURE_LARGE or read.dangers[read.danger] < KIND:
        return None
    return read.danger


def _whose(read: Read | None) -> Who | None:
    if read is None:
        return None
    return "other" if read.who == "other" else "self" if read.whos["self"] >= SELF else None


def _signs(seen: list[ScreenedMessage], risk: Risk) -> list[Sign]:
    """Those of the last message, and the one of an earlier message that a danger still stands on."""
    last = gravest(seen[-1].signs)
    if not risk.stands or any(alarms(sign.tier) for sign in last):
        return last
    for back, each in enumerate(reversed(seen[:-1]), 1):
        if grave := [sign for sign in gravest(each.signs) if alarms(sign.tier)]:
            when = "in the message before" if back == 1 else f"{back} messages ago"
            return [grave[0].model_copy(update={"by": "before", "tier": risk.tier, "why": f"{grave[0].by}, {when}"}), *last]
    return last


def _amid(reads: list[Read | None]) -> Read | None:
    """The last reading, in the light of those before it: several hints make one sign, and who is spoken of goes on."""
    last = reads[-1]
    if last is None:
        return None
    earlier = [read for read in reads[-HINTS:-1] if read is not None][::-1]
    if last.thorough:
        known = [last, *(read for read in earlier if read.thorough)]
        return last._replace(
            dangers=_followed(known, [read.dangers for read in known]), whos=_followed(known, [read.whos for read in known])
        )
    whos = _mixed([last, *earlier])
    hints = [read.alarm for read in (last, *earlier) if read.alarm >= HINT]
    together = 1 - math.prod(1 - hint for hint in hints)
    if last.alarm < HINT or last.alarm >= SURE or together < TOGETHER:
        return last._replace(whos=whos)
    rest = (1 - together) / max(1 - last.alarm, 1e-9)
    grave = together / last.alarm
    tiers = {tier: share * (grave if alarms(tier) else rest) for tier, share in last.tiers.items()}
    return last._replace(tiers=tiers, whos=whos)


def _unease(reads: list[Read | None]) -> float:
    """By what was read closely of late."""
    return round(max((1 - read.tiers["none"] for read in reads[-LATELY:] if read and read.thorough), default=0.0), 3)


def _followed(reads: list[Read], shares: list[dict[Name, float]]) -> dict[Name, float]:
    """What the danger is, or whose, by what was said of late: each message counts as far as it tells of one, and the earlier
    the less."""
    weights = [(1 - read.tiers["none"]) * FADES**back for back, read in enumerate(reads)]
    if not (whole := sum(weights)):
        return shares[0]
    return {name: sum(w * each[name] for w, each in zip(weights, shares, strict=True)) / whole for name in shares[0]}


def _mixed(reads: list[Read]) -> dict[Who, float]:
    weights = OWN[: len(reads)]
    return {
        who: sum(w * read.whos[who] for w, read in zip(weights, reads, strict=True)) / sum(weights) for who in reads[0].whos
    }


async def _read(reader: Reader, recent: list[PersonMessage]) -> list[Read | None]:
    """Once there was something of a danger, what follows is read closely."""
    found: list[Read | None] = []
    uneasy = 0
    for message in recent:
        read = await _gravest_read(reader, message, closely=uneasy > 0)
        uneasy = CLOSELY if read.alarm + read.tiers["concern"] >= UNEASY else uneasy - 1
        found.append(read)
    return found


async def _gravest_read(reader: Reader, message: PersonMessage, *, closely: bool) -> Read:
    """Of a long message the piece with the most danger."""
    pieces = [await _read_piece(reader, message._replace(text=piece), closely=closely) for piece in windows(message.text)]
    gravest_ = max(pieces, key=lambda read: read.alarm)
    return gravest_ if gravest_.thorough else gravest_._replace(acts=await _asking(reader, message, gravest_))


async def _read_piece(reader: Reader, piece: PersonMessage, *, closely: bool) -> Read:
    read = await reader.read(piece, closely=closely)
    return read if read.thorough else by_phrases(read, piece.text)


async def _asking(reader: Reader, message: PersonMessage, read: Read) -> dict[DialogueAct, float]:
    """What the message does; where one of its sentences asks something, that."""
    sentences = sentences_of(message.text)
    if not 1 < len(sentences) <= SENTENCES or read.act in LOWERING:
        return read.acts
    alone = [await reader.read(message._replace(text=sentence)) for sentence in sentences]
    asking = [each.acts for each, text in zip(alone, sentences, strict=True) if each.act in QUESTIONS and text.endswith("?")]
    return asking[0] if asking else read.acts


async def _within(seconds: float, work: Callable[[], Awaitable[Found]]) -> Found | Exception:
    """Begun here, so that nothing is left over where a turn is called off before."""
    try:
        return await asyncio.wait_for(work(), seconds)
    except Exception as error:  # noqa: BLE001 (whatever keeps a detector from looking is told, and the others decide)
        return error


async def _nothing() -> None:
    return None


def _why(error: Exception, seconds: float) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {seconds:g} s"
    return str(error) if isinstance(error, HeartfeltError) else type(error).__name__
