"""The two small networks that ship with Heartfelt: what a face and a voice show, in the emotions in which all senses speak.

`heartfelt.tuning.senses` makes them; their cards are in `docs/models`.
"""

from heartfelt.senses.emotions.network import EmotionNetwork as EmotionNetwork
