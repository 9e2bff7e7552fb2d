"""Where each of ED's 32 labels lies: unpleasant to pleasant, calm to stirred. Approximate; see the data file."""

from typing import NamedTuple

from heartfelt.labels.sets import ED32
from heartfelt.labels.tables import table


class Affect(NamedTuple):
    """Both from -1 to 1."""

    valence: float
    arousal: float


def affect(label: str) -> Affect:
    """The coordinates of an ED-32 label."""
    valence, arousal = table("affect")[ED32.resolve(label)]
    return Affect(valence, arousal)
