"""How a reply is to be given: the emotion that voice and face carry, how strongly, and in which tone. Never what is said."""

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import Field

from heartfelt.expression.voice.emotions import manner_of, tones
from heartfelt.labels import fold
from heartfelt.labels.leaning import strength
from heartfelt.labels.sets import ED32
from heartfelt.records import Delivery, Forecast, Pass, Plan, Record


class Style(Record):
    """One emotion decision for voice and face."""

    emotion: str = "neutral"
    """A label of any set of emotions, or a word that can be read as one."""
    intensity: float = Field(default=0.7, ge=0, le=1)
    tone: str = ""
    """The tone of a plan, such as «gentle», or none."""

    @classmethod
    def read(cls, emotion: str, intensity: float = 0.7, tone: str = "") -> "Style":
        """A style as somebody wrote it; UnknownName where there is no such emotion or tone, InputError beyond the limits."""
        manner_of(emotion, intensity, tone)
        return cls(emotion=emotion, intensity=intensity, tone=tone)


def style_of(made: Pass) -> Style:
    """The style that the steps of a pass decided on.

    Where a recipe has a delivery, it is carried as it is. Otherwise the forecast says what the person feels, and a listener
    does not mirror all of that: nobody is helped by fury in return for fury.
    """
    plan, delivery, forecast = made.find(Plan), made.find(Delivery), made.find(Forecast)
    tone = plan.tone if plan and plan.tone in tones() else ""
    if delivery is not None:
        return Style(emotion=delivery.emotion, intensity=delivery.intensity, tone=tone)
    if forecast is None:
        return Style(tone=tone)
    answer, share = answering(forecast.emotion)
    felt = strength(forecast.emotion) * (forecast.confidence or 1.0)
    return Style(emotion=answer, intensity=round(min(share * (0.5 + felt / 2), 1.0), 3), tone=tone)


def answering(emotion: str) -> tuple[str, float]:
    """What a kind listener shows to somebody who feels so, and how much of it."""
    label = emotion if emotion in _answers() else fold(emotion, ED32).label or "neutral"
    return _answers()[label]


@cache
def _answers() -> dict[str, tuple[str, float]]:
    text = files("heartfelt.expression").joinpath("answering.toml").read_text(encoding="utf-8")
    return {label: (str(shown), float(share)) for label, (shown, share) in tomllib.loads(text).items()}
