"""Marks of the three ways of showing empathy in a reply, by who gave them; `scoring` gives them.

EPITOME (Sharma et al., EMNLP 2020, arXiv 2009.08441) had people mark each in replies and taught a classifier. That classifier
is not here; what is here are two stand-ins, and each mark carries the name of its maker:

| mark | is | from |
|---|---|---|
| `presence/rule/ER` … | 1 or 0 | word lists and question marks, sentence by sentence |
| `presence/brain/ER` … | 0 to 1 | how likely the embedded model finds a sentence after each strategy's name |
"""

from typing import Literal, TypeAlias

from heartfelt.agents.strategy import STRATEGIES
from heartfelt.evaluation.metrics.judged import JudgedMetric

Maker: TypeAlias = Literal["rule", "brain"]
RULE: Maker = "rule"
BRAIN: Maker = "brain"
MECHANISMS = tuple(STRATEGIES)
"""ER, IP, EX."""
_CITATION = "Sharma et al., EMNLP 2020, arXiv 2009.08441, for the three mechanisms; the marks are Heartfelt's own"
_HOW: dict[Maker, str] = {
    RULE: "Share of replies with a sentence of {what}, told by word lists and question marks.",
    BRAIN: "The largest share of {what} among the three strategies in a sentence, by the likelihood that the embedded model "
    "gives the sentence after each strategy's name; mean over replies. One third is no preference.",
}


def marked(maker: Maker) -> tuple[str, ...]:
    """The names of a maker's marks."""
    return tuple(f"presence/{maker}/{mechanism}" for mechanism in MECHANISMS)


def presence_metrics() -> tuple[JudgedMetric, ...]:
    """The mean of each mark over the replies of a run."""
    return tuple(
        JudgedMetric(mark=mark, definition=how.format(what=what), citation=_CITATION, better="neither")
        for maker, how in _HOW.items()
        for mark, what in zip(marked(maker), STRATEGIES.values(), strict=True)
    )
