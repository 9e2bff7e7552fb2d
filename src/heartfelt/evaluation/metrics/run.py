"""A whole run by columns: rows are read once, one after the other, and need not be kept."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError, UnknownName
from heartfelt.evaluation.metrics.rows import Row, Spent
from heartfelt.evaluation.metrics.tokens import TextTokens, Tokeniser, tokenised
from heartfelt.labels import LabelSet, label_set

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
COSTS = ("calls", "prompt_tokens", "cached_tokens", "output_tokens", "ms")
NONE = -1
"""The code of what is not there."""


@dataclass(frozen=True)
class Coded:
    """Names as numbers, in the order in which they first came."""

    codes: Ints
    names: tuple[str, ...]


@dataclass(frozen=True)
class Choices:
    """Right and chosen labels of one closed set, by their places in it."""

    labels: LabelSet | None
    gold: Ints
    chosen: Ints
    shares: Floats | None = None
    """(rows, labels); a row of NaN where the model gave no distribution."""


@dataclass(frozen=True)
class Run:
    ids: list[str]
    dialogue: Coded
    replies: list[str]
    references: list[str | None]
    contexts: list[tuple[str, ...]]
    exemplars: list[tuple[str, ...]]
    emotion: Choices
    strategy: Choices
    groups: dict[str, Coded]
    """Whatever rows can be sliced by: speaker, age, gender, timbre."""
    turns: Ints
    numbers: dict[str, Floats]
    """Named numbers of each row, NaN where a row has none: `likelihood/NAME`, `tokens/NAME`, `judged/NAME`, `STEP/ms`, …"""
    _tokens: dict[str, TextTokens] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.ids)

    def tokens(self, tokeniser: Tokeniser) -> TextTokens:
        """The words of the replies, split once a tokeniser."""
        if tokeniser not in self._tokens:
            self._tokens[tokeniser] = tokenised(self.replies, tokeniser)
        return self._tokens[tokeniser]

    def number(self, name: str) -> Floats:
        return self.numbers.get(name, np.full(len(self), np.nan))

    @property
    def steps(self) -> list[str]:
        """Those that spent anything."""
        return sorted({name.removesuffix("/ms") for name in self.numbers if name.endswith("/ms")})

    def where(self, wanted: NDArray[np.bool_]) -> "Run":
        """The rows that are wanted. Dialogues keep their codes, so that parts of a run can be compared."""
        at = np.flatnonzero(wanted)
        return Run(
            ids=_at(self.ids, at),
            dialogue=replace(self.dialogue, codes=self.dialogue.codes[at]),
            replies=_at(self.replies, at),
            references=_at(self.references, at),
            contexts=_at(self.contexts, at),
            exemplars=_at(self.exemplars, at),
            emotion=_chosen_at(self.emotion, at),
            strategy=_chosen_at(self.strategy, at),
            groups={name: replace(each, codes=each.codes[at]) for name, each in self.groups.items()},
            turns=self.turns[at],
            numbers={name: values[at] for name, values in self.numbers.items()},
        )

    def in_dialogues(self, names: tuple[str, ...]) -> "Run":
        """The same run with its dialogues coded in this order."""
        places = {name: place for place, name in enumerate(names)}
        order = np.array([places[name] for name in self.dialogue.names], np.int64)
        return replace(self, dialogue=Coded(order[self.dialogue.codes], names), _tokens=self._tokens)


def read_run(rows: Iterable[Row]) -> Run:
    """The columns of a run. Every row must be of the same label set, and no id may come twice."""
    columns = _Columns()
    for row in rows:
        columns.add(row)
    return columns.run()


class _Columns:
    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.replies: list[str] = []
        self.references: list[str | None] = []
        self.contexts: list[tuple[str, ...]] = []
        self.exemplars: list[tuple[str, ...]] = []
        self.turns: list[int] = []
        self.names = {name: _Names() for name in ("dialogue", "speaker", "age", "gender", "timbre")}
        self.emotion, self.strategy = _Labels("labels"), _Labels("strategies")
        self.numbers: dict[str, tuple[list[int], list[float]]] = {}

    def add(self, row: Row) -> None:
        place = len(self.ids)
        if self.ids.setdefault(row.id, place) != place:
            raise InputError(f"The row '{row.id}' comes twice in this run. Give each answered turn an id of its own.")
        self.replies.append(row.reply)
        self.references.append(row.reference)
        self.contexts.append(row.context)
        self.exemplars.append(row.exemplars)
        self.turns.append(row.turns)
        for name, names in self.names.items():
            names.add(getattr(row, name))
        self.emotion.add(row.labels, row.emotion, row.predicted, row.distribution)
        self.strategy.add(row.strategies, row.strategy, row.strategy_predicted, None)
        for name, value in _numbers(row):
            places, values = self.numbers.setdefault(name, ([], []))
            places.append(place)
            values.append(value)

    def run(self) -> Run:
        coded = {name: names.coded() for name, names in self.names.items()}
        return Run(
            ids=list(self.ids),
            dialogue=coded.pop("dialogue"),
            replies=self.replies,
            references=self.references,
            contexts=self.contexts,
            exemplars=self.exemplars,
            emotion=self.emotion.choices(),
            strategy=self.strategy.choices(),
            groups=coded,
            turns=np.array(self.turns, np.int64),
            numbers={name: _spread(*found, len(self.ids)) for name, found in self.numbers.items()},
        )


class _Names:
    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.codes: list[int] = []

    def add(self, name: str) -> None:
        self.codes.append(self.known.setdefault(name, len(self.known)))

    def coded(self) -> Coded:
        return Coded(np.array(self.codes, np.int64), tuple(self.known))


class _Labels:
    def __init__(self, field_name: str) -> None:
        self.field, self.labels = field_name, None
        self.places: dict[str, int] = {}
        self.gold: list[int] = []
        self.chosen: list[int] = []
        self.shares: list[list[float]] = []
        self.shared: list[int] = []

    def add(self, name: str, gold: str | None, chosen: str | None, shares: dict[str, float] | None) -> None:
        if name and (self.labels is None or self.labels.name != name):
            self._open(name)
        if shares is not None:
            self.shared.append(len(self.gold))
            self.shares.append(self._row(shares))
        self.gold.append(self._code(gold))
        self.chosen.append(self._code(chosen))

    def _open(self, name: str) -> None:
        if self.labels is not None:
            raise InputError(
                f"Rows of one run have the label sets '{self.labels.name}' and '{name}' in `{self.field}`. "
                "Score each set as a run of its own."
            )
        self.labels = label_set(name)
        self.places = {label: place for place, label in enumerate(self.labels.labels)}
        self.places |= {alias: self.places[label] for alias, label in self.labels.aliases if alias not in self.places}

    def _code(self, label: str | None) -> int:
        if label is None:
            return NONE
        if label not in self.places:
            if self.labels is None:
                raise InputError(f"A row has the label '{label}' and no label set. Name the set in `{self.field}`.")
            raise UnknownName(f"label in '{self.labels.name}'", label, self.labels.labels)
        return self.places[label]

    def _row(self, shares: dict[str, float]) -> list[float]:
        row = [0.0] * len(self.labels.labels if self.labels else ())
        for label, share in shares.items():
            row[self._code(label)] += share
        return row

    def choices(self) -> Choices:
        shares = None
        if self.labels is not None and self.shared:
            shares = np.full((len(self.gold), len(self.labels.labels)), np.nan)
            shares[self.shared] = self.shares
        return Choices(self.labels, np.array(self.gold, np.int64), np.array(self.chosen, np.int64), shares)


def _numbers(row: Row) -> Iterable[tuple[str, float]]:
    for name, likely in row.likelihoods.items():
        yield f"likelihood/{name}", likely.log_probability
        yield f"tokens/{name}", likely.tokens
    for name, mark in row.judged.items():
        yield f"judged/{name}", mark
    for step, spent in _by_step(row.spent).items():
        for cost, value in zip(COSTS, spent, strict=True):
            yield f"{step}/{cost}", value


def _by_step(spent: tuple[Spent, ...]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for each in spent:
        total = found.setdefault(each.step, [0.0] * len(COSTS))
        for place, cost in enumerate(COSTS):
            total[place] += getattr(each, cost)
    return found


def _spread(places: list[int], values: list[float], count: int) -> Floats:
    column = np.full(count, np.nan)
    column[places] = values
    return column


def _at(values: Sequence[Any], places: Ints) -> list[Any]:
    return [values[place] for place in places.tolist()]


def _chosen_at(choices: Choices, at: Ints) -> Choices:
    shares = None if choices.shares is None else choices.shares[at]
    return replace(choices, gold=choices.gold[at], chosen=choices.chosen[at], shares=shares)
