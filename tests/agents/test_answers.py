"""What the agents make of a model's answer: folding, retries, and giving up with the raw text kept."""

from dataclasses import replace
from typing import Any

import pytest

from heartfelt.agents import (
    AuditSteps,
    ChooseStrategy,
    FindCause,
    ForecastEmotion,
    MakePlan,
    Perceive,
    Respond,
    SetGoal,
    TellScenario,
)
from heartfelt.agents.agent import Agent
from heartfelt.errors import BadOutput
from heartfelt.intake import of_text
from heartfelt.labels import label_set
from heartfelt.models import Capabilities
from heartfelt.models.answers import parse
from heartfelt.models.seam import canonical
from heartfelt.records import Cause, Evidence, Finding, Forecast, Plan, Reply, StepRecord, Strategy
from scripts import COMPACT, FULL, SAID, blaming, fine, good, turn, user_text, view_of

AGENTS: list[Agent] = [Perceive(), TellScenario(), ForecastEmotion(), FindCause(), MakePlan(), ChooseStrategy(), SetGoal()]
NONSENSE = ["blah", "", "{}", "[1, 2]", '{"kind": "plan"}', "null", "<think>hm", '{"emotion": ', "```json\n```"]


# ── good answers ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
@pytest.mark.parametrize("profile", ["full", "compact"])
async def test_a_good_answer_becomes_a_record_at_once(agent: Agent, profile: str):
    model = good(profile)
    made = await agent.run(view_of(model=model))
    assert made.step == agent.name and made.findings == () and len(made.calls) == 1 and made.calls[0].error == ""
    assert made.calls[0].raw == canonical((FULL if profile == "full" else COMPACT)[agent.name])


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
async def test_an_answer_in_a_code_fence_with_prose_around_it_is_read(agent: Agent):
    wrapped = f"Sure, here it is:\n```json\n{canonical(FULL[agent.name])}\n```\nI hope that helps."
    made = await agent.run(view_of(model=good(**{agent.name: wrapped})))
    assert made.output == (await agent.run(view_of())).output and len(made.calls) == 1


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_both_forms_accept_the_scripted_answers(agent: Agent):
    for compact, answers in ((False, FULL), (True, COMPACT)):
        answer = answers[agent.name]
        assert parse(canonical(answer), agent.schema(view_of(), compact=compact)) == answer


def test_a_compact_model_can_only_quote_what_was_said():
    for agent, field in ((Perceive(), "cues"), (FindCause(), "spans")):
        items = agent.schema(view_of(), compact=True)["properties"][field]["items"]
        options = items["enum"] if "enum" in items else items["properties"]["quote"]["enum"]
        assert options and all(option in SAID for option in options)


@pytest.mark.parametrize("said", ["Oh.", "…", "Why?!", "a" * 500, "word " * 400])
def test_whatever_is_said_there_is_something_to_quote(said: str):
    view = view_of(dialogue=of_text(said))
    form = Perceive().schema(view, compact=True)["properties"]["cues"]
    options = form["items"]["properties"]["quote"]["enum"]
    assert form["minItems"] <= form["maxItems"] and 1 <= len(options) <= 24
    evidence = Evidence.model_validate({"cues": [{"quote": option, "meaning": "sad"} for option in options]})
    assert len(Perceive().check(evidence, view)) == (len(options) if said == "…" else 0)


def test_a_compact_model_that_mends_its_forecast_cannot_repeat_it():
    view = replace(view_of(), previous=Forecast(emotion="proud", labels="ed32"), instruction="Look again.")
    assert "proud" not in ForecastEmotion().schema(view, compact=True)["properties"]["emotion"]["enum"]
    assert "proud" in ForecastEmotion().schema(view, compact=False)["properties"]["emotion"]["enum"]


def test_a_compact_model_that_mends_its_plan_has_only_what_fits():
    sad = view_of(Forecast(emotion="ashamed", labels="ed32"))
    mending = replace(sad, instruction="Choose again.")
    goals = [MakePlan().schema(view, compact=True)["properties"]["goal"]["enum"] for view in (sad, mending)]
    assert "celebrate" in goals[0] and "celebrate" not in goals[1] and "comfort" in goals[1]


# ── folding ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "labels", "emotion"),
    [
        ("I'd say they're pretty bummed", "ed32", "sad"),
        ("I'd say they're pretty bummed", "ekman", "sad"),
        ("Ashamed.", "ed32", "ashamed"),
        ("ashamed", "ekman", "sad"),
        ("SHAME", "ed32", "ashamed"),
        ("not angry, rather lonely", "ed32", "lonely"),
    ],
)
async def test_free_words_are_folded_into_a_label(said: str, labels: str, emotion: str):
    model = good(forecast=FULL["forecast"] | {"emotion": said})
    made = await ForecastEmotion(labels=labels).run(view_of(model=model))
    assert isinstance(made.output, Forecast) and made.output.emotion == emotion and len(made.calls) == 1


async def test_an_unknown_word_is_asked_about_again_and_the_model_is_told():
    model = good(forecast=[FULL["forecast"] | {"emotion": "discombobulated"}, FULL["forecast"]])
    made = await ForecastEmotion().run(view_of(model=model))
    assert isinstance(made.output, Forecast) and made.output.emotion == "ashamed"
    assert [call.error for call in made.calls] == ["'discombobulated' is none of the emotions asked for.", ""]
    again = user_text(model.asked("forecast")[1])
    assert again.endswith("Your last answer could not be used: 'discombobulated' is none of the emotions asked for.")


async def test_an_unknown_word_to_the_end_is_refused_with_the_raw_text():
    answer = FULL["forecast"] | {"emotion": "discombobulated"}
    with pytest.raises(
        BadOutput, match=r"scripted gave no usable answer for the step 'forecast' in 3 tries: 'discomb"
    ) as caught:
        await ForecastEmotion().run(view_of(model=good(forecast=answer)))
    assert caught.value.raw == canonical(answer)


@pytest.mark.parametrize("none", ["none", "None.", "NO", "n/a", "no conflict"])
async def test_no_conflict_is_no_conflict_however_it_is_put(none: str):
    made = await ForecastEmotion().run(view_of(model=good(forecast=FULL["forecast"] | {"conflict": none})))
    assert isinstance(made.output, Forecast) and made.output.conflict == ""


async def test_a_conflict_is_kept_as_news():
    made = await ForecastEmotion().run(view_of(model=good(forecast=FULL["forecast"] | {"conflict": "She jokes about it."})))
    assert isinstance(made.output, Forecast) and made.output.conflict == "She jokes about it."


async def test_probabilities_become_the_confidence():
    model = good("compact", capabilities=Capabilities(profile="compact", probabilities=True))
    made = await ForecastEmotion().run(view_of(model=model))
    assert isinstance(made.output, Forecast) and made.output.confidence == 1.0
    assert made.output.distribution is not None and set(made.output.distribution) == set(label_set("ed32").labels)


@pytest.mark.parametrize(
    ("agent", "field", "said", "expected"),
    [
        (MakePlan(), "goal", " Comfort ", "comfort"),
        (MakePlan(), "tactic", "Asking An Open Question", "asking an open question"),
        (FindCause(), "category", "loss & failure", "Loss & Failure"),
        (ChooseStrategy(), "choice", "ex", "EX"),
        (ChooseStrategy(), "choice", "Interpretation", "IP"),
    ],
)
async def test_case_and_spelling_of_closed_choices_do_not_matter(agent: Agent, field: str, said: str, expected: str):
    made = await agent.run(view_of(model=good(**{agent.name: FULL[agent.name] | {field: said}})))
    assert made.output.model_dump()[field] == expected and len(made.calls) == 1


@pytest.mark.parametrize(
    ("agent", "field", "kind"),
    [(MakePlan(), "tone", Plan), (FindCause(), "category", Cause), (ChooseStrategy(), "choice", Strategy)],
)
async def test_a_choice_that_there_is_not_is_asked_about_again(agent: Agent, field: str, kind: type):
    model = good(**{agent.name: [FULL[agent.name] | {field: "purple"}, FULL[agent.name]]})
    made = await agent.run(view_of(model=model))
    assert isinstance(made.output, kind) and "'purple' is" in made.calls[0].error


async def test_a_source_that_there_is_not_counts_as_words():
    cue = {"source": "smell", "quote": "laughed at me", "meaning": "hurt"}
    made = await Perceive().run(view_of(model=good(perceive=FULL["perceive"] | {"cues": [cue]})))
    assert isinstance(made.output, Evidence) and made.output.cues[0].source == "words" and made.findings == ()


async def test_spans_beyond_the_second_are_dropped():
    made = await FindCause().run(view_of(model=good(cause=FULL["cause"] | {"spans": ["I failed", "my father", "today"]})))
    assert isinstance(made.output, Cause) and made.output.spans == ("I failed", "my father")


# ── retries ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
@pytest.mark.parametrize("wrong", [1, 2, 4])
async def test_nonsense_is_asked_again_until_it_is_good(agent: Agent, wrong: int):
    model = good(**{agent.name: [*NONSENSE[:wrong], FULL[agent.name]]})
    made = await agent.run(view_of(model=model, tries=5))
    assert [bool(call.error) for call in made.calls] == [True] * wrong + [False]
    assert [call.raw for call in made.calls[:-1]] == NONSENSE[:wrong]
    assert [request.seed for request in model.requests] == [1000 * attempt for attempt in range(wrong + 1)]


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
@pytest.mark.parametrize("nonsense", NONSENSE)
async def test_nonsense_without_end_is_given_up_with_step_tries_and_raw_text(agent: Agent, nonsense: str):
    model = good(**{agent.name: nonsense})
    with pytest.raises(BadOutput) as caught:
        await agent.run(view_of(model=model, tries=4))
    assert f"for the step '{agent.name}' in 4 tries" in str(caught.value) and "--tries" in str(caught.value)
    assert caught.value.raw == nonsense and model.calls[agent.name] == 4


async def test_every_try_costs():
    view = view_of(model=good(plan=["blah", "blah", FULL["plan"]]))
    await MakePlan().run(view)
    assert view.services.meter.calls == 3 and view.services.meter.tokens > 0


async def test_an_empty_reply_is_asked_for_again():
    made = await Respond().run(view_of(model=good(respond=["", " \n", "...", "Ana:", "I hear you."]), tries=5))
    assert made.output == Reply(text="I hear you.")
    assert [call.error for call in made.calls] == ["no words"] * 4 + [""]


async def test_an_empty_reply_to_the_end_is_given_up():
    with pytest.raises(BadOutput, match="scripted gave an empty reply 3 times"):
        await Respond().run(view_of(model=good(respond="…")))


# ── the audit ───────────────────────────────────────────────────────────────────────────────────────────────────────

STEPS = ("perceive", "forecast", "respond")


def pass_view(**changes: Any):
    view = view_of(**changes)
    outputs = (Evidence(cues=()), Forecast(emotion="sad", labels="ed32"), Reply(text="Oh."))
    done = tuple(StepRecord(step=step, made_in=0, output=output) for step, output in zip(STEPS, outputs, strict=True))
    return replace(view, done=done)


@pytest.mark.parametrize("word", ["no", "No", " NO. ", "false"])
async def test_no_is_no_however_it_is_put(word: str):
    answer = {step: {"ok": word if step == "forecast" else "yes", "finding": "f", "instruction": "i"} for step in STEPS}
    audit = await AuditSteps().judge(pass_view(model=good(audit=answer)))
    assert audit.blamed == "forecast" and audit.instruction == "i"


@pytest.mark.parametrize(("profile", "unclear"), [("full", "perhaps"), ("compact", "perhaps")])
async def test_an_unclear_verdict_is_no_yes(profile: str, unclear: str):
    full = {step: {"ok": unclear, "finding": "f", "instruction": "i"} for step in STEPS}
    answer = full if profile == "full" else dict.fromkeys(STEPS, unclear)
    audit = await AuditSteps().judge(pass_view(model=good(profile, audit=[answer, fine])))
    assert audit.blamed is None and "is no verdict on perceive" in audit.calls[0].error


async def test_a_verdict_that_forgets_a_step_is_asked_for_again():
    model = good(audit=[{"perceive": {"ok": "yes", "finding": "none", "instruction": "none"}}, blaming("respond")])
    audit = await AuditSteps().judge(pass_view(model=model))
    assert [verdict.ok for verdict in audit.verdicts] == [True, True, False]
    assert "answer.forecast is missing" in audit.calls[0].error


async def test_a_small_models_verdicts_come_with_their_confidence():
    model = good("compact", audit=blaming("forecast"), capabilities=Capabilities(profile="compact", probabilities=True))
    audit = await AuditSteps().judge(pass_view(model=model))
    assert [(verdict.ok, verdict.confidence) for verdict in audit.verdicts] == [(True, 1.0), (False, 1.0), (True, 1.0)]


async def test_what_code_found_has_no_confidence_of_the_model():
    view = pass_view(model=good("compact", capabilities=Capabilities(profile="compact", probabilities=True)))
    found = Finding(step="respond", problem="p", instruction="i")
    done = (*view.done[:2], view.done[2].model_copy(update={"findings": (found,)}))
    audit = await AuditSteps().judge(replace(view, done=done))
    assert audit.blamed == "respond" and audit.findings == (found,) and audit.verdicts[2].confidence is None


async def test_the_audit_asks_about_the_steps_that_were_made_in_their_order():
    model = good()
    await turn("heartfelt", model, without=("cause",))
    assert list((model.asked("audit")[0].answer or {})["properties"]) == ["perceive", "forecast", "plan", "respond"]
