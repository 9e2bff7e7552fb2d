"""Metrics: each a small class with its definition, citation, direction and unit. Every name states what changes the number."""

from heartfelt.evaluation.metrics.catalogue import catalogue, metric_named
from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, measure
from heartfelt.evaluation.metrics.rows import Row
from heartfelt.evaluation.metrics.run import Run, read_run
from heartfelt.evaluation.metrics.tallies import MetricTally

__all__ = ["Metric", "MetricInfo", "MetricTally", "Row", "Run", "catalogue", "measure", "metric_named", "read_run"]
