"""Metrics: each a small class with its definition, citation, direction and unit. Every name states what changes the number."""

from heartfelt.evaluation.metrics.calibration import Brier, CalibrationError
from heartfelt.evaluation.metrics.catalogue import catalogue, metric_named
from heartfelt.evaluation.metrics.cost import CachedShare, Cost, Length, costs
from heartfelt.evaluation.metrics.distinct import DifferentReplies, DistCorpus, DistResponse, Ead, EadTrace
from heartfelt.evaluation.metrics.encoders import HashTokens, MiniLMTokens, TokenEncoder
from heartfelt.evaluation.metrics.judged import JudgedMetric
from heartfelt.evaluation.metrics.matching import BertScore
from heartfelt.evaluation.metrics.metric import Figure, Metric, MetricInfo, measure
from heartfelt.evaluation.metrics.overlap import Bleu, Chrf
from heartfelt.evaluation.metrics.perplexity import Perplexity, ReplyPerplexity, scored
from heartfelt.evaluation.metrics.recognition import Accuracy, Confusion, Hit, HitShares, MacroF1, WeightedF1, confusion
from heartfelt.evaluation.metrics.repetition import CopyRate, SelfRepetition, Verbatim
from heartfelt.evaluation.metrics.rows import Likelihood, Row, Spent
from heartfelt.evaluation.metrics.run import Run, read_run
from heartfelt.evaluation.metrics.strategies import PreferenceBias, StrategyAccuracy, preferences
from heartfelt.evaluation.metrics.tallies import MetricTally

__all__ = [
    "Accuracy",
    "BertScore",
    "Bleu",
    "Brier",
    "CachedShare",
    "CalibrationError",
    "Chrf",
    "Confusion",
    "CopyRate",
    "Cost",
    "DifferentReplies",
    "DistCorpus",
    "DistResponse",
    "Ead",
    "EadTrace",
    "Figure",
    "HashTokens",
    "Hit",
    "HitShares",
    "JudgedMetric",
    "Length",
    "Likelihood",
    "MacroF1",
    "Metric",
    "MetricInfo",
    "MetricTally",
    "MiniLMTokens",
    "Perplexity",
    "PreferenceBias",
    "ReplyPerplexity",
    "Row",
    "Run",
    "SelfRepetition",
    "Spent",
    "StrategyAccuracy",
    "TokenEncoder",
    "Verbatim",
    "WeightedF1",
    "catalogue",
    "confusion",
    "costs",
    "measure",
    "metric_named",
    "preferences",
    "read_run",
    "scored",
]
