"""deliver (E3RG's empathy memory and emotion bank): what voice and face are to carry, as a record.

It hangs on the forecast alone and stands before the reply, so that the first words can be spoken in its manner. No model
is asked.
"""

import time
from dataclasses import dataclass
from typing import ClassVar, Literal

from heartfelt.agents.step import Step
from heartfelt.agents.view import View
from heartfelt.labels import emotion_map, fold, translate
from heartfelt.labels.answering import WAYS
from heartfelt.labels.leaning import strength
from heartfelt.records import Delivery, Forecast, Identity, StepRecord


@dataclass(frozen=True, kw_only=True)
class Deliver(Step):
    """The identity stays; the emotion goes from its own label into the bank of eight by a named map."""

    name: ClassVar[str] = "deliver"
    asks_model: ClassVar[bool] = False
    mapping: str = "e3rg"
    shows: Literal["mirroring", "answering"] = "mirroring"
    """The emotion of the forecast itself, or what a kind listener shows to somebody who feels so."""

    async def run(self, view: View) -> StepRecord:
        started = time.perf_counter()
        delivery = self._decided(view.find(Forecast), view.services.identity)
        ms = (time.perf_counter() - started) * 1000
        return StepRecord(step=self.name, made_in=view.number, output=delivery, ms=ms)

    def _decided(self, forecast: Forecast | None, identity: Identity) -> Delivery:
        emotion, intensity = WAYS[self.shows](forecast.emotion, felt(forecast)) if forecast else ("neutral", 0.0)
        return Delivery(
            emotion=emotion,
            bank=self._bank(emotion),
            mapping=self.mapping,
            intensity=round(intensity, 3),
            identity=identity,
        )

    def _bank(self, emotion: str) -> str:
        """One of the eight; a coarse label that is one already stays itself, and a turn without a forecast is neutral."""
        if emotion in emotion_map(self.mapping):
            return translate(emotion, "ed32", "mead", via=self.mapping)
        return fold(emotion, "mead", via=self.mapping).label or "neutral"


def felt(forecast: Forecast) -> float:
    """How strongly: as stirred as the emotion is, as far as that is sure."""
    return strength(forecast.emotion) * (forecast.confidence or 1.0)
