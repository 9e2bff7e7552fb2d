"""Gladness that nobody may feel: «Congratulations!» to somebody who has lost the contract hurts more than a plain word.

How raters marked glad replies where nothing glad was seen: `python bench/gladness.py`.
"""

import re

from heartfelt.agents.bank import CHEERFUL
from heartfelt.records import Situation

GLAD, FELT = 0.3, 0.5
"""How likely good news, or a glad feeling, must be for a glad reply."""
GLAD_FEELINGS = frozenset(
    {
        *(
            "joyful",
            "excited",
            "proud",
            "grateful",
            "hopeful",
            "content",
            "confident",
            "impressed",
            "surprised",
            "anticipating",
        ),
        *("prepared", "trusting", "caring", "sentimental", "nostalgic", "faithful"),
    }
)
_CHEERS = re.compile(
    r"congrat|happy for you|\bso glad|love (this|that|it)\b|what a (great|lovely|wonderful|fun)|well done|\byay\b|hooray"
    r"|amazing|how (lovely|wonderful|exciting|fun)|good for you|\blucky|so sweet|\benjoy|made me smile|so (excited|proud)"
    r"|\bcheers|^ha\b|wonderful|doing (so )?(great|well)|happy to hear",
    re.IGNORECASE,
)


def cheers(text: str) -> bool:
    return bool(_CHEERS.search(text))


def gladness_fits(situation: Situation | None) -> bool:
    """Whether good news or a glad feeling was seen; true where nobody looked."""
    if situation is None or situation.distribution is None:
        return True
    good = sum(share for kind, share in situation.distribution.items() if kind in CHEERFUL)
    felt = sum(share for feeling, share in (situation.feelings or {}).items() if feeling in GLAD_FEELINGS)
    return good >= GLAD or felt >= FELT
