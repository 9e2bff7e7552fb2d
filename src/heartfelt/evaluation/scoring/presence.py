"""Which of the three ways of showing empathy a reply holds: emotional reaction, interpretation, exploration.

EPITOME (Sharma et al., EMNLP 2020, arXiv 2009.08441) had people mark each in replies and taught a classifier. That classifier
is not here; what is here are two stand-ins, and each mark carries the name of its maker:

| mark | is | from |
|---|---|---|
| `presence/rule/ER` … | 1 or 0 | word lists and question marks, sentence by sentence |
| `presence/brain/ER` … | 0 to 1 | how likely the embedded model finds a sentence after each strategy's name |

Both work on sentences, for one reply can react and then explore. How well they agree with people is measured by `agreement.py`;
the figures are in `docs/design/planted-faults.md`.
"""

from typing import Literal, TypeAlias

from heartfelt.agents.speech import sentences_of
from heartfelt.evaluation.metrics.judged import Judged
from heartfelt.prompts.notes import STRATEGIES
from heartfelt.records import Scores
from heartfelt.tuning import weak

Maker: TypeAlias = Literal["rule", "brain"]
RULE: Maker = "rule"
BRAIN: Maker = "brain"
MECHANISMS = tuple(STRATEGIES)
"""ER, IP, EX."""
_CITATION = "Sharma et al., EMNLP 2020, arXiv 2009.08441, for the three mechanisms; the marks are Heartfelt's own"
_HOW = {
    RULE: "Share of replies with a sentence of {what}, told by word lists and question marks.",
    BRAIN: "The largest share of {what} among the three strategies in a sentence, by the likelihood that the embedded model "
    "gives the sentence after each strategy's name; mean over replies. One third is no preference.",
}


def marked(maker: Maker) -> tuple[str, ...]:
    """The names of a maker's marks."""
    return tuple(f"presence/{maker}/{mechanism}" for mechanism in MECHANISMS)


def by_rule(reply: str) -> Scores:
    """1 for each mechanism that a sentence of the reply holds. A sentence can hold none: «Okay.» shows no empathy."""
    held = {mechanism for sentence in sentences_of(reply) for mechanism in _held(sentence)}
    return {f"presence/{RULE}/{mechanism}": float(mechanism in held) for mechanism in MECHANISMS}


def presence_metrics() -> tuple[Judged, ...]:
    """For the catalogue: the mean of each mark over the replies of a run."""
    return tuple(
        Judged(mark=f"presence/{maker}/{mechanism}", definition=how.format(what=what), citation=_CITATION, better="neither")
        for maker, how in _HOW.items()
        for mechanism, what in STRATEGIES.items()
    )


def _held(sentence: str) -> set[str]:
    """As `strategy_of` tells them apart, but it must choose one and says ER where it finds nothing."""
    named = {"EX": sentence.rstrip("\"'”’)").endswith("?"), "IP": weak._has(sentence, "interprets")}
    return {name for name, holds in (named | {"ER": weak._has(sentence, "warm")}).items() if holds}
