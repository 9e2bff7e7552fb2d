"""What is written down of a comparison: a head that says who judged whom, then a line for each answer of the judge."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from heartfelt.errors import DamagedError, InputError, UsageError
from heartfelt.evaluation.experiments.answered import Failed
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.judging.asking import Side
from heartfelt.evaluation.lines import Lines
from heartfelt.evaluation.statistics.judging import Judgement, Verdict
from heartfelt.records import Record, Scores

Key: TypeAlias = tuple[str, str, Side, int]
"""Of a question: pair, criterion, who stands first, and which repeat."""


class RulingsHeader(Record):
    """The first line."""

    kind: Literal["head"]
    a: str
    b: str
    judge: str
    """The model's address."""
    judge_family: str
    generators: dict[str, str]
    """The models that wrote the replies, and their families."""
    warning: str
    """About judges and generators of one family; empty where there is nothing to warn of."""
    prompts: str
    """A digest of the prompt files."""
    seed: int
    version: str


class Ruling(Record):
    """One answer of the judge, or why there is none."""

    kind: Literal["ruling"]
    pair: str
    task: str
    dialogue: str
    criterion: str
    first: Side
    repeat: int
    verdict: Verdict
    reason: str = ""
    shares: Scores = {}
    """The probabilities of the options, from judges that give them."""
    tokens: int = 0
    ms: float = 0.0
    failed: Failed | None = None

    @property
    def key(self) -> Key:
        return self.pair, self.criterion, self.first, self.repeat

    @property
    def judgement(self) -> Judgement:
        given = {"pair": self.pair, "dialogue": self.dialogue, "criterion": self.criterion}
        return Judgement(**given, first=self.first, verdict=self.verdict)


_LINE: TypeAdapter[RulingsHeader | Ruling] = TypeAdapter(Annotated[RulingsHeader | Ruling, Field(discriminator="kind")])


class Comparison(Record):
    """A file, read."""

    head: RulingsHeader
    rulings: tuple[Ruling, ...]
    """In the order in which they were first asked; a question that was asked again counts with its last answer."""

    @property
    def failures(self) -> tuple[Ruling, ...]:
        return tuple(each for each in self.rulings if each.failed)

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        return tuple(each.judgement for each in self.rulings)


def file_of(folder: RunFolder, a: str, b: str, name: str = "") -> Path:
    """Where the judgements of a against b are written."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name or f"{a}-vs-{b}").strip(".") or "judgements"
    return folder.path / "judgements" / f"{plain}.jsonl"


def lines_of(path: Path) -> Lines[RulingsHeader | Ruling]:
    return Lines(path, _LINE)


def read(path: Path) -> Comparison:
    """The judgements in a file."""
    head, *rest = [*lines_of(path)] or [None]
    if head is None:
        raise InputError(f"There are no judgements in {path}. Make some with: heartfelt judge RUN A B --model ADDRESS")
    rulings = {each.key: each for each in rest if isinstance(each, Ruling)}
    if not isinstance(head, RulingsHeader) or any(isinstance(each, RulingsHeader) for each in rest):
        raise DamagedError(f"{path} does not begin with the line that says who judged whom. Delete the file and judge again.")
    return Comparison(head=head, rulings=tuple(rulings.values()))


def comparisons(folder: RunFolder) -> list[Comparison]:
    """All comparisons of a run, for its report."""
    return [read(path) for path in sorted((folder.path / "judgements").glob("*.jsonl"))]


def refuse_another(found: RulingsHeader, wanted: RulingsHeader, path: Path) -> None:
    """One file is one judge under one set of words: votes of two judges do not add up to one."""
    for what, field in _MUST_AGREE.items():
        before, now = getattr(found, field), getattr(wanted, field)
        if before != now:
            raise UsageError(
                f"{path} was made with another {what} ({before}, now {now}). "
                "Give these judgements a file of their own with --name."
            )


_MUST_AGREE = {"first system": "a", "second system": "b", "judge": "judge", "prompt": "prompts", "seed": "seed"}


def asked(rulings: Iterable[Ruling], *, again: bool) -> set[Key]:
    """The questions that need not be asked; `again` leaves out those that failed."""
    return {each.key for each in rulings if not (again and each.failed)}
