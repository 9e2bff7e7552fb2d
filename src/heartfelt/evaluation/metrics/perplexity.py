"""How surprised a language model is by the replies. The model, and what it had read before, are part of the name."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from heartfelt.evaluation.metrics.metric import Metric, MetricInfo, mean_tally, used_rows
from heartfelt.evaluation.metrics.rows import Likelihood, Row
from heartfelt.evaluation.metrics.run import Run
from heartfelt.evaluation.metrics.tallies import Sums, ratio
from heartfelt.models.embedded.engine import ROOM, Engine

Given: TypeAlias = Literal["response-only", "after-context"]
_START = "<|endoftext|>"


@dataclass(frozen=True)
class Perplexity(Metric):
    """Over all tokens of the run."""

    scorer: str
    """The name under which rows hold its log-probabilities, such as `gpt2/response-only`."""

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"ppl_corpus/{self.scorer}",
            definition="exp of minus the mean log-probability of a token, over all tokens of all replies.",
            citation="Jelinek et al., JASA 1977; TRACE, arXiv 2509.21849, scores with gpt2, response only",
            better="lower",
            unit="perplexity",
            low=1.0,
            high=None,
            differs="`ppl_response`, the mean over replies. Another model, another tokeniser or a context before the "
            "reply give another "
            "number: a model that scores its own replies in their context finds them near 2.",
            needs=f"log-probabilities by '{self.scorer}'",
        )

    def tally(self, run: Run) -> Sums:
        logs, tokens = run.number(f"likelihood/{self.scorer}"), run.number(f"tokens/{self.scorer}")
        used = ~np.isnan(logs)
        sums = np.zeros((len(run.dialogue.names), 2))
        np.add.at(sums, run.dialogue.codes[used], np.stack([-logs, tokens], axis=1)[used])
        return Sums(used_rows(run, used), sums, lambda parts: np.exp(ratio(parts[..., 0], parts[..., 1])))


@dataclass(frozen=True)
class ReplyPerplexity(Metric):
    """Of each reply, then the mean: one odd short reply can double it."""

    scorer: str

    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name=f"ppl_response/{self.scorer}",
            definition="exp of minus the mean log-probability of a reply's tokens; mean over replies.",
            citation="as the perplexity of Hugging Face's evaluate",
            better="lower",
            unit="perplexity",
            low=1.0,
            high=None,
            differs="`ppl_corpus`, which is never larger where all replies have one length.",
            needs=f"log-probabilities by '{self.scorer}'",
        )

    def tally(self, run: Run) -> Sums:
        each = np.exp(ratio(-run.number(f"likelihood/{self.scorer}"), run.number(f"tokens/{self.scorer}")))
        return mean_tally(run, each, ~np.isnan(each))


def scored(rows: Iterable[Row], engine: Engine, model: str, given: Given = "response-only") -> Iterator[Row]:
    """The rows, with how likely the embedded model finds each reply. Score with a model that did not write them.

    `model` is its name in the figures. Context is plain text, a line for each turn; of a long one the latest words that the
    model can hold. An empty reply gets no likelihood, nor one that is longer than the model can hold.
    """
    start = engine.tokens(_START, special=True)
    for row in rows:
        said = "\n".join(row.context) if given == "after-context" else ""
        tokens = engine.tokens(("\n" if said else "") + row.reply)
        room = engine.context - max(ROOM, len(tokens)) - len(start)
        if not row.reply.strip() or not tokens or room < 0:
            yield row
            continue
        heard = engine.tokens(said)
        logs = engine.read(start + heard[max(0, len(heard) - room) :]).likely([tokens])[0]
        likely = Likelihood(log_probability=min(logs, 0.0), tokens=len(tokens))
        yield row.model_copy(update={"likelihoods": row.likelihoods | {f"{model}/{given}": likely}})
