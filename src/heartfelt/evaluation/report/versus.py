"""Two conditions against each other, of one run or of two: every figure with its difference, test and verdict."""

from collections.abc import Sequence

from heartfelt.errors import HeartfeltError, InputError, UnknownName
from heartfelt.evaluation.experiments.answered import GridPlace
from heartfelt.evaluation.experiments.experiment import TableColumn
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.report.columns import Heading, heading, tables_of, the_metric, usual_columns
from heartfelt.evaluation.report.figures import line_name
from heartfelt.evaluation.report.pairs import PairedDifference, Side, answered_items, difference, judged, reason
from heartfelt.records import Record


class Against(Record):
    """One figure of both; without a difference where there is none, and why."""

    column: Heading
    difference: PairedDifference | None = None
    note: str = ""


class Versus(Record):
    """Two cells of the grid over the items that both answered."""

    task: str
    a: str
    b: str
    items: int
    only_a: int
    """Items that only a answered: they take no part."""
    only_b: int
    figures: tuple[Against, ...]
    warning: str = ""


def versus(a: tuple[Results, str], b: tuple[Results, str], *, task: str = "", metrics: Sequence[str] = ()) -> list[Versus]:
    """A comparison for each task, model and seed that both have."""
    for results, condition in (a, b):
        if condition not in results.experiment.conditions:
            raise UnknownName("condition", condition, results.experiment.conditions, where=f"the run at {results.folder.path}")
        if task and task not in results.experiment.tasks:
            raise UnknownName("task", task, results.experiment.tasks, where=f"the run at {results.folder.path}")
    pairs = [pair for pair in _pairs(a, b) if not task or pair[0].task == task]
    if not pairs:
        raise InputError(
            f"'{a[1]}' and '{b[1]}' have no rows of the same task{f' ({task})' if task else ''}, so they cannot be compared. "
            "Compare conditions that were asked the same."
        )
    return [_versus((a[0], left), (b[0], right), metrics) for left, right in pairs]


def _pairs(a: tuple[Results, str], b: tuple[Results, str]) -> list[tuple[GridPlace, GridPlace]]:
    """The same task, model and seed on both sides; another model or seed where each side has but one."""
    left, right = ([place for place in results.places if place.condition == condition] for results, condition in (a, b))
    same = [(one, two) for one in left for two in right if (one.task, one.model, one.seed) == (two.task, two.model, two.seed)]
    tasks = {one.task for one, _ in same}
    for name in dict.fromkeys(place.task for place in left if place.task not in tasks):
        ones, twos = ([place for place in side if place.task == name] for side in (left, right))
        if len(ones) == len(twos) == 1:
            same.append((ones[0], twos[0]))
    return same


def _versus(a: Side, b: Side, metrics: Sequence[str]) -> Versus:
    mine, theirs = answered_items(*a), answered_items(*b)
    found = [_against(column, a, b) for column in _columns(a[0], a[1].task, metrics)]
    tested = iter(judged([each.difference for each in found if each.difference]))
    figures = tuple(each.model_copy(update={"difference": next(tested)}) if each.difference else each for each in found)
    return Versus(
        task=a[1].task,
        a=_name(a),
        b=_name(b),
        items=len(mine & theirs),
        only_a=len(mine - theirs),
        only_b=len(theirs - mine),
        figures=figures,
        warning=_warning(a, b),
    )


def _against(column: TableColumn, a: Side, b: Side) -> Against:
    try:
        return Against(column=heading(column), difference=difference(the_metric(column.metric), column.of, a, b))
    except HeartfeltError as error:
        return Against(column=heading(column), note=reason(error))


def _columns(results: Results, task: str, metrics: Sequence[str]) -> list[TableColumn]:
    """Those asked for, or those of the experiment's tables, each once."""
    if metrics:
        for name in metrics:
            the_metric(name)
        return [TableColumn(metric=name) for name in metrics]
    found = [column for table, of in tables_of(results) if of == task for column in table.columns] or usual_columns(
        results, task
    )
    return list({(column.metric, column.of): column for column in found}.values())


def _name(side: Side) -> str:
    results, place = side
    return line_name(place, [each for each in results.places if each.task == place.task])


def _warning(a: Side, b: Side) -> str:
    """Said where two runs were not asked in the same way."""
    if a[0].folder.path == b[0].folder.path:
        return ""
    one, two = (results.experiment.tasks[place.task].protocol for results, place in (a, b))
    differ = [name for name in type(one).model_fields if getattr(one, name) != getattr(two, name)]
    return f"The runs were not asked in the same way: {', '.join(differ)} differ." if differ else ""
