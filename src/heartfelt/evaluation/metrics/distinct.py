"""How varied the replies are. Four figures that share a name in the literature, and are not comparable.

`dist_corpus` divides the different n-grams of all replies by all their n-grams, so it falls as a run grows.
`dist_response` does so within each reply and takes the mean, so it is near 1 for any short reply. `ead` divides by what random
words would give.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, mean_tally
from heartfelt.evaluation.metrics.run import Floats, Run
from heartfelt.evaluation.metrics.tallies import Distinct, Sums, ratio
from heartfelt.evaluation.metrics.tokens import Hashes, Ints, Span, Tokeniser, grams

LI = "Li et al., NAACL 2016, arXiv 1510.03055"
LIU = "Liu et al., ACL 2022, arXiv 2202.13587"
GPT2_VOCABULARY = 50_257
Counted = Callable[[Floats, Floats], Floats]
"""From how many are different, and how many there are, to the figure."""
_WHOLE_REPLY = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class DistCorpus(Metric):
    size: int
    tokens: Tokeniser = "lower-whitespace"

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"dist_corpus-{self.size}/{self.tokens}",
            definition=f"Different {self.size}-grams over all {self.size}-grams of all replies; none crosses two replies.",
            citation=f"{LI}; so in TRACE, the reflective system and Empatheia",
            better="higher",
            unit="share",
            differs="`dist_response`, which is near 1 for any short reply. It falls as a run grows: compare runs of one size.",
            needs=f"{self.size} words or more",
            grows_with_text=True,
        )

    def tally(self, run: Run) -> Distinct:
        return _gram_tally(run, self.size, self.tokens, "within", ratio)


@dataclass(frozen=True)
class DistResponse(Metric):
    size: int
    tokens: Tokeniser = "lower-whitespace"

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"dist_response-{self.size}/{self.tokens}",
            definition=f"Different {self.size}-grams over all {self.size}-grams within a reply; the mean over replies. "
            f"Replies of fewer than {self.size} words are left out.",
            citation="E3RG, arXiv 2508.12854, where it is called Dist",
            better="higher",
            unit="share",
            differs="`dist_corpus`: replies that are all the same still score 1 here.",
            needs=f"{self.size} words or more",
        )

    def tally(self, run: Run) -> Sums:
        found, owner = grams(run.tokens(self.tokens), self.size)
        total = np.bincount(owner, minlength=len(run))
        return mean_tally(run, ratio(different_within(found, total).astype(np.float64), total.astype(np.float64)), total > 0)


@dataclass(frozen=True)
class EadTrace(Metric):
    """TRACE's formula as it stands: the vocabulary of single words, whatever the size of the n-grams."""

    size: int
    vocabulary: int = GPT2_VOCABULARY
    span: Span = "within"
    tokens: Tokeniser = "lower-whitespace"

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"ead_trace-{self.size}/{self.tokens}/V={self.vocabulary}/{self.span}",
            definition=f"D / (V·(1 − ((V − 1) / V)^C)): D different among C {self.size}-grams of all replies, "
            f"V = {self.vocabulary}; n-grams {_spanned(self.span)}.",
            citation=f"TRACE, arXiv 2509.21849, after {LIU}",
            better="higher",
            unit="ratio",
            high=None,
            differs="`ead`: with V of single words the expectation for pairs is too small, and the ratio has no upper bound. "
            "On the same n-grams it is never below `dist_corpus`, so TRACE's published EAD-1 (10.26, below its Dist-1 "
            "of 13.62) "
            "was counted over other tokens than its Dist-1.",
            needs=f"{self.size} words or more",
            grows_with_text=True,
        )

    def tally(self, run: Run) -> Distinct:
        return _gram_tally(run, self.size, self.tokens, self.span, lambda d, c: adjusted(d, c, self.vocabulary))


@dataclass(frozen=True)
class Ead(Metric):
    """Expectation-adjusted distinct with as many possible n-grams as there are: V to the power of n."""

    size: int
    vocabulary: int = GPT2_VOCABULARY
    tokens: Tokeniser = "lower-whitespace"

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"ead-{self.size}/{self.tokens}/V={self.vocabulary}^{self.size}/within",
            definition=f"D / E: D different {self.size}-grams of all replies, and E = N·(1 − ((N − 1) / N)^C) "
            "different ones to be "
            f"expected of C drawn evenly among N = {self.vocabulary}^{self.size}; none crosses two replies.",
            citation=f"{LIU}; N for n-grams is ours",
            better="higher",
            unit="ratio",
            high=float(np.e / (np.e - 1)),
            differs="`ead_trace`, which keeps V for pairs and triples. Language is not drawn evenly, so it still "
            "falls as a run grows.",
            needs=f"{self.size} words or more",
            grows_with_text=True,
        )

    def tally(self, run: Run) -> Distinct:
        possible = float(self.vocabulary) ** self.size
        return _gram_tally(run, self.size, self.tokens, "within", lambda d, c: adjusted(d, c, possible))


@dataclass(frozen=True)
class DifferentReplies(Metric):
    tokens: Tokeniser = "lower-words"

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"different_replies/{self.tokens}",
            definition="Different replies over all replies, compared word by word.",
            citation="Heartfelt",
            better="higher",
            unit="share",
            differs="`dist_corpus`: two replies that differ in one word are different here.",
            needs="a word",
            grows_with_text=True,
        )

    def tally(self, run: Run) -> Distinct:
        tokens = run.tokens(self.tokens)
        spoken = np.flatnonzero(tokens.lengths)
        keys = folded(tokens.hashes, tokens.lengths)[spoken]
        cluster = run.dialogue.codes[spoken]
        return Distinct(np.bincount(cluster, minlength=len(run.dialogue.names)), cluster, keys, ratio)


def adjusted(different: Floats, total: Floats, possible: float) -> Floats:
    """Different ones over those to be expected of so many drawn evenly. Written so that large numbers lose no digits."""
    if possible <= 1:
        return ratio(different, np.minimum(total, 1))
    return ratio(different, -possible * np.expm1(np.asarray(total) * np.log1p(-1 / possible)))


def different_within(found: Hashes, sizes: Ints) -> Ints:
    """How many of each reply's n-grams are different. Replies of one size are sorted together, as a table."""
    starts = np.cumsum(sizes) - sizes
    different = np.zeros(len(sizes), np.int64)
    for size in np.unique(sizes[sizes > 0]).tolist():
        rows = np.flatnonzero(sizes == size)
        table = np.sort(found[starts[rows, None] + np.arange(size)], axis=1)
        different[rows] = 1 + np.count_nonzero(table[:, 1:] != table[:, :-1], axis=1)
    return different


def folded(hashes: Hashes, lengths: Ints) -> Hashes:
    """One number for each text, by its words and their places."""
    starts = np.cumsum(lengths) - lengths
    places = np.arange(len(hashes)) - np.repeat(starts, lengths)
    odd = places.astype(np.uint64) * np.uint64(2) + np.uint64(_WHOLE_REPLY)
    found = np.zeros(len(lengths), np.uint64)
    spoken = lengths > 0
    if spoken.any():
        found[spoken] = np.add.reduceat(hashes * odd, starts[spoken])
    return found


def _gram_tally(run: Run, size: int, tokens: Tokeniser, span: Span, finish: Counted) -> Distinct:
    found, owner = grams(run.tokens(tokens), size, span)
    having = np.zeros(len(run), bool)
    having[owner] = True
    codes, dialogues = run.dialogue.codes, len(run.dialogue.names)
    return Distinct(np.bincount(codes[having], minlength=dialogues), codes[owner], found, finish)


def _spanned(span: Span) -> str:
    return "stay within a reply" if span == "within" else "cross from one reply into the next"
