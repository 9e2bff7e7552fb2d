"""How much of a reply was not made for it: taken from what was said, from an exemplar, or from the model's other replies."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from heartfelt.evaluation.metrics.distinct import folded
from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, mean_tally
from heartfelt.evaluation.metrics.run import Run
from heartfelt.evaluation.metrics.tallies import Sums, ratio
from heartfelt.evaluation.metrics.tokens import Hashes, Ints, Tokeniser, grams, tokenised

Source = Literal["context", "exemplars"]


@dataclass(frozen=True)
class CopyRate(Metric):
    source: Source
    size: int = 4
    tokens: Tokeniser = "lower-words"

    @property
    def about(self) -> MetricInfo:
        where = "what was said before" if self.source == "context" else "the exemplars that it was shown"
        return MetricInfo(
            name=f"copy_rate-{self.size}/{self.source}/{self.tokens}",
            definition=f"The share of a reply's {self.size}-grams that stand in {where}; mean over replies of at "
            f"least {self.size} words.",
            citation="Heartfelt; after the n-gram overlap of See et al., ACL 2017, arXiv 1704.04368",
            better="lower",
            unit="share",
            differs="`verbatim`, which asks for the whole reply.",
            needs=f"{self.size} words or more, and {'a context' if self.source == 'context' else 'exemplars'}",
        )

    def tally(self, run: Run) -> Sums:
        found, owner = grams(run.tokens(self.tokens), self.size)
        texts, holder = _sources(run, self.source)
        sources, text = grams(tokenised(texts, self.tokens), self.size)
        taken = np.isin(_in_row(found, owner), _in_row(sources, holder[text]))
        total = np.bincount(owner, minlength=len(run))
        having = np.bincount(holder, minlength=len(run)) > 0
        return mean_tally(
            run,
            ratio(np.asarray(np.bincount(owner, taken, len(run)), np.float64), total.astype(np.float64)),
            (total > 0) & having,
        )


@dataclass(frozen=True)
class Verbatim(Metric):
    source: Source = "exemplars"
    tokens: Tokeniser = "lower-words"

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"verbatim/{self.source}/{self.tokens}",
            definition=f"Replies that are word by word one of the texts in their {self.source}.",
            citation="Heartfelt",
            better="lower",
            unit="share",
            needs="a word, and a context" if self.source == "context" else "a word, and exemplars",
        )

    def tally(self, run: Run) -> Sums:
        tokens = run.tokens(self.tokens)
        texts, holder = _sources(run, self.source)
        others = tokenised(texts, self.tokens)
        mine = _in_row(folded(tokens.hashes, tokens.lengths), np.arange(len(run)))
        same = np.isin(mine, _in_row(folded(others.hashes, others.lengths), holder))
        having = np.bincount(holder, minlength=len(run)) > 0
        return mean_tally(run, same.astype(np.float64), (tokens.lengths > 0) & having)


@dataclass(frozen=True)
class SelfRepetition(Metric):
    size: int = 4
    tokens: Tokeniser = "lower-words"

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"self_repetition-{self.size}/{self.tokens}",
            definition=f"Replies that share a {self.size}-gram with another reply of the run, among those of at least "
            f"{self.size} words.",
            citation="after Salkar et al., AACL 2022 (self-repetition of n-grams of four words)",
            better="lower",
            unit="share",
            differs="Repetition within a reply, which `dist_response` sees. It grows with the run: compare runs of one size.",
            needs=f"{self.size} words or more",
            grows_with_text=True,
        )

    def tally(self, run: Run) -> Sums:
        found, owner = grams(run.tokens(self.tokens), self.size)
        long_enough = np.bincount(owner, minlength=len(run)) > 0
        return mean_tally(run, _shared_with_others(found, owner, len(run)).astype(np.float64), long_enough)


def _shared_with_others(found: Hashes, owner: Ints, rows: int) -> NDArray[np.bool_]:
    """Which rows hold a thing that another row holds as well."""
    shared = np.zeros(rows, bool)
    if not found.size:
        return shared
    order = np.argsort(found, kind="stable")
    things, holders = found[order], owner[order]
    starts = np.flatnonzero(np.append(True, things[1:] != things[:-1]))
    several = np.minimum.reduceat(holders, starts) != np.maximum.reduceat(holders, starts)
    shared[holders[np.repeat(several, np.diff(np.append(starts, len(things))))]] = True
    return shared


def _sources(run: Run, source: Source) -> tuple[list[str], Ints]:
    """All texts that could have been taken from, and the row of each."""
    columns = run.contexts if source == "context" else run.exemplars
    holder = np.repeat(np.arange(len(run)), [len(texts) for texts in columns])
    return [text for texts in columns for text in texts], holder


def _in_row(things: Hashes, rows: Ints) -> Hashes:
    """A thing together with its row, so that only the row's own sources match."""
    return things ^ (rows.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
