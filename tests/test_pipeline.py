"""One pass: the steps in order, from any of them, with what is kept, planted and left out."""

import pytest

from heartfelt import Edit
from heartfelt.errors import BadOutput, UnknownName
from heartfelt.events import Event, PassStarted, StepFinished, StepStarted
from heartfelt.recipes import RECIPES, recipe
from heartfelt.records import Evidence, Forecast
from scripts import DIALOGUE, FULL, good, listening, turn, view_of


@pytest.mark.parametrize("name", RECIPES)
async def test_a_pass_carries_out_the_steps_in_order(name: str):
    events: list[Event] = []
    outcome = await turn(name, good(), events=events)
    names = recipe(name).step_names
    assert tuple(record.step for record in outcome.best.steps) == names
    assert tuple(event.step for event in events if isinstance(event, StepStarted)) == names
    finished = tuple(event.record for event in events if isinstance(event, StepFinished))
    assert all(record is made for record, made in zip(finished, outcome.best.steps, strict=True))


@pytest.mark.parametrize("name", RECIPES)
async def test_a_pass_can_start_from_every_step(name: str):
    pipeline, view = recipe(name).pipeline(), view_of()
    whole = await pipeline.run(view)
    for at, step in enumerate(recipe(name).step_names):
        again = await pipeline.run(view, start=step, kept=whole.steps)
        assert again.started_from == step
        assert [new is old for new, old in zip(again.steps, whole.steps, strict=True)] == [
            i < at for i in range(len(whole.steps))
        ]


async def test_a_first_pass_that_goes_on_says_what_it_was_given():
    events: list[Event] = []
    outcome = await turn("reflective", good())
    again = await listening("reflective", good()).answer_again(DIALOGUE, outcome.best, start="plan", observers=(events.append,))
    started = next(event for event in events if isinstance(event, PassStarted))
    assert started.kept == ("perceive", "forecast") and started.given == again.best.steps[:2]


async def test_an_unknown_start_names_the_steps():
    with pytest.raises(UnknownName, match=r"no step 'plann' in this recipe\. Did you mean 'plan'\?"):
        await recipe("reflective").pipeline().run(view_of(), start="plann")


async def test_each_step_sees_what_the_steps_before_have_made():
    model = good()
    await turn("heartfelt", model)
    texts = {request.purpose: request.messages[-1].text for request in model.requests}
    heads = ("Seen:", "Feeling:", "Cause:", "Plan:", "Reply:")
    steps = ("perceive", "forecast", "cause", "plan", "respond", "audit")
    assert {step: [head for head in heads if head in texts[step]] for step in steps} == {
        step: list(heads[:i]) for i, step in enumerate(steps)
    }


# ── plants ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_plant_changes_the_output_is_marked_and_checked():
    outcome = await turn("reflective", good(), plants=(Edit.parse("plan.tone=playful"),), refinements=0)
    record = next(record for record in outcome.best.steps if record.step == "plan")
    assert record.planted and record.output.model_dump()["tone"] == "playful"
    assert "'playful' does not fit someone who is ashamed" in record.findings[0].problem


async def test_several_plants_may_meet_in_one_step_and_others_stay_as_they_are():
    plants = (Edit.parse("forecast.emotion=proud"), Edit.parse("forecast.why=planted"))
    outcome = await turn("reflective", good(), plants=plants, refinements=0)
    forecast = outcome.best.output("forecast")
    assert isinstance(forecast, Forecast) and (forecast.emotion, forecast.why) == ("proud", "planted")
    evidence = outcome.best.output("perceive")
    assert isinstance(evidence, Evidence) and evidence.summary == FULL["perceive"]["summary"]


def test_a_plant_on_a_step_that_the_recipe_does_not_have_is_refused():
    with pytest.raises(UnknownName, match="no step 'cause' in the recipe 'reflective'"):
        listening("reflective", good(), plants=(Edit.parse("cause.summary=x"),))


# ── failures ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_failure_carries_the_name_of_its_step():
    with pytest.raises(BadOutput) as caught:
        await recipe("reflective").pipeline().run(view_of(model=good(plan="nonsense")))
    assert caught.value.__notes__ == ["plan"]
