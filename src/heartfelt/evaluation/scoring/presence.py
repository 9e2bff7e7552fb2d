"""Which of the three ways of showing empathy a reply holds, by rule. How well that agrees with people is measured by
`agreement.py`; the figures are in `docs/design/planted-faults.md`.
"""

from heartfelt.evaluation import weak
from heartfelt.evaluation.metrics.presence import MECHANISMS, RULE
from heartfelt.records import Scores
from heartfelt.text import sentences_of


def by_rule(reply: str) -> Scores:
    """1 for each mechanism that a sentence of the reply holds. A sentence can hold none: «Okay.» shows no empathy."""
    held = {mechanism for sentence in sentences_of(reply) for mechanism in _held(sentence)}
    return {f"presence/{RULE}/{mechanism}": float(mechanism in held) for mechanism in MECHANISMS}


def _held(sentence: str) -> set[str]:
    """As `strategy_of` tells them apart, but it must choose one and says ER where it finds nothing."""
    named = {"EX": sentence.rstrip("\"'”’)").endswith("?"), "IP": weak.has(sentence, "interprets")}
    return {name for name, holds in (named | {"ER": weak.has(sentence, "warm")}).items() if holds}
