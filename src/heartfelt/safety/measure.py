"""How well the screen tells danger from its look-alikes: on labelled messages, and on ordinary talk."""

import csv
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import ValidationError

from heartfelt.errors import HeartfeltError, InputError
from heartfelt.events import Event, Screened
from heartfelt.intake import of_text
from heartfelt.listener import Listener
from heartfelt.models import Scripted
from heartfelt.records import Danger, Dialogue, Record, Tier
from heartfelt.safety.detect.reader import Reader
from heartfelt.safety.screen import Screen
from heartfelt.safety.settings import Safety
from heartfelt.safety.tiers import alarms
from heartfelt.setup import Setup

Form: TypeAlias = Literal["direct", "indirect", "alike", "plain"]
_Z = 1.959964
"""95 %"""


class Labelled(Record):
    """A message that was written for measuring."""

    text: str
    tier: Tier
    danger: Danger | Literal["-"]
    form: Form
    """Said outright, to be understood, only like danger by its words, or not even that."""


class Share(NamedTuple):
    """How many of how many, with Wilson's interval of 95 %."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        return self.hits / self.of if self.of else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        if not self.of:
            return 0.0, 1.0
        share, part = self.value, _Z**2 / self.of
        middle = (share + part / 2) / (1 + part)
        width = _Z / (1 + part) * math.sqrt(share * (1 - share) / self.of + part / self.of / 4)
        return max(0.0, middle - width), min(1.0, middle + width)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.3f} [{low:.3f}, {high:.3f}] of {self.of}"


class Figures(NamedTuple):
    found: Share
    """Of messages that tell of active or imminent danger, those with an alarm."""
    false: Share
    """Of messages that only look like danger, those with an alarm."""
    plain: Share
    """Of messages that do not even look like it, those with an alarm."""
    concern: Share
    """Of messages that give concern, those noticed at all."""
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


async def tiers_of(messages: Iterable[Labelled], recipe: str, reader: Reader | None = None) -> list[Tier]:
    """What a recipe does with each message. Its model is mute: whatever is not alarmed fails, which tells as much."""
    found: list[Tier] = []

    def watch(event: Event) -> None:
        if isinstance(event, Screened):
            found.append(event.alert.tier)

    async with Listener(Setup(recipe=recipe), model=Scripted({}), reader=reader, observers=(watch,)) as listener:
        for message in messages:
            try:
                await listener.answer(of_text(message.text))
            except HeartfeltError:
                continue
    return found


def figures(messages: list[Labelled], tiers: list[Tier]) -> Figures:
    pairs = list(zip(messages, tiers, strict=True))

    def share(wanted: Callable[[Labelled], bool], hit: Callable[[Tier], bool] = alarms) -> Share:
        chosen = [hit(tier) for message, tier in pairs if wanted(message)]
        return Share(sum(chosen), len(chosen))

    grave = [message for message in messages if alarms(message.tier)]
    names = dict.fromkeys([*sorted({str(message.danger) for message in grave}), *sorted({message.form for message in grave})])
    return Figures(
        found=share(lambda message: alarms(message.tier)),
        false=share(lambda message: message.tier == "none" and message.form == "alike"),
        plain=share(lambda message: message.tier == "none" and message.form == "plain"),
        concern=share(lambda message: message.tier == "concern", lambda tier: tier != "none"),
        by={
            name: share(lambda message, name=name: alarms(message.tier) and name in (message.danger, message.form))
            for name in names
        },
    )


async def alarmed(dialogues: Iterable[Dialogue], reader: Reader | None, told: Callable[[Dialogue], Any]) -> Share:
    """Dialogues in which any turn of the person is alarmed, each looked at with what was said before it."""
    screen, hits, count = Screen(Safety(), reader), 0, 0
    for dialogue in dialogues:
        own = [i for i, turn in enumerate(dialogue.turns) if turn.speaker != dialogue.listener]
        alerts = [await screen.look(dialogue.model_copy(update={"turns": dialogue.turns[: i + 1]})) for i in own]
        count += 1
        if any(alarms(alert.tier) for alert in alerts):
            hits += 1
            told(dialogue)
    return Share(hits, count)
