"""Overlap with what a person answered, by sacrebleu. A good reply may share no word with it: low values say little."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from heartfelt.errors import MissingExtra
from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, used_rows
from heartfelt.evaluation.metrics.run import Floats, Run
from heartfelt.evaluation.metrics.tallies import Sums


@dataclass(frozen=True)
class Bleu(Metric):
    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name="bleu/sacrebleu-13a-exp",
            definition="Corpus BLEU-4: tokens 13a, case kept, exponential smoothing, one reference.",
            citation="Papineni et al., ACL 2002; Post, WMT 2018, arXiv 1804.08771",
            better="higher",
            unit="points",
            high=100.0,
            differs="The mean of BLEU over sentences, and BLEU-2 or BLEU of nltk with other tokens and smoothing.",
            needs="a reference",
        )

    def tally(self, run: Run) -> Sums:
        return _tally(run, _sacrebleu().BLEU())


@dataclass(frozen=True)
class Chrf(Metric):
    word_order: int = 0

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name="chrf" + "+" * self.word_order + "/sacrebleu-char6-beta2",
            definition=f"F-score (beta 2) of character n-grams up to 6 and word n-grams up to {self.word_order}, over "
            "the corpus, spaces "
            "left out, one reference.",
            citation="Popović, WMT 2015; Post, WMT 2018, arXiv 1804.08771",
            better="higher",
            unit="points",
            high=100.0,
            differs="chrF++, which has `word_order` 2." if not self.word_order else "chrF, which has `word_order` 0.",
            needs="a reference",
        )

    def tally(self, run: Run) -> Sums:
        return _tally(run, _sacrebleu().CHRF(word_order=self.word_order))


def _sacrebleu() -> Any:
    try:
        from sacrebleu import metrics  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise MissingExtra("Scoring with BLEU or chrF", "lab") from error
    return metrics


def _tally(run: Run, scorer: Any) -> Sums:
    """Counts of each reply as sacrebleu's own bootstrap keeps them, so that a resample costs a sum and not a second reading."""
    used = np.array([reference is not None for reference in run.references], bool)
    at = np.flatnonzero(used).tolist()
    counts = [[0.0]]
    if at:
        counts = scorer._extract_corpus_statistics([run.replies[i] for i in at], [[run.references[i] for i in at]])
    parts = np.array(counts, np.float64)
    sums = np.zeros((len(run.dialogue.names), parts.shape[1]))
    np.add.at(sums, run.dialogue.codes[at], parts if at else 0.0)
    return Sums(used_rows(run, used), sums, _scored(scorer))


def _scored(scorer: Any) -> Callable[[Floats], Floats]:
    def finish(parts: Floats) -> Floats:
        lines = parts.reshape(-1, parts.shape[-1])
        scores = [scorer._compute_score_from_stats([round(each) for each in line]).score for line in lines.tolist()]
        return np.array(scores, np.float64).reshape(parts.shape[:-1])

    return finish
