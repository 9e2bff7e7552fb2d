"""From an emotion of any set to an entry of a generator's own bank, by the map of E3RG."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from heartfelt.errors import GeneratorError
from heartfelt.labels import LABEL_SETS, fold, translate
from heartfelt.labels.maps import is_emotion_set
from heartfelt.labels.sets import COARSE, ED32

MAP = "e3rg"
"""That of the step `deliver`."""
_AT_REST = ("neutral", "default", "normal", "calm")
"""What banks call their entry for nothing felt."""
_NEAR = {"contempt": "disgust", "disgust": "contempt"}
"""Classes that stand in for each other where a bank has only one of them."""


def entry(emotion: str, bank: Sequence[str], *, finer: Mapping[str, str] | None = None) -> str:
    """The entry of the bank for an emotion: itself, a finer one, that of its class, or the one at rest.

    `finer` names the labels of EmpatheticDialogues for which a bank has something better than the entry of their class.
    """
    own = {name.casefold(): name for name in bank}
    if found := _first(own, (emotion.casefold(), (finer or {}).get(_fine(emotion), ""))):
        return found
    feeling = coarse_of(emotion)
    wanted = [feeling, _NEAR.get(feeling or "")]
    plainest_first = sorted(bank, key=lambda name: name.casefold() not in _plain())  # «happy» rather than «amused»
    classes = {coarse: name for name in reversed(plainest_first) if (coarse := coarse_of(name))}
    found = next((classes[coarse] for coarse in wanted if coarse in classes), None) or _first(own, _AT_REST)
    if found is None:
        raise GeneratorError(
            f"The generator has nothing for '{emotion}' and nothing at rest either; its emotions are {', '.join(bank)}. "
            "Let it list 'neutral' or one of the same class under `emotions` in /v1/about."
        )
    return found


def at_rest(name: str) -> bool:
    """Whether an entry carries no feeling."""
    return not name or name.casefold() in _AT_REST


def coarse_of(emotion: str) -> str | None:
    """One of the eight classes, or None for what is no emotion."""
    for known in filter(is_emotion_set, LABEL_SETS.values()):
        if emotion in (*known.labels, *dict(known.aliases)):
            found = translate(emotion, known, COARSE, via=MAP, missing="none")
            if found is not None:
                return found
    return fold(emotion, COARSE, via=MAP).label


@cache
def _plain() -> frozenset[str]:
    """The labels of the coarse sets, each the plain word for its class."""
    return frozenset(
        label for known in LABEL_SETS.values() if is_emotion_set(known) and known != ED32 for label in known.labels
    )


def _fine(emotion: str) -> str:
    return emotion if emotion in ED32.labels else fold(emotion, ED32).label or ""


def _first(own: Mapping[str, str], names: Iterable[str]) -> str | None:
    return next((own[name] for name in names if name in own), None)
