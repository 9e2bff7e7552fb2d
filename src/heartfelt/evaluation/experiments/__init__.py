"""Experiments: a grid of systems and tasks in one file, run, resumed and written down."""

from heartfelt.evaluation.experiments.evaluate import evaluate
from heartfelt.evaluation.experiments.experiment import read_experiment
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.experiments.results import Results

__all__ = ["Results", "RunFolder", "evaluate", "read_experiment"]
