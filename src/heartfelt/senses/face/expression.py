"""The emotions that an aligned face shows, by the network that ships with Heartfelt."""

import numpy as np
from numpy.typing import NDArray

from heartfelt.records import Scores
from heartfelt.senses.emotions import EmotionNetwork
from heartfelt.senses.face.light import shown


class ExpressionNetwork:
    """An `Expression`. Safe to share between threads."""

    def __init__(self, network: EmotionNetwork | None = None):
        self.network = network or EmotionNetwork.shipped("face")

    def __call__(self, face: NDArray[np.uint8]) -> Scores:
        return self.network.shares(shown(face[None])[0])
