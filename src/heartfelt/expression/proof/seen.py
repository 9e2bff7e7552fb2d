"""Whether a face carries what was asked of it: the film is shown to the senses, as a film of anybody would be."""

from pathlib import Path

import numpy as np

from heartfelt.expression.face.emotions import mixture
from heartfelt.records import Carried, Scores
from heartfelt.senses.face import FaceNetworks, FaceSense, MediaPipeNetworks
from heartfelt.senses.face.expression import ExpressionNetwork
from heartfelt.senses.media import open_media

_CLASSES = ("joy", "sadness", "anger", "fear", "surprise", "disgust")
"""Those that the face network tells apart, beside neutral; the anchors of the face's bank have the same names."""
_FAINT, _CLEAR = 0.15, 0.45
"""How much of all anchors leaves a face neutral, and how much of one anchor makes it one of the classes."""
_LOOKS = 5.0
"""Pictures a second that are looked at."""


class Onlooker:
    """Watches films and says which emotion they show. The networks are loaded once."""

    def __init__(self, networks: FaceNetworks | None = None):
        self.networks = networks or MediaPipeNetworks()
        self.expression = ExpressionNetwork()

    def shares(self, film: Path) -> Scores:
        """How likely each emotion is over the whole film; empty where no face is found."""
        sense = FaceSense(self.networks, expression=self.expression)
        looks: list[Scores] = []
        for picture in open_media(film).frames(rate=_LOOKS):
            main = sense.see(picture.pixels, picture.time).main
            if main is not None and main.shares:
                looks.append(main.shares)
        if not looks:
            return {}
        return {label: round(float(np.mean([look[label] for look in looks])), 4) for label in looks[0]}


def seen_as(emotion: str, intensity: float) -> str:
    """The class of the senses that a face with this emotion should be recognised as; empty where they have none for it."""
    parts = {name: weight * intensity for name, weight in mixture(emotion).items()}
    if sum(parts.values()) < _FAINT:
        return "neutral"
    best = max(parts, key=lambda name: parts[name])
    return best if best in _CLASSES and parts[best] >= _CLEAR else ""


def face_carried(emotion: str, intended: str, shares: Scores) -> Carried:
    """`intended` is the class of the senses that the emotion should be recognised as; empty where they have none for it."""
    best = max(shares, key=lambda label: shares[label]) if shares else ""
    if not shares:
        note = "no face is found in the film"
        return Carried(channel="face", intended=emotion, expected=intended, agrees=False, note=note)
    if not intended:
        note = f"the senses have no class for '{emotion}'"
        return Carried(channel="face", intended=emotion, recognised=best, shares=shares, note=note)
    agrees = best == intended
    note = "" if agrees else f"the face looks like {best}, and {intended} was intended"
    return Carried(
        channel="face", intended=emotion, expected=intended, recognised=best, shares=shares, agrees=agrees, note=note
    )
