"""Which condition a plot of one system shows: the one that the others are compared with, if it has what is shown."""

from collections.abc import Callable

from heartfelt.evaluation.experiments.answered import AnsweredRow, GridPlace
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.report.figures import ReportFigures


def condition_shown(results: Results, figures: ReportFigures | None, task: str, has: Callable[[AnsweredRow], bool]) -> str:
    """Empty where no condition has it."""
    tables = figures.tables if figures else results.experiment.tables
    first = [table.against for table in tables if table.against]
    names = dict.fromkeys([*first, *results.experiment.asked_of(task)])
    return next((name for name in names if _has(results, task, name, has)), "")


def places_shown(results: Results, task: str, condition: str) -> list[GridPlace]:
    """All models and seeds of it."""
    return [place for place in results.places if (place.task, place.condition) == (task, condition)]


def conditions_of(results: Results, task: str) -> list[str]:
    """Those that have rows, in the order of the experiment; ablations on fewer dialogues have tables of their own."""
    found = [place for place in results.places if place.task == task]
    whole = [place for place in found if results.condition(place).limit is None]
    return list(dict.fromkeys(place.condition for place in whole or found))


def _has(results: Results, task: str, condition: str, has: Callable[[AnsweredRow], bool]) -> bool:
    return any(
        has(row) for place in places_shown(results, task, condition) for row in results.answered(place) if not row.failed
    )
