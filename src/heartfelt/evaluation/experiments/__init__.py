"""Experiments: a grid of systems and tasks in one file, run, resumed and written down."""

from heartfelt.evaluation.experiments.answered import AnsweredRow, Done, Failed, GridPlace, StepTimes, WorkUnit
from heartfelt.evaluation.experiments.evaluate import RunProgress, evaluate
from heartfelt.evaluation.experiments.experiment import (
    Condition,
    Experiment,
    PublishedFigure,
    ReportTable,
    TableColumn,
    TaskRequest,
    read_experiment,
)
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.experiments.local import answer_here, usual_slots
from heartfelt.evaluation.experiments.results import Results, Scored

__all__ = [
    "AnsweredRow",
    "Condition",
    "Done",
    "Experiment",
    "Failed",
    "GridPlace",
    "PublishedFigure",
    "ReportTable",
    "Results",
    "RunFolder",
    "RunProgress",
    "Scored",
    "StepTimes",
    "TableColumn",
    "TaskRequest",
    "WorkUnit",
    "answer_here",
    "evaluate",
    "read_experiment",
    "usual_slots",
]
