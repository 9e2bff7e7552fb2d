"""Experiments: a grid of systems and tasks in one file, run, resumed and written down."""

from heartfelt.evaluation.experiments.answered import Answered, Done, Failed, Place, Times, Unit
from heartfelt.evaluation.experiments.evaluate import Progress, evaluate
from heartfelt.evaluation.experiments.experiment import Asked, Column, Condition, Experiment, Published, Table, read_experiment
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.experiments.local import answer_here, usual_slots
from heartfelt.evaluation.experiments.results import Results, Scored

__all__ = [
    "Answered",
    "Asked",
    "Column",
    "Condition",
    "Done",
    "Experiment",
    "Failed",
    "Place",
    "Progress",
    "Published",
    "Results",
    "RunFolder",
    "Scored",
    "Table",
    "Times",
    "Unit",
    "answer_here",
    "evaluate",
    "read_experiment",
    "usual_slots",
]
