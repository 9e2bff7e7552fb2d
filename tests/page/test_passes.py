from heartfelt.events import PassStarted, StepFinished
from heartfelt.page.passes import Card, Gap, PassColumn, all_calls, columns
from heartfelt.page.timeline import timeline, told
from heartfelt.records import Finding

from . import samples


def card(column: PassColumn, step: str) -> Card:
    return next(card for card in column.cards if isinstance(card, Card) and card.record.step == step)


def test_what_stands_before_the_blamed_step_is_kept_and_the_rest_made_anew():
    first, second = columns(samples.mended())
    assert {card.state for card in first.cards if isinstance(card, Card)} == {"first"}
    states = {card.record.step: card.state for card in second.cards if isinstance(card, Card)}
    assert states == {
        "perceive": "kept",
        "forecast": "kept",
        "cause": "kept",
        "plan": "changed",
        "recall": "same",
        "respond": "changed",
        "deliver": "same",
    }
    assert card(second, "cause").kept_from == "pass 0"


def test_the_blamed_step_and_the_chosen_pass_are_told():
    first, second = columns(samples.mended())
    assert card(first, "plan").blamed
    assert [finding.by for finding in card(first, "plan").findings] == ["model"]
    assert not card(second, "plan").blamed
    assert (first.chosen, second.chosen) == (False, True)


def test_a_finding_that_step_and_audit_both_hold_is_shown_once():
    trace = samples.begun()
    found = Finding(step="plan", problem="It rushes.", instruction="Slow down.", by="model")
    trace(PassStarted(number=0, started_from="perceive"))
    plan = samples.record("plan", samples.outputs()["plan"], findings=(found,))
    trace(StepFinished(number=0, record=plan))
    trace.passes[-1] = trace.passes[-1].model_copy(update={"audit": samples.audit("plan")})
    assert card(columns(trace)[0], "plan").findings == (found,)


def test_what_a_replay_starts_with_comes_from_an_earlier_turn():
    made, trace = samples.outputs(), samples.begun()
    given = tuple(samples.record(step, made[step], number=1) for step in ("perceive", "forecast", "cause"))
    trace(PassStarted(number=0, started_from="plan", kept=samples.STEPS[:3], given=given))
    (column,) = columns(trace)
    assert card(column, "cause").kept_from == "an earlier turn"
    assert all_calls(trace) == []


def test_steps_that_were_not_made_say_why():
    (unfinished,), (failed,) = columns(samples.unfinished()), columns(samples.failed())
    assert Gap("plan", "Left out: the budget is spent.") in unfinished.cards
    assert Gap("respond", "Not reached.") in unfinished.cards
    assert Gap("cause", "It failed here.") in failed.cards
    assert not unfinished.chosen


def test_a_kept_step_is_counted_once():
    assert len(all_calls(samples.mended())) == 7 + 1 + 4 + 1


def test_the_passes_share_the_time_and_follow_each_other():
    rows = timeline(samples.mended(3))
    assert [row.ms for row in rows] == [750, 450, 450]
    assert abs(sum(segment.percent for row in rows for segment in row.segments) - 100) < 0.1
    assert [round(row.offset, 1) for row in rows] == [0, 45.5, 72.7]
    assert [segment.step for segment in rows[1].segments] == ["plan", "recall", "respond", "deliver", "audit"]
    assert told(rows).startswith("Most time went into plan (18 %)")
