"""The loop: planted faults are found, blamed on the earliest step and mended; the best pass of the history is chosen."""

import asyncio
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heartfelt import Edit, Outcome
from heartfelt.agents.notes import note
from heartfelt.errors import InputError, UsageError
from heartfelt.events import Event
from heartfelt.models import Scripted
from heartfelt.recipes import recipe
from heartfelt.records import Audit, Finding, Pass, StepRecord, Verdict
from heartfelt.reflection import choose, why
from heartfelt.trace import Trace
from scripts import DIALOGUE, FULL, REPLY, blaming, fine, good, listening, turn, user_text

AUDITED = {
    "reflective": ("perceive", "forecast", "plan", "respond"),
    "heartfelt": ("perceive", "forecast", "cause", "plan", "respond"),
}
EACH_STEP = [(name, step) for name, steps in AUDITED.items() for step in steps]

FAULTS_FOR_CODE: dict[str, Any] = {
    "perceive": FULL["perceive"] | {"cues": [{"source": "words", "quote": "my mother cheered", "meaning": "supported"}]},
    "cause": FULL["cause"] | {"spans": ["the car broke down"]},
    "plan": FULL["plan"] | {"goal": "celebrate", "tone": "playful"},
    "respond": "You must be happy that it is over. Cheer up.",
}
FAULTS_FOR_THE_MODEL: dict[str, Any] = {
    "perceive": FULL["perceive"] | {"cues": [{"source": "words", "quote": "my driving test", "meaning": "likes cars"}]},
    "forecast": FULL["forecast"] | {"emotion": "nostalgic"},
    "cause": FULL["cause"] | {"spans": ["today"], "category": "Unexpectedness & Novelty"},
    "plan": FULL["plan"] | {"goal": "explore", "stance": "coach"},
    "respond": "The weather should be better soon.",
}
PLANTS = {
    "perceive": "perceive.cues.0.quote=I won the lottery",
    "forecast": "forecast.emotion=thirsty",
    "cause": "cause.spans.0=I won the lottery",
    "plan": "plan.tactic=sharing the joy",
    "respond": "respond.text=You are so happy, as an AI can tell.",
}


def index(outcome: Outcome, step: str) -> int:
    return [record.step for record in outcome.passes[0].steps].index(step)


def assert_mended_from(outcome: Outcome, step: str) -> None:
    """The second pass keeps what stands before `step`, the same objects, makes the rest again, and is chosen."""
    first, second = outcome.passes
    at = index(outcome, step)
    assert first.audit is not None and first.audit.blamed == step
    assert second.started_from == step and second.instruction == first.audit.instruction != ""
    assert [record.step for record in first.steps] == [record.step for record in second.steps]
    assert all(kept is record for kept, record in zip(second.steps[:at], first.steps[:at], strict=True))
    assert all(new is not old for new, old in zip(second.steps[at:], first.steps[at:], strict=True))
    assert {record.made_in for record in second.steps[:at]} <= {0} and {record.made_in for record in second.steps[at:]} == {1}
    assert second.audit is not None and second.audit.blamed is None
    assert outcome.stopped == "all checks passed"
    assert second.score > first.score and outcome.chosen == 1 and outcome.best is second
    assert outcome.reply == second.reply and set(outcome.left_out) <= {"understand"}, "a compact model cannot"


def assert_saw_its_fault(model: Scripted, outcome: Outcome, step: str) -> None:
    """The re-run is shown its own previous output and the instruction; no other prompt is."""
    first, second = outcome.passes
    previous = first.output(step)
    assert previous is not None
    again = user_text(model.asked(step)[1])
    assert note(previous) in again and second.instruction in again
    others = [user_text(request) for request in model.requests if request is not model.asked(step)[1]]
    assert not any(second.instruction in text for text in others)


# ── planted faults ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "step"), [(name, step) for name, step in EACH_STEP if step in FAULTS_FOR_CODE])
async def test_a_fault_that_code_sees_is_mended_from_its_step(name: str, step: str):
    model = good(**{step: [FAULTS_FOR_CODE[step], FULL[step]]})
    outcome = await turn(name, model)
    assert_mended_from(outcome, step)
    assert_saw_its_fault(model, outcome, step)
    audit = outcome.passes[0].audit
    assert audit is not None and {finding.by for finding in audit.findings} == {"code"}


@pytest.mark.parametrize(("name", "step"), EACH_STEP)
async def test_a_fault_that_only_a_model_sees_is_mended_from_its_step(name: str, step: str):
    told = f"Look at {step} again."
    model = good(**{step: [FAULTS_FOR_THE_MODEL[step], FULL[step]]}, audit=[blaming(step, instruction=told), fine])
    outcome = await turn(name, model)
    assert_mended_from(outcome, step)
    assert_saw_its_fault(model, outcome, step)
    assert outcome.passes[1].instruction == told
    assert outcome.passes[0].audit is not None and {f.by for f in outcome.passes[0].audit.findings} == {"model"}


@pytest.mark.parametrize(("name", "step"), EACH_STEP)
async def test_a_fault_planted_by_the_setup_is_mended_from_its_step(name: str, step: str):
    model = good()
    outcome = await turn(name, model, plants=(Edit.parse(PLANTS[step]),))
    assert_mended_from(outcome, step)
    assert_saw_its_fault(model, outcome, step)
    at = index(outcome, step)
    assert [record.planted for record in outcome.passes[0].steps] == [i == at for i in range(len(outcome.passes[0].steps))]
    assert not any(record.planted for record in outcome.best.steps)
    assert outcome.reply == REPLY


# ── a pass that was made elsewhere ──────────────────────────────────────────────────────────────────────────────────


async def made_elsewhere(name: str, step: str = "", fault: Any = None) -> tuple[StepRecord, ...]:
    """What the steps of a recipe made, without findings; one of them may be at fault."""
    changes = {step: fault} if step else {}
    outcome = await turn(name, good(**changes), without=("audit",))
    asked = (*AUDITED[name], "understand")
    return tuple(
        record.model_copy(update={"findings": (), "calls": ()}) for record in outcome.best.steps if record.step in asked
    )


@pytest.mark.parametrize(("name", "step"), [(name, step) for name, step in EACH_STEP if step in FAULTS_FOR_CODE])
async def test_a_given_pass_is_checked_by_code_and_mended(name: str, step: str):
    model, events = good(), list[Event]()
    given = await made_elsewhere(name, step, FAULTS_FOR_CODE[step])
    outcome = await listening(name, model).reflect_on(DIALOGUE, given, observers=(events.append,))
    assert_mended_from(outcome, step)
    assert_saw_its_given_fault(model, outcome, step)
    assert [record.step for record in outcome.passes[0].steps] == list(recipe(name).step_names)
    trace = Trace()
    for event in events:
        trace(event)
    assert trace.outcome == outcome


@pytest.mark.parametrize(("name", "step"), EACH_STEP)
async def test_a_given_pass_is_mended_where_the_model_blames(name: str, step: str):
    model = good(audit=[blaming(step, instruction="Look again."), fine])
    outcome = await listening(name, model).reflect_on(DIALOGUE, await made_elsewhere(name, step, FAULTS_FOR_THE_MODEL[step]))
    assert_mended_from(outcome, step)
    assert_saw_its_given_fault(model, outcome, step)


async def test_a_good_pass_is_left_alone():
    model, given = good(), await made_elsewhere("heartfelt")
    outcome = await listening("heartfelt", model).reflect_on(DIALOGUE, given)
    assert len(outcome.passes) == 1 and outcome.chosen == 0 and outcome.reply == REPLY
    made = {record.step: record.output for record in outcome.best.steps}
    assert [made[record.step] for record in given] == [record.output for record in given]
    assert dict(model.calls) == {"audit": 1} and outcome.left_out == ()


async def test_the_audit_can_be_asked_alone():
    given = await made_elsewhere("heartfelt", "perceive", FAULTS_FOR_CODE["perceive"])
    model = good(audit=blaming("plan"))
    audit = await listening("heartfelt", model).verdicts(DIALOGUE, given)
    assert audit.blamed == "plan" and model.calls["audit"] == 1
    with pytest.raises(UsageError, match="has no audit"):
        await listening("trace", good()).verdicts(DIALOGUE, given)


async def test_a_pass_that_does_not_fit_is_refused():
    given = await made_elsewhere("heartfelt")
    with pytest.raises(UsageError, match="'understand'"):
        await listening("reflective", good()).reflect_on(DIALOGUE, given)
    with pytest.raises(InputError, match="needs a reply"):
        await listening("heartfelt", good()).reflect_on(DIALOGUE, given[:-1])


def assert_saw_its_given_fault(model: Scripted, outcome: Outcome, step: str) -> None:
    previous = outcome.passes[0].output(step)
    assert previous is not None
    again = user_text(model.asked(step)[0])
    assert note(previous) in again and outcome.passes[1].instruction in again


# ── what is asked again ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "step"), EACH_STEP)
async def test_only_the_blamed_step_and_those_after_it_are_asked_again(name: str, step: str):
    model = good(audit=[blaming(step), fine])
    await turn(name, model)
    steps = AUDITED[name]
    assert [model.calls[each] for each in steps] == [1 if steps.index(each) < steps.index(step) else 2 for each in steps]
    assert model.calls["audit"] == 2


@pytest.mark.parametrize(("name", "step"), EACH_STEP)
async def test_compact_audits_blame_in_the_same_way(name: str, step: str):
    model = good("compact", audit=[blaming(step), fine])
    outcome = await turn(name, model)
    assert_mended_from(outcome, step)
    assert "That was wrong:" in user_text(model.asked(step)[1])


async def test_what_follows_a_mended_step_reads_the_mended_note_alone():
    model = good(forecast=[FAULTS_FOR_THE_MODEL["forecast"], FULL["forecast"]], audit=[blaming("forecast"), fine])
    await turn("reflective", model)
    before, after = map(user_text, model.asked("plan"))
    assert "Feeling: nostalgic" in before and "Feeling: ashamed" in after and "nostalgic" not in after


async def test_only_the_blamed_step_is_under_the_instruction():
    """A small model that mends its plan may choose less; one that plans again after another step was mended may not."""
    model = good("compact", audit=[blaming("forecast"), blaming("plan"), fine])
    await turn("reflective", model)
    goals = [(request.answer or {})["properties"]["goal"]["enum"] for request in model.asked("plan")]
    assert "celebrate" in goals[0] and goals[1] == goals[0] and "celebrate" not in goals[2]


@pytest.mark.parametrize("name", AUDITED)
def test_of_two_faults_the_earlier_is_blamed(name: str):
    steps = AUDITED[name]
    for early, late in [(a, b) for i, a in enumerate(steps) for b in steps[i + 1 :]]:
        outcome = asyncio.run(turn(name, good(audit=[blaming(late, early), fine])))
        audit = outcome.passes[0].audit
        assert audit is not None and audit.blamed == early and outcome.passes[1].started_from == early
        assert [verdict.step for verdict in audit.verdicts if not verdict.ok] == [early, late]


async def test_a_fault_that_the_model_finds_goes_before_a_later_one_that_code_finds():
    outcome = await turn("heartfelt", good(plan=[FAULTS_FOR_CODE["plan"], FULL["plan"]], audit=[blaming("forecast"), fine]))
    first = outcome.passes[0]
    assert first.audit is not None and first.audit.blamed == "forecast"
    assert {finding.step: finding.by for finding in first.audit.findings} == {"forecast": "model", "plan": "code"}


async def test_what_code_has_found_the_model_cannot_absolve():
    outcome = await turn("heartfelt", good(plan=FAULTS_FOR_CODE["plan"], audit=fine))
    assert {made.audit.blamed for made in outcome.passes if made.audit} == {"plan"} and len(outcome.passes) == 3


async def test_no_model_is_asked_to_audit_where_code_already_blames_the_first_step():
    model = good(perceive=[FAULTS_FOR_CODE["perceive"], FULL["perceive"]])
    await turn("reflective", model)
    assert model.calls["audit"] == 1


async def test_a_blamed_step_is_told_everything_that_was_found_once():
    twice = FULL["cause"] | {"spans": ["a flat tyre", "a flat battery"]}
    outcome = await turn("heartfelt", good(cause=[twice, FULL["cause"]], audit=[blaming("cause", instruction="And be brief.")]))
    told = outcome.passes[1].instruction
    assert told.count("a flat tyre") == 1 and told.count("a flat battery") == 1 and told.endswith("And be brief.")


async def test_a_verdict_without_an_instruction_is_mended_by_rule():
    outcome = await turn("reflective", good(audit=[blaming("plan", instruction="None."), fine]))
    assert outcome.passes[1].instruction == "Choose a plan that fits the feeling."


# ── how often, and which ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("limit", [0, 1, 2, 6])
@pytest.mark.parametrize("name", AUDITED)
async def test_at_most_t_refinements(name: str, limit: int):
    outcome = await turn(name, good(audit=blaming("plan")), refinements=limit)
    assert [made.number for made in outcome.passes] == list(range(limit + 1))
    assert outcome.stopped == "refinements spent" and outcome.left_out == ()
    assert outcome.chosen == 0, "all fail alike, so the earliest is taken"


async def test_the_pass_that_fails_latest_is_chosen_even_if_a_worse_one_follows():
    outcome = await turn("reflective", good(audit=[blaming("perceive"), blaming("respond"), blaming("forecast")]))
    assert outcome.chosen == 1 and outcome.stopped == "refinements spent"
    assert outcome.why_chosen == "No pass passes every check; pass 1 fails latest (first at 'respond')."


async def test_a_newer_pass_is_not_better_for_being_newer():
    outcome = await turn("reflective", good(respond=["First words.", "Second words."], audit=blaming("respond")), refinements=1)
    assert outcome.chosen == 0 and outcome.reply == "First words."


async def test_without_selection_the_last_pass_is_taken():
    model = good(audit=[blaming("respond"), blaming("perceive")])
    outcome = await turn("reflective", model, refinements=1, selection=False)
    assert outcome.chosen == 1 and outcome.why_chosen == "The last pass, as selection is off."


async def test_without_an_audit_there_is_one_pass():
    outcome = await turn("reflective", good(perceive=FAULTS_FOR_CODE["perceive"]), without=("audit",))
    assert len(outcome.passes) == 1 and outcome.stopped == "no audit" and outcome.best.audit is None
    assert outcome.why_chosen == "The only pass; it was not audited."


async def test_the_reason_counts_the_checks():
    assert (await turn("reflective", good())).why_chosen == "The only pass; it passes 4 of 4 checks."
    mended = await turn("heartfelt", good(audit=[blaming("plan"), fine]))
    assert mended.why_chosen == "Pass 1 is the first to pass all 5 checks."
    hopeless = await turn("heartfelt", good(audit=blaming("plan")), refinements=0)
    assert hopeless.why_chosen == "The only pass; it passes 4 of 5 checks."


async def test_each_pass_draws_with_another_seed():
    model = good(audit=blaming("respond"))
    await turn("reflective", model, seed=40)
    assert [request.seed for request in model.asked("respond")] == [40, 41, 42]


# ── properties ──────────────────────────────────────────────────────────────────────────────────────────────────────

histories = st.integers(1, 8).flatmap(
    lambda checks: st.lists(st.lists(st.booleans(), min_size=checks, max_size=checks), min_size=1, max_size=9)
)


def judged(number: int, checks: list[bool]) -> Pass:
    verdicts = tuple(Verdict(step=f"s{i}", ok=ok) for i, ok in enumerate(checks))
    return Pass(number=number, started_from="s0", steps=(), audit=Audit(verdicts=verdicts))


def best_by_hand(rows: list[list[bool]]) -> int:
    """The paper's rule the slow way: drop, check by check, the passes that fail where another passes; then the earliest."""
    left = list(range(len(rows)))
    for check in range(len(rows[0])):
        passing = [i for i in left if rows[i][check]]
        left = passing or left
    return left[0]


@given(histories)
def test_the_choice_is_the_lexicographic_maximum_and_ties_go_to_the_earlier(rows: list[list[bool]]):
    passes = [judged(number, row) for number, row in enumerate(rows)]
    chosen = choose(passes)
    assert chosen == best_by_hand(rows)
    assert all(passes[chosen].score >= made.score for made in passes)
    assert rows.index(rows[chosen]) == chosen


@given(histories)
def test_with_selection_off_the_last_is_chosen(rows: list[list[bool]]):
    passes = [judged(number, row) for number, row in enumerate(rows)]
    assert choose(passes, selection=False) == len(rows) - 1
    assert why(passes, len(rows) - 1, selection=False).startswith("The last pass")


@given(st.lists(st.booleans(), min_size=1, max_size=8))
def test_the_blamed_step_is_the_earliest_that_fails(row: list[bool]):
    audit = judged(0, row).audit
    assert audit is not None and audit.blamed == (f"s{row.index(False)}" if False in row else None)


@given(histories)
def test_a_pass_without_an_audit_never_wins_over_one_with(rows: list[list[bool]]):
    passes = [judged(number, row) for number, row in enumerate(rows)]
    passes.append(Pass(number=len(rows), started_from="s0", steps=()))
    assert choose(passes) == choose(passes[:-1])


@given(st.text(), st.lists(st.sampled_from(["a", "b"]), max_size=5))
def test_the_instruction_is_that_of_the_blamed_step_alone(told: str, steps: list[str]):
    findings = tuple(Finding(step=step, problem="p", instruction=f"{step}{told}") for step in steps)
    verdicts = tuple(Verdict(step=step, ok=step not in steps) for step in ("a", "b"))
    audit = Audit(verdicts=verdicts, findings=findings)
    assert audit.instruction == ("" if audit.blamed is None else f"{audit.blamed}{told}")


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(AUDITED)).flatmap(
        lambda name: st.tuples(
            st.just(name),
            st.lists(st.sets(st.sampled_from(AUDITED[name])), min_size=1, max_size=4),
        )
    ),
    st.booleans(),
)
def test_any_history_of_verdicts_keeps_exactly_the_prefix(drawn: tuple[str, list[set[str]]], selection: bool):
    name, faults = drawn
    steps, limit = AUDITED[name], len(faults) - 1
    model = good(audit=[blaming(*wrong) for wrong in faults])
    outcome = asyncio.run(turn(name, model, refinements=limit, selection=selection))
    clean = next((i for i, wrong in enumerate(faults) if not wrong), limit)
    assert len(outcome.passes) == clean + 1
    rows = [[step not in wrong for step in steps] for wrong in faults[: clean + 1]]
    order = recipe(name).step_names
    for before, after in pairwise(outcome.passes):
        assert before.audit is not None
        blamed = before.audit.blamed
        assert blamed == next(step for step in steps if step in faults[before.number])
        kept = [new is old for new, old in zip(after.steps, before.steps, strict=True)]
        at = order.index(str(blamed))
        assert kept == [True] * at + [False] * (len(order) - at)
    assert outcome.chosen == (best_by_hand(rows) if selection else clean)
