"""Recipes are faithful to the published systems, and every ablation does what it says."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from heartfelt import Ablation, Identity
from heartfelt.agents import Deliver, ForecastEmotion, Recall, Respond, VoteOnEmotion
from heartfelt.agents.agent import ParsedAnswer
from heartfelt.errors import BadOutput, ModelUnavailable, UnknownName, UsageError
from heartfelt.labels import label_set
from heartfelt.models import Capabilities, Scripted
from heartfelt.recipes import RECIPES, load_own, recipe, register
from heartfelt.records import Delivery, Exemplar, Forecast
from scripts import DIALOGUE, EXEMPLAR, FULL, NOTE_HEADS, REPLY, Shelf, blaming, fine, good, turn, user_text, view_of

STEPS = {
    "heartfelt": ("understand", "perceive", "forecast", "cause", "plan", "recall", "deliver", "respond"),
    "reflective": ("perceive", "forecast", "plan", "recall", "respond"),
    "trace": ("forecast", "cause", "strategy", "recall", "respond"),
    "empatheia": ("scenario", "forecast", "cause", "goal", "deliver", "respond"),
    "e3rg": ("forecast", "recall", "deliver", "respond"),
    "direct": ("respond",),
}
EACH_STEP = [(name, step) for name, steps in STEPS.items() for step in steps]
AUDITING = [name for name in STEPS if recipe(name).audit]
HEADS = (*NOTE_HEADS.values(), "# Notes")


def steps_that_ask(name: str) -> list[str]:
    return [step.name for step in recipe(name).steps if step.asks_model]


def voting(*emotions: Any, name: str = "scripted") -> Scripted:
    """A model that answers the vote with these emotions, one after the other; anything but a label as it is."""
    known = label_set("ed32").labels
    answers = [FULL["forecast"] | {"emotion": each} if each in known else each for each in emotions]
    return Scripted(FULL | {"forecast": answers}, name=name)


def scripted_voters(folder: Path, *emotions: str) -> tuple[str, ...]:
    """Addresses of further models, each with one opinion."""
    addresses: list[str] = []
    for i, emotion in enumerate(emotions):
        path = folder / f"voter{i}.json"
        answer = FULL["forecast"] | {"emotion": emotion} if emotion else "I cannot tell."
        path.write_text(json.dumps({"forecast": [answer]}))
        addresses.append(f"scripted:{path}")
    return tuple(addresses)


# ── faithful ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_recipes_read_aloud():
    assert {name: each.step_names for name, each in RECIPES.items()} == STEPS


def test_every_published_recipe_cites_its_paper():
    cited = {name: each.cites for name, each in RECIPES.items() if each.cites}
    assert cited == {
        "reflective": "arXiv 2604.18988",
        "trace": "arXiv 2509.21849",
        "empatheia": "arXiv 2502.04976",
        "e3rg": "arXiv 2508.12854",
    }


def test_an_unknown_recipe_is_named():
    with pytest.raises(UnknownName, match=r"no recipe 'tracee'\. Did you mean 'trace'\?"):
        recipe("tracee")


async def test_reflective_has_five_agents_two_refinements_and_one_exemplar():
    each = recipe("reflective")
    assert each.audit is not None and each.refinements == 2 and each.selection and not each.independent
    assert [step.alias for step in each.steps] == ["MPA", "CAEF", "PSP", "", "SGRG"]
    shelf = Shelf(found=(EXEMPLAR,) * 5)
    outcome = await turn("reflective", good(audit=blaming("plan")), memory=shelf)
    assert len(outcome.passes) == 3 and {search["k"] for search in shelf.searches} == {1}


async def test_trace_asks_at_its_temperatures_for_its_labels():
    model, shelf = good(), Shelf()
    outcome = await turn("trace", model, memory=shelf)
    asked = [(request.purpose, request.temperature) for request in model.requests]
    assert asked == [("forecast", 0.0), ("cause", 0.0), ("strategy", 0.0), ("respond", 0.5)]
    assert [step.alias for step in recipe("trace").steps] == ["ASI", "CAE", "SRP", "", "ERS"]
    forms = [request.answer["properties"] for request in model.requests if request.answer]
    assert forms[0]["emotion"]["enum"] == ["happy", "surprise", "anger", "fear", "sad", "disgust"]
    assert forms[1]["category"]["enum"] == [
        "Social Connection & Affection",
        "Conflict & Injustice",
        "Loss & Failure",
        "Achievement & Success",
        "Threat & Potential Danger",
        "Unexpectedness & Novelty",
    ]
    assert (forms[1]["spans"]["minItems"], forms[1]["spans"]["maxItems"]) == (1, 2)
    assert forms[2]["choice"]["enum"] == ["ER", "IP", "EX"]
    assert shelf.searches[0]["k"] == 2 and shelf.searches[0]["threshold"] > 0
    forecast = outcome.best.output("forecast")
    assert isinstance(forecast, Forecast) and (forecast.emotion, forecast.labels) == ("sad", "ekman")
    assert outcome.stopped == "no audit"


async def test_trace_answers_in_two_sentences_and_three_tries():
    outcome = await turn("trace", good(respond="One. Two. Three."))
    assert outcome.reply == "One. Two."
    model = good(cause="nonsense")
    with pytest.raises(BadOutput, match="in 3 tries"):
        await turn("trace", model)
    assert model.calls["cause"] == 3


async def test_empatheia_goes_along_the_chain_of_empathy():
    model = good()
    outcome = await turn("empatheia", model)
    assert [request.purpose for request in model.requests] == ["scenario", "forecast", "cause", "goal", "respond"]
    reply = user_text(model.requests[-1])
    places = [reply.index(head) for head in ("Event:", "Feeling:", "Cause:", "Goal:", "# Task: reply")]
    assert places == sorted(places)
    delivery = outcome.best.output("deliver")
    assert isinstance(delivery, Delivery) and delivery.mapping == "avamerg"


@pytest.mark.parametrize("name", ["trace", "empatheia", "e3rg"])
async def test_these_ask_what_the_speaker_feels_and_the_others_what_should_guide_the_reply(name: str):
    model = good()
    await turn(name, model)
    assert "# Task: recognise the emotion" in user_text(model.asked("forecast")[0])
    guided = good()
    await turn("reflective", guided)
    assert "# Task: forecast the guiding emotion" in user_text(guided.asked("forecast")[0])


async def test_direct_is_one_call():
    model = good()
    outcome = await turn("direct", model)
    assert [request.purpose for request in model.requests] == ["respond"] and outcome.reply == REPLY
    assert not any(head in user_text(model.requests[0]) for head in HEADS)


# ── E3RG: the vote ──────────────────────────────────────────────────────────────────────────────────────────────────


async def test_e3rg_votes_over_three_samples_of_one_model():
    model = voting("ashamed", "sad", "ashamed")
    outcome = await turn("e3rg", model)
    forecast = outcome.best.output("forecast")
    assert isinstance(forecast, Forecast) and forecast.emotion == "ashamed"
    assert len({request.seed for request in model.asked("forecast")}) == 3
    assert all(request.temperature == 0.7 for request in model.asked("forecast"))
    assert forecast.why.startswith("2 of 3 voters, weighted")
    assert forecast.distribution is not None and forecast.distribution["ashamed"] > forecast.distribution["sad"]
    assert forecast.confidence == forecast.distribution["ashamed"]


async def test_e3rg_votes_over_several_models_once_each(tmp_path: Path):
    model = voting("proud")
    outcome = await turn("e3rg", model, voters=scripted_voters(tmp_path, "lonely", "lonely"))
    forecast = outcome.best.output("forecast")
    assert isinstance(forecast, Forecast) and forecast.emotion == "lonely" and model.calls["forecast"] == 1
    assert [call.model for call in outcome.best.steps[0].calls] == ["scripted", "scripted:voter0.json", "scripted:voter1.json"]
    assert forecast.conflict == "scripted #1: proud", "voters who disagree are reported, not averaged away"


async def test_a_voter_without_a_usable_answer_casts_no_vote(tmp_path: Path):
    outcome = await turn("e3rg", voting("guilty"), voters=scripted_voters(tmp_path, "", "guilty"))
    forecast = outcome.best.output("forecast")
    assert isinstance(forecast, Forecast) and forecast.emotion == "guilty" and forecast.why.startswith("2 of 2 voters")
    assert forecast.why.endswith("no vote from scripted:voter0.json #1")
    assert len(outcome.best.steps[0].calls) == 5, "the three tries of the silent voter are in the trace"


async def test_a_voter_that_cannot_be_reached_casts_no_vote():
    sick, well = voting(ModelUnavailable("Nobody listens.")), voting("sad", name="well")
    made = await VoteOnEmotion().run(view_of(model=sick, voters=(well,)))
    assert isinstance(made.output, Forecast) and made.output.emotion == "sad"


async def test_where_no_voter_votes_the_turn_fails_with_the_first_reason():
    with pytest.raises(ModelUnavailable, match="Nobody listens"):
        await turn("e3rg", voting(ModelUnavailable("Nobody listens.")))
    with pytest.raises(BadOutput, match="for the step 'forecast' in 3 tries") as caught:
        await turn("e3rg", voting("hm"))
    assert caught.value.raw == "hm"


async def test_a_tie_goes_to_the_earlier_voter_by_majority_too():
    model = voting("sad", "lonely", "guilty")
    made = await VoteOnEmotion(rule="majority").run(view_of(model=model))
    assert isinstance(made.output, Forecast) and made.output.emotion == "sad"
    assert made.output.why == "1 of 3 voters, majority; tie rule: order of voters"
    assert made.output.confidence == pytest.approx(1 / 3)


async def test_majority_counts_first_choices_and_weighted_pools_whole_distributions(monkeypatch: pytest.MonkeyPatch):
    opinions = {"a": {"sad": 0.51, "lonely": 0.49}, "b": {"sad": 0.51, "lonely": 0.49}, "c": {"lonely": 0.98, "sad": 0.02}}
    whole = ForecastEmotion.record

    def with_probabilities(self: ForecastEmotion, answer: ParsedAnswer, view: Any) -> Any:
        return whole(self, ParsedAnswer(answer.value, {"emotion": opinions[answer.value["why"]]}), view)

    monkeypatch.setattr(ForecastEmotion, "record", with_probabilities)

    def voter(name: str) -> Scripted:
        first = max(opinions[name], key=opinions[name].__getitem__)
        return Scripted({"forecast": {"why": name, "emotion": first, "conflict": "none"}}, name=name)

    winners = {}
    for rule in ("majority", "weighted"):
        made = await VoteOnEmotion(rule=rule).run(view_of(model=voter("a"), voters=(voter("b"), voter("c"))))
        assert isinstance(made.output, Forecast)
        winners[rule] = made.output.emotion
    assert winners == {"majority": "sad", "weighted": "lonely"}


async def test_the_reply_of_e3rg_is_told_the_predicted_emotion():
    model = voting("jealous")
    await turn("e3rg", model)
    assert "Feeling: jealous" in user_text(model.asked("respond")[0])


@pytest.mark.parametrize(
    ("emotion", "bank"), [("jealous", "contempt"), ("anxious", "sad"), ("embarrassed", "disgusted"), ("impressed", "surprised")]
)
async def test_the_delivery_of_e3rg_has_the_identity_and_the_bank_of_its_own_map(emotion: str, bank: str):
    identity = Identity(age="elderly", gender="male", timbre="low")
    outcome = await turn("e3rg", voting(emotion), identity=identity)
    delivery = outcome.best.output("deliver")
    assert isinstance(delivery, Delivery)
    assert (delivery.emotion, delivery.bank, delivery.mapping, delivery.identity) == (emotion, bank, "e3rg", identity)
    assert 0 <= delivery.intensity <= 1 and identity.number == 20


@pytest.mark.parametrize("mapping", ["e3rg", "avamerg"])
def test_every_emotion_has_a_place_in_the_bank(mapping: str):
    for label in (*label_set("ed32").labels, *label_set("ekman").labels, "neutral"):
        made = asyncio.run(Deliver(mapping=mapping).run(view_of(Forecast(emotion=label, labels="ed32"))))
        assert isinstance(made.output, Delivery) and made.output.bank in label_set("mead").labels


async def test_without_a_forecast_the_delivery_is_neutral():
    made = await Deliver().run(view_of())
    assert isinstance(made.output, Delivery)
    assert (made.output.emotion, made.output.bank, made.output.intensity) == ("neutral", "neutral", 0.0)


# ── ablations ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "step"), [(name, step) for name, step in EACH_STEP if step != "respond"])
async def test_any_step_but_the_reply_can_be_left_out(name: str, step: str):
    model = good()
    outcome = await turn(name, model, without=(step,))
    left = tuple(each for each in STEPS[name] if each != step)
    assert tuple(record.step for record in outcome.best.steps) == left and outcome.reply == REPLY
    assert model.calls[step] == 0 and outcome.left_out == ()
    if outcome.best.audit:
        assert step not in [verdict.step for verdict in outcome.best.audit.verdicts]


@pytest.mark.parametrize("name", RECIPES)
def test_the_reply_cannot_be_left_out(name: str):
    with pytest.raises(UsageError, match="The step 'respond' cannot be left out: nothing would be answered"):
        recipe(name).ablated(Ablation(without=("respond",)))


@pytest.mark.parametrize("name", RECIPES)
async def test_all_steps_but_the_reply_can_be_left_out_together(name: str):
    model = good()
    rest = tuple(step for step in STEPS[name] if step != "respond")
    assert (await turn(name, model, without=(*rest, "audit"))).reply == REPLY and set(model.calls) == {"respond"}


@pytest.mark.parametrize("name", RECIPES)
async def test_the_audit_can_be_left_out_of_any_recipe(name: str):
    model = good(audit=blaming("respond"))
    outcome = await turn(name, model, without=("audit",))
    assert model.calls["audit"] == 0 and outcome.stopped == "no audit" and len(outcome.passes) == 1


@pytest.mark.parametrize("name", RECIPES)
async def test_independent_steps_see_the_dialogue_alone(name: str):
    model = good()
    await turn(name, model, independent=True)
    for request in model.requests:
        if request.purpose != "audit":
            assert not any(head in user_text(request) for head in HEADS) and DIALOGUE.last.text in user_text(request)
            assert EXEMPLAR.reply not in user_text(request)


@pytest.mark.parametrize("name", AUDITING)
@pytest.mark.parametrize("limit", [0, 1, 5, 10])
async def test_the_number_of_refinements_can_be_set(name: str, limit: int):
    assert len((await turn(name, good(audit=blaming("respond")), refinements=limit)).passes) == limit + 1


@pytest.mark.parametrize("name", AUDITING)
async def test_selection_can_be_switched_off(name: str):
    outcome = await turn(name, good(audit=[blaming("respond"), blaming("perceive"), blaming("perceive")]), selection=False)
    assert outcome.chosen == 2


WITH_MEMORY = [name for name in STEPS if "recall" in STEPS[name]]


@pytest.mark.parametrize("name", WITH_MEMORY)
@pytest.mark.parametrize("k", [0, 1, 2, 5])
async def test_the_number_of_exemplars_can_be_set(name: str, k: int):
    shelf = Shelf(found=tuple(Exemplar(situation=f"s{i}", reply=f"Exemplary {i}.", emotion="sad") for i in range(9)))
    model = good()
    await turn(name, model, memory=shelf, top_k=k)
    assert user_text(model.asked("respond")[0]).count("Exemplary") == k
    assert [search["k"] for search in shelf.searches] == ([k] if k else [])
    if k == 0:
        assert "other talks" not in user_text(model.asked("respond")[0])


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("temperature", [0.0, 0.9])
async def test_a_temperature_reaches_every_request(name: str, temperature: float):
    model = good(audit=[blaming("respond"), fine])
    await turn(name, model, temperature=temperature)
    assert {request.temperature for request in model.requests} == {temperature}


@pytest.mark.parametrize(("name", "step"), [(name, step) for name in STEPS for step in steps_that_ask(name)])
async def test_any_single_step_can_have_another_model(name: str, step: str, monkeypatch: pytest.MonkeyPatch):
    other, model = good(), good()
    monkeypatch.setattr("heartfelt.listener.open_model", {"other:": other}.__getitem__)
    await turn(name, model, models={step: "other:"})
    assert set(other.calls) == {step} and model.calls[step] == 0
    whole = good()
    await turn(name, whole)
    assert other.calls + model.calls == whole.calls


@pytest.mark.parametrize(
    ("ablation", "message"),
    [
        (Ablation(without=("forcast",)), r"no step 'forcast' in the recipe 'heartfelt'\. Did you mean 'forecast'\?"),
        (Ablation(models={"strategy": "x:"}), "no step 'strategy' in the recipe 'heartfelt'"),
        (Ablation(refinements=-1), "between 0 and 10"),
        (Ablation(refinements=11), "between 0 and 10"),
        (Ablation(top_k=-1), "between 0 and 20"),
        (Ablation(top_k=21), "between 0 and 20"),
    ],
)
def test_an_ablation_that_makes_no_sense_is_refused(ablation: Ablation, message: str):
    with pytest.raises(UsageError, match=message):
        recipe("heartfelt").ablated(ablation)


def test_an_ablation_leaves_the_recipe_as_it_was():
    before = recipe("heartfelt")
    changed = before.ablated(Ablation(without=("cause",), top_k=4, refinements=0, selection=False, independent=True))
    assert recipe("heartfelt") is before and before.step_names == STEPS["heartfelt"] and before.refinements == 2
    assert next(step for step in changed.steps if isinstance(step, Recall)).top_k == 4
    assert before.ablated(Ablation()) == before


async def test_ablations_combine():
    model = good(audit=blaming("plan"))
    outcome = await turn(
        "heartfelt", model, without=("cause", "deliver"), independent=True, refinements=1, selection=False, top_k=0
    )
    steps = [record.step for record in outcome.best.steps]
    assert outcome.chosen == 1 and steps == ["understand", "perceive", "forecast", "plan", "recall", "respond"]


# ── recall ──────────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_the_memory_is_asked_for_the_forecast_emotion():
    shelf = Shelf()
    await turn("reflective", good(), memory=shelf)
    asked = shelf.searches[0]["emotion"]
    assert "ashamed" in ({asked} if isinstance(asked, str) else asked)


async def test_a_memory_is_asked_without_an_emotion_where_none_was_forecast():
    shelf = Shelf()
    await turn("reflective", good(), memory=shelf, without=("forecast",))
    assert shelf.searches[0]["emotion"] is None


def test_the_length_of_the_reply_is_in_its_prompt():
    model = good(capabilities=Capabilities())
    asyncio.run(Respond(words=12).run(view_of(model=model)))
    assert "at most 12 words" in user_text(model.requests[0]) and model.requests[0].max_tokens == 44


# ── recipes of one's own ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_module_that_is_named_registers_its_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("heartfelt.recipes.RECIPES", dict(RECIPES))
    monkeypatch.setattr("sys.path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_own_recipes.py").write_text(
        "from heartfelt.agents import Respond\nfrom heartfelt.recipes import Recipe, register\n"
        "register(Recipe(name='mine', summary='only a reply', steps=(Respond(),)))\n"
    )
    monkeypatch.setenv("HEARTFELT_RECIPES", " my_own_recipes,")
    load_own()
    assert recipe("mine").step_names == ("respond",)
    with pytest.raises(UsageError, match="There is a recipe 'mine' already"):
        register(recipe("mine"))
    monkeypatch.setenv("HEARTFELT_RECIPES", "no_such_module_here")
    with pytest.raises(UsageError, match="names 'no_such_module_here', which cannot be imported"):
        load_own()
