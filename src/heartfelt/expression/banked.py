"""The label of an emotion bank that an emotion of any set stands for: voice and face resolve it the same way."""

from collections.abc import Iterable

from heartfelt.errors import UnknownName
from heartfelt.labels import LABEL_SETS, fold, translate
from heartfelt.labels.maps import is_emotion_set
from heartfelt.labels.sets import COARSE, ED32


def banked(emotion: str, known: Iterable[str]) -> str:
    """The emotion is a label of any of the sets of emotions, or a word that can be read as one («heartbroken»)."""
    known = set(known)
    if emotion in known:
        return emotion
    for candidate in filter(is_emotion_set, LABEL_SETS.values()):
        if emotion in (*candidate.labels, *dict(candidate.aliases)):
            emotion = candidate.resolve(emotion)
            if found := translate(emotion, candidate, COARSE, missing="none"):
                return found
    if found := fold(emotion, ED32).label or fold(emotion, COARSE).label:
        return found
    raise UnknownName("emotion", emotion, known)
