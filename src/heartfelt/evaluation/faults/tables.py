"""The figures as tables for a terminal."""

from collections.abc import Callable, Iterator

from rich.table import Table

from heartfelt.evaluation.faults.blame import Blame, Marks
from heartfelt.evaluation.faults.estimate import Estimate
from heartfelt.evaluation.faults.figures import AuditFigures

JUDGES = {"audit": "the whole audit", "code": "code checks alone", "model": "the model alone"}

_MEASURES: dict[str, Callable[[Blame], Estimate]] = {
    "exact, of all passes": lambda each: each.exact,
    "precision": lambda each: each.micro.precision,
    "recall": lambda each: each.micro.recall,
    "F1": lambda each: each.micro.f1,
    "macro F1": lambda each: each.macro.f1,
    "false alarms, of clean passes": lambda each: each.false_alarms,
}


def tables(figures: AuditFigures) -> Iterator[Table]:
    audit = figures.blame[0]
    yield _judges(figures)
    yield _steps(audit)
    yield _kinds(figures)
    yield _confusion(audit)
    yield _mending(figures)


def words(estimate: Estimate) -> str:
    """Such as `0.74 (0.58–0.87) of 31`."""
    if estimate.value is None:
        return "·"
    ends = "" if estimate.low is None or estimate.high is None else f" ({estimate.low:.2f}–{estimate.high:.2f})"
    return f"{estimate.value:.2f}{ends} of {estimate.cases}"


def _judges(figures: AuditFigures) -> Table:
    """How much each part of the audit contributes."""
    table = _table("Blaming the earliest faulty step", "", *(JUDGES[each.by] for each in figures.blame))
    for name, of in _MEASURES.items():
        table.add_row(name, *(words(of(each)) for each in figures.blame))
    return table


def _steps(audit: Blame) -> Table:
    table = _table("By step, the whole audit", "step", "precision", "recall", "F1")
    for step, marks in audit.steps.items():
        table.add_row(step, *_row(marks))
    table.add_row("micro", *_row(audit.micro))
    table.add_row("macro", *_row(audit.macro))
    return table


def _kinds(figures: AuditFigures) -> Table:
    table = _table("By kind of fault: the share whose step is blamed", "planted", *(JUDGES[each.by] for each in figures.blame))
    for kind in figures.blame[0].kinds:
        table.add_row(kind, *(words(each.kinds[kind]) for each in figures.blame))
    return table


def _confusion(audit: Blame) -> Table:
    table = _table("To blame (rows) against blamed, the whole audit", "", *audit.confusion)
    for due, row in audit.confusion.items():
        table.add_row(due, *(str(count) if count else "·" for count in row.values()))
    return table


def _mending(figures: AuditFigures) -> Table:
    table = _table("What became of the passes", "", "share")
    table.add_row("faulty: planted outputs gone", words(figures.gone))
    table.add_row("faulty: repaired", words(figures.repaired))
    table.add_row("faulty: repaired, where blamed rightly", words(figures.repaired_of_blamed))
    for step, estimate in figures.repaired_steps.items():
        table.add_row(f"  {step} was to blame", words(estimate))
    table.add_row("faulty: something right made wrong", words(figures.worse_faulty))
    table.add_row("clean: changed", words(figures.changed))
    table.add_row("clean: made worse", words(figures.worse))
    table.add_row("all: the gold emotion is named", words(figures.named))
    return table


def _row(marks: Marks) -> tuple[str, str, str]:
    return words(marks.precision), words(marks.recall), words(marks.f1)


def _table(title: str, first: str, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", title=title, title_justify="left")
    table.add_column(first, no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table
