"""What the marks on sheets amount to: each system, each pair of systems, and the raters."""

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations
from statistics import fmean

from heartfelt.evaluation.rating.sheets.answers import FLAGS, Answers, SheetAnswer, SheetRater
from heartfelt.evaluation.rating.sheets.key import Key
from heartfelt.evaluation.rating.summary import agreed
from heartfelt.evaluation.statistics.interval import Interval, mean_interval
from heartfelt.records import Record

ACCEPTABLE = 3


class Given(Record):
    """A rater's mark for a system's reply."""

    opening: str
    system: str
    rater: str
    mark: int
    flags: str


class System(Record):
    """All intervals are over openings; there is none below two."""

    name: str
    openings: int
    marks: int
    mean: Interval | None
    acceptable: Interval | None
    """The share of 3 or better."""
    worst: Interval | None
    """The share of mark 1."""
    flags: dict[str, int]


class SheetDifference(Record):
    a: str
    b: str
    openings: int
    """That both were marked on by the same rater."""
    difference: Interval | None
    """a − b in marks, by the same raters on the same openings."""


class SheetAgreement(Record):
    replies: int
    """Marked by two or more."""
    same: Interval | None
    """How often two raters give the same mark."""
    within_one: Interval | None
    alpha: Interval | None
    """Krippendorff's, ordinal; over replies."""
    words: str


class SideBySide(Record):
    raters: tuple[SheetRater, ...]
    unrated: tuple[str, ...]
    """Sheets that nobody has begun."""
    systems: tuple[System, ...]
    """The best first."""
    differences: tuple[SheetDifference, ...]
    agreement: SheetAgreement
    marks: tuple[Given, ...]


def side_by_side(key: Key, answers: Answers, *, seed: int = 0) -> SideBySide:
    marks = _unsealed(key, answers)
    by_system: dict[str, list[Given]] = defaultdict(list)
    for each in marks:
        by_system[each.system].append(each)
    best_first = sorted(by_system, key=lambda name: -fmean(each.mark for each in by_system[name]))
    return SideBySide(
        raters=answers.raters,
        unrated=answers.unrated,
        systems=tuple(_system(name, by_system[name], seed) for name in best_first),
        differences=tuple(_difference(by_system[a], by_system[b], seed) for a, b in combinations(best_first, 2)),
        agreement=_agreement(answers, {item.number: item.opening for item in key.items}, seed),
        marks=tuple(marks),
    )


def _unsealed(key: Key, answers: Answers) -> list[Given]:
    """A mark counts for each system that gave the reply."""
    items = {item.number: item for item in key.items}
    return [
        Given(opening=items[each.item].opening, system=system, rater=each.rater, mark=each.mark, flags=each.flags)
        for each in answers.given
        for system in items[each.item].replies[each.letter].systems
    ]


def _system(name: str, given: list[Given], seed: int) -> System:
    def share(what: str, of: Callable[[int], float]) -> Interval | None:
        return mean_interval([(each.opening, of(each.mark)) for each in given], what, seed=seed)

    flags = Counter(flag for each in given for flag in each.flags)
    return System(
        name=name,
        openings=len({each.opening for each in given}),
        marks=len(given),
        mean=share("mean", float),
        acceptable=share("3 or better", lambda mark: mark >= ACCEPTABLE),
        worst=share("mark 1", lambda mark: mark == 1),
        flags={flag: flags[flag] for flag in FLAGS},
    )


def _difference(a: list[Given], b: list[Given], seed: int) -> SheetDifference:
    others = {(each.rater, each.opening): each.mark for each in b}
    both = [
        (each.opening, float(each.mark - others[each.rater, each.opening]))
        for each in a
        if (each.rater, each.opening) in others
    ]
    return SheetDifference(
        a=a[0].system,
        b=b[0].system,
        openings=len({opening for opening, _ in both}),
        difference=mean_interval(both, "difference", seed=seed),
    )


def _agreement(answers: Answers, openings: dict[int, str], seed: int) -> SheetAgreement:
    by_reply: dict[tuple[int, str], list[SheetAnswer]] = defaultdict(list)
    for each in answers.given:
        by_reply[each.item, each.letter].append(each)
    apart = [
        (openings[item], abs(one.mark - other.mark))
        for (item, _), given in by_reply.items()
        for one, other in combinations(given, 2)
    ]
    alpha, words = agreed([[each.mark for each in given] for given in by_reply.values()], "ordinal", seed=seed)
    return SheetAgreement(
        replies=sum(len(given) > 1 for given in by_reply.values()),
        same=mean_interval([(opening, gap == 0) for opening, gap in apart], "same mark", seed=seed),
        within_one=mean_interval([(opening, gap <= 1) for opening, gap in apart], "within one", seed=seed),
        alpha=alpha,
        words=words,
    )
