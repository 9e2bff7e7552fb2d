"""Setting a field of a record by hand."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt import Edit
from heartfelt.errors import UsageError
from heartfelt.records import Cause, Cue, Evidence, Exemplar, Exemplars, Forecast, Output, Plan, Reply, Situation

FORECAST = Forecast(emotion="sad", labels="ed32", confidence=0.4, distribution={"sad": 0.4, "lonely": 0.6})
EVIDENCE = Evidence(cues=(Cue(quote="a", meaning="b"), Cue(quote="c", meaning="d")))
CAUSE = Cause(spans=("one", "two"), category="Loss & Failure")
PLAN = Plan(goal="comfort", stance="ally", tactic="reflecting the feeling", tone="warm")


@pytest.mark.parametrize(
    ("text", "step", "path", "value"),
    [
        ("forecast.emotion=ashamed", "forecast", ("emotion",), "ashamed"),
        ("  plan.tone = warm ", "plan", ("tone",), "warm"),
        ("perceive.cues.0.quote=a=b", "perceive", ("cues", "0", "quote"), "a=b"),
        ("respond.text=", "respond", ("text",), ""),
    ],
)
def test_an_edit_is_written_step_field_value(text: str, step: str, path: tuple[str, ...], value: str):
    edit = Edit.parse(text)
    assert (edit.step, edit.path, edit.value) == (step, path, value)


@pytest.mark.parametrize("text", ["", "forecast", "forecast=sad", "forecast.emotion", "=", "forecast.emotion ashamed"])
def test_what_is_no_edit_is_refused_with_an_example(text: str):
    with pytest.raises(UsageError, match=r"is no edit\. Write STEP\.FIELD=VALUE, for example forecast\.emotion=ashamed"):
        Edit.parse(text)


@pytest.mark.parametrize(
    ("edit", "before", "after"),
    [
        ("f.emotion=lonely", FORECAST, Forecast(emotion="lonely", labels="ed32")),
        ("u.message=loss", Situation(message="good", confidence=0.8, distribution={"good": 0.8}), Situation(message="loss")),
        ("p.tone=calm", PLAN.model_copy(update={"why": "It is late."}), PLAN.model_copy(update={"tone": "calm"})),
        ("p.why=It is late.", PLAN, PLAN.model_copy(update={"why": "It is late."})),
        ("f.confidence=0.9", FORECAST, FORECAST.model_copy(update={"confidence": 0.9})),
        ("f.distribution.sad=0.1", FORECAST, FORECAST.model_copy(update={"distribution": {"sad": 0.1, "lonely": 0.6}})),
        ("p.cues.1.quote=z", EVIDENCE, Evidence(cues=(Cue(quote="a", meaning="b"), Cue(quote="z", meaning="d")))),
        ("p.cues.0.source=face", EVIDENCE, Evidence(cues=(Cue(source="face", quote="a", meaning="b"), EVIDENCE.cues[1]))),
        ("c.spans.0=first", CAUSE, CAUSE.model_copy(update={"spans": ("first", "two")})),
        (
            "r.found.0.reply=There.",
            Exemplars(found=(Exemplar(situation="s", reply="r", emotion="sad"),)),
            Exemplars(found=(Exemplar(situation="s", reply="There.", emotion="sad"),)),
        ),
    ],
)
def test_any_field_can_be_reached(edit: str, before: Output, after: Output):
    untouched = before.model_copy(deep=True)
    assert Edit.parse(edit).apply(before) == after
    assert before == untouched


@pytest.mark.parametrize(
    ("edit", "output", "why"),
    [
        ("plan.mood=blue", PLAN, "the fields are goal, stance, tactic, tone, why"),
        ("plan.kind=reply", PLAN, "the fields are"),
        ("plan.goal.depth=1", PLAN, "the fields are"),
        ("plan.=1", PLAN, "the fields are"),
        ("perceive.cues.7.quote=x", EVIDENCE, "the list has no item of that number; the first is 0"),
        ("perceive.cues.one.quote=x", EVIDENCE, "the fields are cues, summary"),
        ("perceive.cues.0.colour=x", EVIDENCE, "the fields are cues, summary"),
        ("perceive.cues=x", EVIDENCE, "Input should be a valid tuple"),
        ("perceive.cues.0.source=smell", EVIDENCE, "Input should be 'words', 'voice', 'face' or 'picture'"),
        ("forecast.confidence=high", FORECAST, "Input should be a valid number"),
        ("cause.spans.9=x", CAUSE, "the list has no item of that number; the first is 0"),
    ],
)
def test_what_cannot_be_set_is_refused_with_the_reason(edit: str, output: Output, why: str):
    target = edit.partition("=")[0]
    with pytest.raises(UsageError) as caught:
        Edit.parse(edit).apply(output)
    assert str(caught.value).startswith(f"'{target}' cannot be set to") and why in str(caught.value)


@given(st.text(), st.lists(st.text(), min_size=1, max_size=4).map(tuple), st.text())
def test_no_edit_ends_in_anything_but_a_record_or_a_usage_error(step: str, path: tuple[str, ...], value: str):
    for output in (FORECAST, EVIDENCE, CAUSE, PLAN, Reply(text="Hm.")):
        with contextlib.suppress(UsageError):
            assert type(Edit(step=step, path=path, value=value).apply(output)) is type(output)
