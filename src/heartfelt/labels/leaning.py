"""Which way an emotion leans, whatever set its label is from."""

from functools import lru_cache

from heartfelt.labels import Affect, affect, fold

CLEARLY = 0.35
"""How far from the middle an emotion must lie before its opposite is called wrong."""


@lru_cache(maxsize=4096)
def leaning(emotion: str) -> int:
    """-1 for clearly unpleasant, 1 for clearly pleasant, 0 for anything between or unknown."""
    found = _affect(emotion)
    if found is None or abs(found.valence) < CLEARLY:
        return 0
    return 1 if found.valence > 0 else -1


def strength(emotion: str) -> float:
    """How stirred the emotion is, from 0 to 1; a middle value where it is unknown."""
    found = _affect(emotion)
    return 0.5 if found is None else max(0.0, min(1.0, (found.arousal + 1) / 2))


def _affect(emotion: str) -> Affect | None:
    label = fold(emotion, "ed32").label
    return affect(label) if label else None
