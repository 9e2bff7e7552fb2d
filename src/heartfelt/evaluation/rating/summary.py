"""What the ratings amount to: means and wins with intervals, and how far the raters agree."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import NamedTuple

from heartfelt.errors import InputError
from heartfelt.evaluation.rating.entries import Entry
from heartfelt.evaluation.rating.sheet import Mode, ReplySource
from heartfelt.evaluation.statistics.agreement import Level, Ratings, alpha_interval
from heartfelt.evaluation.statistics.interval import Interval, mean_interval
from heartfelt.evaluation.statistics.judging import JudgedCriterion, Judgement, judged
from heartfelt.records import Record

RELIABLE, TENTATIVE = 0.8, 0.667
"""Krippendorff's customary bounds (Content Analysis, 2004)."""


class Mean(Record):
    """The Likert marks of a system on a criterion."""

    system: str
    criterion: str
    mean: float
    interval: Interval | None
    """Over dialogues; None below two."""
    ratings: int
    raters: int


class Wins(Record):
    """Two systems side by side. Each rating is one pair of `result`."""

    a: str
    b: str
    result: JudgedCriterion
    raters: int


class RaterAgreement(Record):
    mode: Mode
    criterion: str
    alpha: Interval | None
    units: int
    """Rated by two or more."""
    raters: int
    words: str
    """What to make of it, or why there is no figure."""


class Summary(Record):
    raters: tuple[str, ...]
    ratings: int
    means: tuple[Mean, ...]
    wins: tuple[Wins, ...]
    agreement: tuple[RaterAgreement, ...]


def summarise(found: Sequence[Entry], *, seed: int = 0) -> Summary:
    if not found:
        raise InputError("There are no ratings yet. Collect some with: heartfelt rate page RUN")
    names = _names(source for entry in found for source in entry.sources)
    likert, ab = ([each for each in found if each.mode == mode] for mode in ("likert", "ab"))
    return Summary(
        raters=tuple(sorted({each.rater for each in found}, key=str.casefold)),
        ratings=len(found),
        means=tuple(_means(likert, names, seed)),
        wins=tuple(_wins(ab, names, seed)),
        agreement=(*_agreements(likert, "likert", seed), *_agreements(ab, "ab", seed)),
    )


# ── systems ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _names(sources: Iterable[ReplySource]) -> dict[str, str]:
    """A name for each system, no longer than it takes to tell them apart."""
    found = {source.key: source for source in sources}
    parts = {part: len({getattr(each, part) for each in found.values()}) > 1 for part in ("run", "task", "model", "seed")}
    marks = {"run": "{}: ", "task": " on {}", "model": " @ {}", "seed": " #{}"}
    named: dict[str, str] = {}
    for key, each in found.items():
        told = {part: marks[part].format(getattr(each, part)) if differs else "" for part, differs in parts.items()}
        named[key] = f"{told['run']}{each.condition}{told['model']}{told['seed']}{told['task']}"
    return named


# ── Likert ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Mark(NamedTuple):
    dialogue: str
    rater: str
    value: float


def _means(found: list[Entry], names: dict[str, str], seed: int) -> list[Mean]:
    marks: dict[tuple[str, str], list[_Mark]] = defaultdict(list)
    for entry in found:
        for criterion, mark in entry.marks.items():
            marks[criterion, names[entry.sources[0].key]].append(_Mark(entry.dialogue, entry.rater, float(mark)))
    return [_mean(system, criterion, given, seed) for (criterion, system), given in sorted(marks.items())]


def _mean(system: str, criterion: str, given: list[_Mark], seed: int) -> Mean:
    return Mean(
        system=system,
        criterion=criterion,
        mean=fmean(mark.value for mark in given),
        interval=mean_interval([(mark.dialogue, mark.value) for mark in given], f"likert/{criterion}", seed=seed),
        ratings=len(given),
        raters=len({mark.rater for mark in given}),
    )


# ── A/B ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _wins(found: list[Entry], names: dict[str, str], seed: int) -> list[Wins]:
    sides: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in found:
        a, b = (names[source.key] for source in entry.sources)
        sides[a, b].append(entry)
    return [
        Wins(a=a, b=b, result=result, raters=len({each.rater for each in given}))
        for (a, b), given in sorted(sides.items())
        for result in judged((each for entry in given for each in _judgements(entry)), seed=seed)
    ]


def _judgements(entry: Entry) -> list[Judgement]:
    """A person is a judge who is asked in one order, which was drawn by chance."""
    pair = f"{entry.rater.casefold()} {entry.key}"
    return [
        Judgement(
            pair=pair,
            dialogue=entry.dialogue,
            criterion=criterion,
            first=entry.first,
            verdict="tie" if mark == "tie" else "first" if mark == entry.first else "second",
        )
        for criterion, mark in entry.marks.items()
    ]


# ── agreement ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _agreements(found: list[Entry], mode: Mode, seed: int) -> list[RaterAgreement]:
    criteria = sorted({criterion for entry in found for criterion in entry.marks})
    return [_agreement([each for each in found if criterion in each.marks], mode, criterion, seed) for criterion in criteria]


def _agreement(found: list[Entry], mode: Mode, criterion: str, seed: int) -> RaterAgreement:
    raters = {name: place for place, name in enumerate(dict.fromkeys(each.rater.casefold() for each in found))}
    table: dict[str, list[int | str | None]] = {}
    for entry in found:
        line = table.setdefault(entry.key, [None] * len(raters))
        line[raters[entry.rater.casefold()]] = entry.marks[criterion]
    units = sum(sum(mark is not None for mark in line) > 1 for line in table.values())
    alpha, words = agreed(list(table.values()), "ordinal" if mode == "likert" else "nominal", seed=seed)
    return RaterAgreement(mode=mode, criterion=criterion, alpha=alpha, units=units, raters=len(raters), words=words)


def agreed(table: Ratings, level: Level, *, seed: int) -> tuple[Interval | None, str]:
    """Alpha, and what to make of it or why there is none."""
    try:
        alpha = alpha_interval(table, level, seed=seed)
    except InputError as error:
        return None, str(error)
    return alpha, reading(alpha)


def reading(alpha: Interval) -> str:
    """Plain words, by the figure and by how low it may really be."""
    if alpha.value < 0:
        return "The raters contradict each other: agree on what the question means before going on."
    if alpha.value < TENTATIVE:
        return "The raters agree too little for conclusions: more raters, clearer questions, or both."
    sure = "" if alpha.low >= TENTATIVE else " It may be lower: its interval reaches below 0.667, so rate more."
    if alpha.value < RELIABLE:
        return f"The raters agree well enough for tentative conclusions.{sure}"
    return f"The raters agree reliably.{sure}"
