"""The emotion that a stretch of speech carries in its sound, by the head that ships with Heartfelt."""

from heartfelt.records import Scores
from heartfelt.senses.emotions import EmotionNetwork
from heartfelt.senses.voice.layers import Layers
from heartfelt.senses.voice.samples import Samples


class VocalEmotion:
    """An `Emotion`. Safe to share between threads."""

    def __init__(self, layers: Layers | None = None, network: EmotionNetwork | None = None):
        self.layers = layers or Layers()
        self.network = network or EmotionNetwork.shipped("voice")

    def __call__(self, samples: Samples) -> Scores:
        return self.network.shares(self.layers(samples))
