"""What people are shown: replies, one by one or two by two, drawn from the rows of one run or several."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from heartfelt.errors import InputError, UnknownName, UsageError
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.judging.criteria import CRITERIA, Criterion, criterion
from heartfelt.evaluation.judging.pairs import drawn
from heartfelt.records import Dialogue, Record

Mode: TypeAlias = Literal["likert", "ab"]
USUAL: dict[Mode, tuple[str, ...]] = {"likert": ("empathy", "coherence", "fluency"), "ab": ("overall",)}
"""The reflective framework's human evaluation, and one question for two replies."""


class ReplySource(Record):
    """Who wrote a reply. It is written into ratings and never sent to a browser."""

    run: str
    """The name of the run's folder."""
    task: str
    model: str
    seed: int
    condition: str

    @property
    def key(self) -> str:
        return f"{self.run}/{self.task}/{self.model}/{self.seed}/{self.condition}"


class SheetReply(NamedTuple):
    source: ReplySource
    home: int
    """Which of the runs it is from."""
    text: str


class RatedUnit(NamedTuple):
    """What is rated at a time."""

    item: str
    dialogue: Dialogue
    replies: tuple[SheetReply, ...]
    """One, or the two that are compared."""

    @property
    def key(self) -> str:
        return unit_key(self.item, [reply.source for reply in self.replies])


def unit_key(item: str, sources: Iterable[ReplySource]) -> str:
    return " | ".join([item, *(source.key for source in sources)])


class SheetRequest(Record):
    """Which replies, and on what."""

    mode: Mode = "likert"
    tasks: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    """Empty: all."""
    criteria: tuple[str, ...] = ()
    """Empty: the usual ones of the mode."""
    limit: int | None = None
    """At most so many turns, the same ones for all systems and raters."""
    seed: int = 0


def criteria_of(wish: SheetRequest) -> list[Criterion]:
    found = [criterion(name) for name in dict.fromkeys(wish.criteria or USUAL[wish.mode])]
    for each in found:
        if each.needs:
            offered = ", ".join(name for name, other in CRITERIA.items() if not other.needs)
            raise UsageError(
                f"'{each.name}' is about voice and face, and the rating page shows texts. Choose among: {offered}."
            )
    return found


def units(runs: Sequence[Results], wish: SheetRequest) -> list[RatedUnit]:
    """All that one rater is asked, in the order of the grid."""
    for result in runs:
        _known("task", wish.tasks, result.experiment.tasks, result)
        _known("condition", wish.conditions, result.experiment.conditions, result)
    asked = _asked(runs, wish)
    chosen = sorted(asked, key=lambda at: drawn(wish.seed, "/".join(at)))[: wish.limit]
    made = [unit for at in asked if at in set(chosen) for unit in _units(at[1], asked[at], wish.mode)]
    if not made:
        least = "two replies" if wish.mode == "ab" else "a reply"
        raise InputError(f"Nothing can be rated: no turn has {least}. Choose other tasks or conditions, or evaluate more.")
    return made


class _Turn(NamedTuple):
    dialogue: Dialogue
    replies: list[SheetReply]


def _asked(runs: Sequence[Results], wish: SheetRequest) -> dict[tuple[str, str], _Turn]:
    """By task and item, the replies of all systems."""
    found: dict[tuple[str, str], _Turn] = {}
    for home, result in enumerate(runs):
        for place in result.places:
            if (wish.tasks and place.task not in wish.tasks) or (wish.conditions and place.condition not in wish.conditions):
                continue
            source = ReplySource(run=result.folder.path.resolve().name, **place.model_dump())
            for row in result.answered(place):
                if row.failed is None and row.reply.strip():
                    turn = found.setdefault((place.task, row.item), _Turn(result.item(row).dialogue, []))
                    turn.replies.append(SheetReply(source, home, row.reply))
    return found


def _units(item: str, turn: _Turn, mode: Mode) -> Iterator[RatedUnit]:
    if mode == "likert":
        yield from (RatedUnit(item, turn.dialogue, (reply,)) for reply in turn.replies)
        return
    for a, b in combinations(turn.replies, 2):
        if _comparable(a.source, b.source):
            yield RatedUnit(item, turn.dialogue, (a, b))


def _comparable(a: ReplySource, b: ReplySource) -> bool:
    """Within a run, systems are compared on the same model and seed."""
    return a.run != b.run or (a.model == b.model and a.seed == b.seed)


def _known(kind: str, names: Iterable[str], known: Iterable[str], result: Results) -> None:
    for name in names:
        if name not in known:
            raise UnknownName(kind, name, known, where=str(result.folder.path))
