"""What a turn may cost. The reply is always made, and what was left out is said."""

import asyncio
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartfelt import Budget
from heartfelt.budget import Meter
from heartfelt.events import Event, StepSkipped, TurnFinished
from heartfelt.recipes import RECIPES, recipe
from scripts import REPLY, blaming, fine, good, turn


class Clock:
    """Stands still until it is told to move."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    still = Clock()
    monkeypatch.setattr(time, "perf_counter", still)
    return still


# ── the meter ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_without_a_budget_everything_is_allowed():
    meter = Meter(Budget())
    for _ in range(1000):
        meter.count(tokens=10_000)
    assert meter.allows(calls=1000)


def test_calls_are_counted():
    meter = Meter(Budget(calls=3))
    assert meter.allows(calls=3) and not meter.allows(calls=4)
    meter.count(tokens=0)
    assert meter.allows(calls=2) and not meter.allows(calls=3)


def test_tokens_are_counted_until_they_are_spent():
    meter = Meter(Budget(tokens=100))
    meter.count(tokens=99)
    assert meter.allows()
    meter.count(tokens=1)
    assert not meter.allows()


def test_time_is_counted_from_the_start(clock: Clock):
    meter = Meter(Budget(ms=500))
    clock.now = 0.499
    assert meter.allows()
    clock.now = 0.5
    assert not meter.allows()
    clock.now = 9
    assert not meter.allows() and meter.ms == pytest.approx(9000)


# ── a whole turn ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("budget", [Budget(calls=0), Budget(calls=1), Budget(tokens=0), Budget(ms=0)], ids=str)
async def test_the_fast_path_replies_with_one_call_and_says_what_it_left_out(name: str, budget: Budget):
    events: list[Event] = []
    model = good()
    outcome = await turn(name, model, budget=budget, events=events)
    assert outcome.reply == REPLY and [request.purpose for request in model.requests] == ["respond"]
    asking = [step.name for step in recipe(name).steps if step.asks_model and step.name != "respond"]
    audited = ["audit"] if recipe(name).audit else []
    assert list(outcome.left_out) == asking + audited
    assert [event.step for event in events if isinstance(event, StepSkipped)] == asking + audited
    assert outcome.stopped == ("budget spent" if audited else "no audit")
    last = events[-1]
    assert isinstance(last, TurnFinished) and last.left_out == outcome.left_out


@pytest.mark.parametrize(
    ("calls", "left_out"),
    [
        (2, ("forecast", "plan", "audit")),
        (3, ("plan", "audit")),
        (4, ("audit",)),
        (5, ()),
    ],
)
async def test_each_further_call_buys_the_next_step(calls: int, left_out: tuple[str, ...]):
    outcome = await turn("reflective", good(), budget=Budget(calls=calls))
    assert outcome.left_out == left_out and outcome.reply == REPLY


async def test_a_refinement_that_the_budget_does_not_allow_is_named():
    outcome = await turn("reflective", good(audit=blaming("respond")), budget=Budget(calls=5))
    assert len(outcome.passes) == 1 and outcome.left_out == ("refinement",) and outcome.stopped == "budget spent"


async def test_a_refinement_that_could_not_be_audited_is_not_preferred():
    outcome = await turn("reflective", good(audit=[blaming("forecast"), fine]), budget=Budget(calls=7))
    assert len(outcome.passes) == 2 and outcome.chosen == 0
    assert outcome.left_out == ("plan", "audit") and outcome.stopped == "budget spent"


async def test_a_vote_is_left_out_where_not_all_voters_can_be_paid():
    for calls in (1, 2, 3):
        model = good()
        assert (await turn("e3rg", model, budget=Budget(calls=calls))).left_out == ("forecast",)
        assert model.calls == {"respond": 1}
    assert (await turn("e3rg", good(), budget=Budget(calls=4))).left_out == ()


async def test_steps_that_cost_no_call_are_never_left_out():
    outcome = await turn("heartfelt", good(), budget=Budget(calls=1))
    assert [record.step for record in outcome.best.steps] == ["recall", "deliver", "respond"]


async def test_time_that_runs_out_during_a_turn_skips_the_rest(clock: Clock):
    def slow(_: object) -> dict[str, str]:
        clock.now += 1
        return {"why": "w", "emotion": "ashamed", "conflict": "none"}

    outcome = await turn("heartfelt", good(forecast=slow), budget=Budget(ms=900))
    assert outcome.left_out == ("cause", "plan", "audit") and outcome.reply == REPLY and outcome.ms == 1000


async def test_cached_tokens_are_free():
    model = good()
    outcome = await turn("reflective", model)
    calls = [call for record in outcome.best.steps for call in record.calls]
    assert all(call.cached_tokens > 0 for call in calls[1:])
    paid = sum(call.prompt_tokens - call.cached_tokens + call.output_tokens for call in calls)
    within = await turn("reflective", good(), budget=Budget(tokens=paid + 1))
    assert within.left_out == ()


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(RECIPES)), st.integers(0, 20), st.sampled_from(["perceive", "forecast", "respond"]))
def test_no_turn_of_usable_answers_makes_more_calls_than_it_may(name: str, calls: int, blamed: str):
    model = good(audit=blaming(blamed))
    outcome = asyncio.run(turn(name, model, budget=Budget(calls=calls)))
    assert len(model.requests) <= max(1, calls) and outcome.reply == REPLY
