"""The metrics by name, so that a figure in a report can be made again from its name."""

import re
from collections.abc import Iterator
from functools import cache

from heartfelt.errors import UnknownName
from heartfelt.evaluation.metrics.calibration import Brier, CalibrationError
from heartfelt.evaluation.metrics.cost import CachedShare, Cost, Length
from heartfelt.evaluation.metrics.distinct import DifferentReplies, DistCorpus, DistResponse, Ead, EadTrace
from heartfelt.evaluation.metrics.encoders import HubTokens
from heartfelt.evaluation.metrics.judged import JudgedMetric
from heartfelt.evaluation.metrics.matching import BertScore
from heartfelt.evaluation.metrics.metric import Metric
from heartfelt.evaluation.metrics.overlap import Bleu, Chrf
from heartfelt.evaluation.metrics.perplexity import Perplexity, ReplyPerplexity
from heartfelt.evaluation.metrics.presence import presence_metrics
from heartfelt.evaluation.metrics.recognition import Accuracy, Hit, HitShares, MacroF1, WeightedF1
from heartfelt.evaluation.metrics.repetition import CopyRate, SelfRepetition, Verbatim
from heartfelt.evaluation.metrics.run import COSTS
from heartfelt.evaluation.metrics.strategies import PreferenceBias, StrategyAccuracy
from heartfelt.labels import LABEL_SETS, emotion_maps
from heartfelt.labels.maps import is_emotion_set
from heartfelt.plugins import Registry

EMOTIONS = tuple(name for name, each in LABEL_SETS.items() if is_emotion_set(each))
STRATEGIES = ("er_ip_ex", "esconv")
SIZES = (1, 2, 3)
SCORERS = ("gpt2/response-only", "smollm2-135m/response-only", "smollm2-135m/after-context")
"""Language models by which replies are scored; the second and third are the embedded one without its adapter."""
NEWMAN = 2.0
"""Fictitious contests of each strategy: one won and one lost, as in Newman 2023."""


@cache
def catalogue() -> Registry[Metric]:
    """Every metric with its usual settings, by name. Others are made from their classes."""
    all_of_them = (*_words(), *_emotions(), *_strategies(), *presence_metrics(), *_nearness(), *_costs())
    return Registry("heartfelt.metrics", {metric.name: metric for metric in all_of_them})


def metric_named(name: str) -> Metric:
    """One of the catalogue, or a mark, the cost of one step, or a perplexity or a BERTScore by another model."""
    known = catalogue()
    found = known.get(name) or _made(name)
    if found is None:
        raise UnknownName("metric", name, known)
    return found


def _made(name: str) -> Metric | None:
    kind, _, rest = name.partition("/")
    if kind == "judged" and rest:
        return JudgedMetric(rest, f"The mark '{rest}' that was given to each reply; mean over replies.", "this run", high=None)
    if kind == "ppl_corpus" and rest:
        return Perplexity(rest)
    if found := re.fullmatch(r"bertscore_(precision|recall|f1)/(.+)/layer=(\d+)/(even|idf)", name):
        part, model, layer, weights = found.groups()
        return BertScore(part, weights, HubTokens(model, int(layer)))  # type: ignore[arg-type]
    cost, _, step = rest.partition("/")
    return Cost(cost, step) if kind == "cost" and cost in COSTS and step else None


def _words() -> Iterator[Metric]:
    for kind in (DistCorpus, DistResponse, EadTrace, Ead):
        yield from (kind(size) for size in SIZES)
    yield from (DifferentReplies(), SelfRepetition(), CopyRate("context"), CopyRate("exemplars"), Verbatim(), Length())


def _emotions() -> Iterator[Metric]:
    for kind in (Accuracy, MacroF1, WeightedF1, CalibrationError, Brier):
        yield from (kind(labels) for labels in EMOTIONS)
    yield from (Hit(mapping) for mapping in emotion_maps())
    yield from (HitShares(mapping) for mapping in emotion_maps())


def _strategies() -> Iterator[Metric]:
    for strategies in STRATEGIES:
        yield from (StrategyAccuracy(strategies), PreferenceBias(strategies), PreferenceBias(strategies, prior=NEWMAN))


def _nearness() -> Iterator[Metric]:
    yield from (Bleu(), Chrf(), Chrf(word_order=2))
    yield from (BertScore(part) for part in ("precision", "recall", "f1"))
    yield BertScore("f1", "idf")
    yield from (kind(scorer) for kind in (Perplexity, ReplyPerplexity) for scorer in SCORERS)


def _costs() -> Iterator[Metric]:
    yield from (Cost(kind) for kind in COSTS)
    yield CachedShare()
