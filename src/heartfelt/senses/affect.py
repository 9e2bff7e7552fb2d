"""How pleasant and how stirred, by a stated rule: the mean of the emotions' points, each weighed by its share.

The points are those of the labels (`labels/data/affect.toml`), which are our own judgement; a neutral face, voice or sentence
lies in the middle.
"""

from functools import lru_cache

from heartfelt.labels import Affect, affect, fold
from heartfelt.records import Scores


def felt(shares: Scores) -> Affect:
    """Valence and arousal of what a sense, or all of them, said."""
    points = [(share, _point(label)) for label, share in shares.items()]
    total = sum(shares.values()) or 1.0
    return Affect(
        sum(share * point.valence for share, point in points) / total,
        sum(share * point.arousal for share, point in points) / total,
    )


@lru_cache
def _point(label: str) -> Affect:
    known = fold(label, "ed32").label
    return affect(known) if known and label != "neutral" else Affect(0.0, 0.0)
