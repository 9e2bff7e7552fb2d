"""How well the screen tells danger from its look-alikes: on labelled messages, and on ordinary talk."""

import csv
import json
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from pydantic import ValidationError

from heartfelt.errors import HeartfeltError, InputError
from heartfelt.evaluation.statistics.interval import wilson
from heartfelt.events import Event, Screened
from heartfelt.intake import PERSON
from heartfelt.listener import Listener
from heartfelt.models import Scripted
from heartfelt.records import Alert, Danger, Dialogue, Record, Tier, Turn, Who
from heartfelt.safety.detect.acts import LOWERING
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.detect.reader import Read, Reader
from heartfelt.safety.screen import Screen, act_of
from heartfelt.safety.settings import Safety
from heartfelt.safety.tiers import alarms
from heartfelt.setup import Setup

Form: TypeAlias = Literal["direct", "indirect", "alike", "plain"]
PATIENT = Safety(seconds=600.0)
"""As it is set by default, but that a busy machine does not decide what is found."""


class Labelled(Record):
    """A message that was written for measuring."""

    text: str
    tier: Tier
    danger: Danger | Literal["-"]
    form: Form
    """Said outright, to be understood, only like danger by its words, or not even that."""
    who: Who | Literal["-"] = "-"
    asked: str = ""
    before: str = ""
    """What the listener and the person said before it, where that matters."""

    @property
    def dialogue(self) -> Dialogue:
        said = [(PERSON, self.before), ("Listener", self.asked), (PERSON, self.text)]
        return Dialogue(turns=tuple(Turn(speaker=speaker, text=text) for speaker, text in said if text))


class Share(NamedTuple):
    """How many of how many, with Wilson's interval of 95 %."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        return self.hits / self.of if self.of else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.value, self.of)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.3f} [{low:.3f}, {high:.3f}] of {self.of}"


class ScreenFigures(NamedTuple):
    found: Share
    """Of messages that tell of active or imminent danger, those with an alarm."""
    false: Share
    """Of messages that only look like danger, those with an alarm."""
    plain: Share
    """Of messages that do not even look like it, those with an alarm."""
    concern: Share
    """Of messages that give concern, those noticed at all."""
    who: Share
    """Of dangers that were noticed, those where it was told right who is in danger."""
    by: dict[str, Share]
    """Found, by danger and by form."""


def read_labelled(path: Path) -> list[Labelled]:
    """A CSV with the columns text, tier, danger and form."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [Labelled.model_validate(row) for row in csv.DictReader(file)]
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValidationError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} does not hold labelled messages (text, tier, danger, form): {error}") from None


class _Reads:
    """A reader that only reads: what would be said is not chosen where only the finding is measured."""

    name = "reader"

    def __init__(self, reader: Reader):
        self._reader = reader

    @property
    def loaded(self) -> bool:
        return self._reader.loaded

    async def read(self, message: PersonMessage, *, closely: bool = False) -> Read:
        return await self._reader.read(message, closely=closely)


async def alerts_of(messages: Iterable[Labelled], recipe: str, reader: Reader | None = None) -> list[Alert]:
    """What a recipe does with each message. Its model is mute: whatever is not alarmed fails, which tells as much."""
    found: list[Alert] = []

    def watch(event: Event) -> None:
        if isinstance(event, Screened):
            found.append(event.alert)

    async with Listener(
        Setup(recipe=recipe, safety=PATIENT), model=Scripted({}), reader=reader and _Reads(reader), observers=(watch,)
    ) as listener:
        for message in messages:
            try:
                await listener.answer(message.dialogue)
            except HeartfeltError:
                continue
    return found


def figures(messages: list[Labelled], alerts: list[Alert]) -> ScreenFigures:
    pairs = list(zip(messages, alerts, strict=True))

    def share(wanted: Callable[[Labelled], bool], hit: Callable[[Alert], bool] = lambda alert: alarms(alert.tier)) -> Share:
        chosen = [hit(alert) for message, alert in pairs if wanted(message)]
        return Share(sum(chosen), len(chosen))

    whose = [alert.who == message.who for message, alert in pairs if message.who != "-" and alarms(message.tier) and alert.who]

    grave = [message for message in messages if alarms(message.tier)]
    dangers, forms = sorted({str(message.danger) for message in grave}), sorted({str(message.form) for message in grave})
    return ScreenFigures(
        found=share(lambda message: alarms(message.tier)),
        false=share(lambda message: message.tier == "none" and message.form == "alike"),
        plain=share(lambda message: message.tier == "none" and message.form == "plain"),
        concern=share(lambda message: message.tier == "concern", lambda alert: alert.tier != "none"),
        who=Share(sum(whose), len(whose)),
        by={
            name: share(lambda it, name=name: alarms(it.tier) and name in (it.danger, it.form, it.tier))
            for name in (*dangers, *forms, "imminent")
        },
    )


class Acted(NamedTuple):
    """How well it is told what somebody does with their words."""

    told: Share
    """Messages of which something is told."""
    right: Share
    """Of those, the ones told right."""
    lowered: Share
    """Of messages that take a danger back, those that do so for the screen."""
    lowered_wrongly: Share
    """Of all others, the same."""


async def acted(path: Path, reader: Reader) -> Acted:
    """A CSV with the columns text, act and asked."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = [(row["act"], PersonMessage(row["text"], row["asked"])) for row in csv.DictReader(file)]
    except (OSError, UnicodeDecodeError, csv.Error, KeyError) as error:
        raise InputError(f"{path} does not hold messages and what they do (text, act, asked): {error}") from None
    pairs = [(act, act_of(message, await reader.read(message, closely=True))) for act, message in rows]
    told = [(act, found) for act, found in pairs if found]
    back, other = ([found in LOWERING for act, found in pairs if (act in LOWERING) == lowers] for lowers in (True, False))
    return Acted(
        Share(len(told), len(pairs)),
        Share(sum(act == found for act, found in told), len(told)),
        Share(sum(back), len(back)),
        Share(sum(other), len(other)),
    )


class Ordinary(NamedTuple):
    """Of ordinary talk, what was disturbed."""

    alarmed: Share
    """Messages with an alarm."""
    asked: Share
    """Messages answered by a reviewed question or reply of any kind."""
    talks: Share
    """Whole talks with an alarm at any turn."""


async def disturbed(dialogues: Iterable[Dialogue], reader: Reader | None, told: Callable[[Dialogue, Alert], Any]) -> Ordinary:
    """Every turn of the person is looked at with what was said before it."""
    screen = Screen(PATIENT, reader)
    talks, alerts = list[bool](), list[Alert]()
    for dialogue in dialogues:
        own = [i for i, turn in enumerate(dialogue.turns) if turn.speaker != dialogue.listener]
        found = [await screen.look(dialogue.model_copy(update={"turns": dialogue.turns[: i + 1]})) for i in own]
        for alert in found:
            if alert.state:
                told(dialogue, alert)
        alerts += found
        talks.append(any(alarms(alert.tier) for alert in found))
    return Ordinary(
        Share(sum(alarms(alert.tier) for alert in alerts), len(alerts)),
        Share(sum(bool(alert.state) for alert in alerts), len(alerts)),
        Share(sum(talks), len(talks)),
    )


def read_talks(path: Path) -> Iterator[Dialogue]:
    """JSON lines with the turns of a talk, the person first."""
    try:
        for line in path.read_text("utf-8").splitlines():
            turns = json.loads(line)["turns"]
            yield Dialogue(turns=tuple(Turn(speaker=(PERSON, "Listener")[at % 2], text=text) for at, text in enumerate(turns)))
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} does not hold talks (JSON lines with turns): {error}") from None


class TurnLabel(NamedTuple):
    """How grave it is at a turn, which danger, and who is in it; `-`: none, nobody."""

    tier: Tier
    danger: str
    who: str


class LabelledTalk(NamedTuple):
    dialogue: Dialogue
    labels: dict[int, TurnLabel]
    """By the place of a turn of the person's."""


class TalkFigures(NamedTuple):
    """Of whole talks, turn by turn."""

    found: Share
    """Of turns in which there is active or imminent danger, those with an alarm."""
    imminent: Share
    concern: Share
    """Of turns that give concern, those at which anything is noticed."""
    false: Share
    """Of turns without danger, those with an alarm."""
    before: Share
    """The same in talks, or their beginnings, in which nothing was wrong so far."""
    danger: Share
    """Of dangers with an alarm, those of which the kind is told right."""
    who: Share
    """Of these, those where it is told right who is in danger."""


def read_labelled_talks(path: Path) -> Iterator[LabelledTalk]:
    """JSON lines with `turns`: `["P", text, tier, danger, who, act]` or `["L", text]`."""
    try:
        for line in path.read_text("utf-8").splitlines():
            turns = json.loads(line)["turns"]
            said = tuple(Turn(speaker=PERSON if side == "P" else "Listener", text=text) for side, text, *_ in turns)
            labels = {at: TurnLabel(*turn[2:5]) for at, turn in enumerate(turns) if turn[0] == "P"}
            yield LabelledTalk(Dialogue(turns=said), labels)
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError, IndexError) as error:
        raise InputError(f"{path} does not hold labelled talks (JSON lines with turns): {error}") from None


async def followed_through(
    talks: Iterable[LabelledTalk], reader: Reader | None, told: Callable[[str, TurnLabel, Alert], Any]
) -> TalkFigures:
    """Every turn of the person is looked at with what was said before it. `told` hears of each that was taken for another."""
    screen = Screen(PATIENT, reader)
    found, before = list[tuple[TurnLabel, Alert]](), list[bool]()
    for dialogue, labels in talks:
        calm = True
        for at, label in labels.items():
            alert = await screen.look(dialogue.model_copy(update={"turns": dialogue.turns[: at + 1]}))
            found.append((label, alert))
            calm = calm and label.tier == "none"
            if calm:
                before.append(alarms(alert.tier))
            if alarms(label.tier) != alarms(alert.tier):
                told(dialogue.turns[at].text, label, alert)
    alarmed = {tier: [alarms(alert.tier) for label, alert in found if label.tier == tier] for tier in get_args(Tier)}
    noticed = [alert.tier != "none" for label, alert in found if label.tier == "concern"]
    known = [(label, alert) for label, alert in found if alarms(label.tier) and alarms(alert.tier)]
    return TalkFigures(
        found=_share([*alarmed["active"], *alarmed["imminent"]]),
        imminent=_share(alarmed["imminent"]),
        concern=_share(noticed),
        false=_share(alarmed["none"]),
        before=_share(before),
        danger=_share([alert.danger == label.danger for label, alert in known]),
        who=_share([alert.who == label.who for label, alert in known]),
    )


def _share(hits: list[bool]) -> Share:
    return Share(sum(hits), len(hits))
