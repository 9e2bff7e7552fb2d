"""What a listener shows to somebody who feels so, and how strongly, both from 0 to 1."""

from heartfelt.labels.folding import fold
from heartfelt.labels.sets import ED32
from heartfelt.labels.tables import table


def mirroring(emotion: str, felt: float) -> tuple[str, float]:
    """The same emotion, as strong as it is felt: as the published systems do."""
    return emotion, felt


def answering(emotion: str, felt: float) -> tuple[str, float]:
    """What a kind listener shows: nobody is helped by fury in return for fury. A listener is never quite without feeling."""
    answers = table("answering")
    shown, share = answers[emotion if emotion in answers else fold(emotion, ED32).label or "neutral"]
    return shown, min(share * (0.5 + felt / 2), 1.0)


WAYS = {"mirroring": mirroring, "answering": answering}
