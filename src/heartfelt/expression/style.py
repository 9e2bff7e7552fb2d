"""How a reply is to be given: the emotion that voice and face carry, how strongly, and in which tone. Never what is said."""

from pydantic import Field

from heartfelt.agents.deliver import felt
from heartfelt.expression.voice.emotions import manner_of, tones
from heartfelt.labels.answering import answering
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

    Where a recipe has a delivery, it is carried as it is. Otherwise the forecast says what the person feels, and a kind
    listener answers that.
    """
    plan, delivery, forecast = made.find(Plan), made.find(Delivery), made.find(Forecast)
    tone = plan.tone if plan and plan.tone in tones() else ""
    if delivery is not None:
        return Style(emotion=delivery.emotion, intensity=delivery.intensity, tone=tone)
    if forecast is None:
        return Style(tone=tone)
    emotion, intensity = answering(forecast.emotion, felt(forecast))
    return Style(emotion=emotion, intensity=round(intensity, 3), tone=tone)
