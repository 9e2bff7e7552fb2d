"""Nearness in meaning to what a person answered: each token is matched with the nearest one of the other text."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from heartfelt.evaluation.metrics.encoders import Encoded, MiniLMTokens, TokenEncoder
from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, mean_tally
from heartfelt.evaluation.metrics.run import Floats, Run
from heartfelt.evaluation.metrics.tallies import Sums

Part: TypeAlias = Literal["precision", "recall", "f1"]
Weights: TypeAlias = Literal["even", "idf"]
_PARTS: tuple[Part, ...] = ("precision", "recall", "f1")
_AT_ONCE = 512
Nearness: TypeAlias = tuple[float, float, float]
"""Precision, recall, F1."""
Kept: TypeAlias = dict[tuple[str, str, str | None], Nearness]
"""By encoder, reply and reference."""


@dataclass(frozen=True)
class BertScore(Metric):
    part: Part = "f1"
    weights: Weights = "even"
    encoder: TokenEncoder = field(default_factory=MiniLMTokens)
    kept: Kept | None = field(default=None, repr=False, compare=False)
    """What even weights gave each pair of texts: kept, a pair is encoded once for all questions about it."""

    @property
    def about(self) -> MetricInfo:
        weighed = "" if self.weights == "even" else "; tokens weighed by their rarity in the run's references"
        return MetricInfo(
            name=f"bertscore_{self.part}/{self.encoder.name}/{self.weights}",
            definition="Each token takes the cosine of the nearest token of the other text: mean over the reply's "
            "tokens (precision), over "
            f"the reference's (recall), and their harmonic mean (f1); mean over rows{weighed}. Not rescaled.",
            citation="Zhang et al., ICLR 2020, arXiv 1904.09675",
            better="higher",
            unit="cosine",
            low=-1.0,
            differs="BERTScore with RoBERTa-large, whose raw values lie between .8 and .9 for any English; values of "
            "two encoders are not "
            "comparable. Marks at the ends of a text take no part here, neither as tokens nor as matches.",
            needs="a reference and a reply, both with a token",
        )

    def tally(self, run: Run) -> Sums:
        pairs = [(self.encoder.name, *pair) for pair in zip(run.replies, run.references, strict=True)]
        known: Kept = self.kept if self.kept is not None and self.weights == "even" else {}
        rarity = self._rarity([meant for *_, meant in pairs if meant is not None])
        new = [pair for pair in dict.fromkeys(pairs) if pair[2] is not None and pair not in known]
        for start in range(0, len(new), _AT_ONCE):
            part = new[start : start + _AT_ONCE]
            said, meant = (self.encoder.encode([pair[side] or "" for pair in part]) for side in (1, 2))
            known |= {pair: greedy(one, other, rarity) for pair, one, other in zip(part, said, meant, strict=True)}
        place, nothing = _PARTS.index(self.part), (np.nan,) * len(_PARTS)
        scores = np.array([known.get(pair, nothing)[place] for pair in pairs])
        return mean_tally(run, scores, ~np.isnan(scores))

    def _rarity(self, references: list[str]) -> "Rarity":
        if self.weights == "even":
            return Rarity({}, 0)
        found = Counter[int]()
        for start in range(0, len(references), _AT_ONCE):
            for encoded in self.encoder.encode(references[start : start + _AT_ONCE]):
                found.update(set(encoded.ids.tolist()))
        return Rarity(found, len(references))


@dataclass(frozen=True)
class Rarity:
    """log((N + 1) / (references with the token + 1)); the same for all tokens where nothing was counted."""

    found: dict[int, int]
    texts: int

    def weigh(self, encoded: Encoded) -> Floats:
        if not self.texts:
            return np.ones(len(encoded.ids))
        return np.log([(self.texts + 1) / (self.found.get(each, 0) + 1) for each in encoded.ids.tolist()])


def greedy(said: Encoded, meant: Encoded, rarity: Rarity) -> Nearness:
    """Precision, recall, F1 of one reply; NaN where a text has no token that weighs anything."""
    mine, theirs = rarity.weigh(said), rarity.weigh(meant)
    if not mine.sum() > 0 or not theirs.sum() > 0:
        return np.nan, np.nan, np.nan
    near = said.vectors.astype(np.float64) @ meant.vectors.astype(np.float64).T
    precision = float(near.max(1) @ mine / mine.sum())
    recall = float(near.max(0) @ theirs / theirs.sum())
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both > 0 else 0.0
