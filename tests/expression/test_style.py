import pytest

from heartfelt.errors import InputError, UnknownName
from heartfelt.expression.style import Style, style_of
from heartfelt.expression.voice.emotions import manner_of
from heartfelt.labels.answering import answering
from heartfelt.labels.leaning import leaning
from heartfelt.labels.sets import ED32
from heartfelt.records import Delivery, Forecast, Identity, Output, Pass, Plan, StepRecord


def made(*outputs: Output) -> Pass:
    steps = tuple(StepRecord(step=output.kind, made_in=0, output=output) for output in outputs)
    return Pass(number=0, started_from="perceive", steps=steps)


PLAN = Plan(goal="comfort", stance="friend", tactic="listen", tone="gentle")


def test_every_emotion_is_answered_with_one_that_voice_and_face_know():
    for label in ED32.labels:
        shown, share = answering(label, 1.0)
        manner_of(shown)
        assert 0 < share <= 1


def test_nobody_is_answered_with_anger_fear_or_disgust():
    shown = {answering(label, 1.0)[0] for label in ED32.labels}
    assert not shown & {"angry", "furious", "annoyed", "disgusted", "afraid", "terrified", "jealous", "anxious"}


def test_joy_is_not_answered_with_sorrow_nor_sorrow_with_joy():
    for label in ED32.labels:
        shown = answering(label, 1.0)[0]
        assert leaning(label) * leaning(shown) >= 0 or shown in ("caring", "trusting"), label


def test_the_plan_gives_the_tone_and_the_forecast_the_emotion():
    style = style_of(made(Forecast(emotion="furious", labels="ed32", confidence=0.9), PLAN))
    assert (style.emotion, style.tone) == ("caring", "gentle")
    assert 0.5 < style.intensity < 1


def test_a_less_sure_forecast_is_shown_less():
    sure, unsure = (
        style_of(made(Forecast(emotion="joyful", labels="ed32", confidence=confidence))) for confidence in (0.95, 0.3)
    )
    assert sure.intensity > unsure.intensity > 0.3


def test_a_recipe_with_a_delivery_is_taken_at_its_word():
    delivery = Delivery(emotion="furious", bank="angry", mapping="e3rg", intensity=0.8, identity=Identity())
    assert style_of(made(Forecast(emotion="furious", labels="ed32"), delivery)) == Style(emotion="furious", intensity=0.8)


def test_a_turn_without_a_forecast_is_calm():
    assert style_of(made()).emotion == "neutral"


def test_a_tone_that_no_voice_knows_is_left_out():
    assert style_of(made(PLAN.model_copy(update={"tone": "sardonic"}))).tone == ""


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("hangry-ish",), UnknownName, "no emotion"),
        (("sad", 1.5), InputError, "intensity"),
        (("sad", 0.5, "shouty"), UnknownName, "no tone"),
    ],
)
def test_what_cannot_be_shown_is_told(arguments: tuple[object, ...], error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        Style.read(*arguments)  # type: ignore[arg-type]
