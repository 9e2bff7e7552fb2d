"""Two replies to the same turn, by two systems: what a judge is shown."""

from collections.abc import Iterable
from hashlib import sha256

from heartfelt.errors import InputError, UnknownName, UsageError
from heartfelt.evaluation.experiments.answered import AnsweredRow, GridPlace
from heartfelt.evaluation.experiments.results import Results
from heartfelt.records import Dialogue, Performance, Record


class ShownReply(Record):
    """One of the two."""

    reply: str
    performance: Performance | None = None


class Pair(Record):
    task: str
    model: str
    seed: int
    item: str
    dialogue: Dialogue
    """What both systems saw. The gold is not in here, so that no judge can be shown it."""
    a: ShownReply
    b: ShownReply

    @property
    def id(self) -> str:
        return f"{self.task}/{self.model}/{self.seed}/{self.item}"

    @property
    def performed(self) -> bool:
        return self.a.performance is not None and self.b.performance is not None


class Pairs(Record):
    """All that can be compared, in an order drawn by chance, and how many turns cannot be."""

    pairs: tuple[Pair, ...]
    unanswered: int
    """Turns that one of the two systems, or both, gave no reply to."""


def pairs_of(results: Results, a: str, b: str, *, tasks: Iterable[str] = (), limit: int | None = None, seed: int = 0) -> Pairs:
    """The pairs of two conditions. The first ten of a hundred are the same ten, so a limit can be raised later."""
    _known(results, a, b, tuple(tasks))
    chosen = set(tasks)
    found, unanswered = list[Pair](), 0
    for place in results.places:
        if place.condition != a or (chosen and place.task not in chosen):
            continue
        others = {row.item: row for row in results.answered(place.model_copy(update={"condition": b}))}
        for row in results.answered(place):
            pair = _pair(results, place, row, others.get(row.item))
            unanswered += pair is None and row.item in others
            found += [pair] if pair else []
    if not found:
        raise InputError(
            f"'{a}' and '{b}' have no turn of {results.folder.path} that both replied to, so nothing can be compared."
        )
    found.sort(key=lambda pair: drawn(seed, pair.id))
    return Pairs(pairs=tuple(found[:limit]), unanswered=unanswered)


def drawn(seed: int, name: str) -> str:
    """Sorting by this shuffles, the same way on every machine, whatever else there is to shuffle."""
    return sha256(f"{seed}\x00{name}".encode()).hexdigest()


def _pair(results: Results, place: GridPlace, row: AnsweredRow, other: AnsweredRow | None) -> Pair | None:
    if other is None or row.failed or other.failed or not row.reply.strip() or not other.reply.strip():
        return None
    a, b = (ShownReply(reply=each.reply, performance=each.performance) for each in (row, other))
    dialogue = results.item(row).dialogue
    return Pair(task=place.task, model=place.model, seed=place.seed, item=row.item, dialogue=dialogue, a=a, b=b)


def _known(results: Results, a: str, b: str, tasks: tuple[str, ...]) -> None:
    for name in (a, b):
        if name not in results.experiment.conditions:
            raise UnknownName("condition", name, results.experiment.conditions, where=str(results.folder.path))
    for task in tasks:
        if task not in results.experiment.tasks:
            raise UnknownName("task", task, results.experiment.tasks, where=str(results.folder.path))
    if a == b:
        raise UsageError(f"A judge compares two systems, and '{a}' was named twice. Name another condition.")
