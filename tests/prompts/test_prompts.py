"""Prompt files: each renders, each is strict, both profiles have the same ones, and steps share a prefix."""

import itertools
from typing import Any

import pytest
from jinja2 import UndefinedError, meta

from heartfelt.agents import ForecastEmotion
from heartfelt.agents.audit import QUESTIONS
from heartfelt.agents.notes import note
from heartfelt.models import Request, Scripted
from heartfelt.models.seam import fields, many, one_of, text
from heartfelt.prompts import SHARED, PromptFolder, assemble, describe, digest, longest, readable
from heartfelt.prompts.folder import _FILES
from heartfelt.recipes import RECIPES
from heartfelt.records import (
    Cause,
    Cue,
    Delivery,
    Dialogue,
    Evidence,
    Exemplars,
    Forecast,
    Goal,
    Identity,
    Output,
    Plan,
    Reply,
    Scenario,
    Strategy,
    Turn,
)
from scripts import DIALOGUE, EXEMPLAR, FULL, SAID, blaming, fine, good, turn, user_text

PROFILES = ("full", "compact")
PACKAGES = ("agents", "prompts")
PLACES = {
    (profile, file.name.removesuffix(f".{profile}.md")): file
    for profile in PROFILES
    for package in PACKAGES
    for file in sorted((SHARED.path.parent / package).rglob(f"*.{profile}.md"))
}
"""Every prompt file, by its profile and its name."""
EACH_FILE = list(PLACES)
NAMES = {profile: {name for each, name in EACH_FILE if each == profile} for profile in PROFILES}
VALUES: dict[str, Any] = {
    "speaker": "Ana",
    "listener": "Mia",
    "turns": DIALOGUE.turns,
    "notes": ("Feeling: sad",),
    "measured": ("face: smiles, 0.5–2.0 s, strong",),
    "questions": QUESTIONS,
    "exemplars": (EXEMPLAR,),
    "words": 45,
    "brief": False,
    "labels": ("sad", "glad"),
    "kinds": {"loss": "a death or a parting"},
    "previous": "Feeling: proud",
    "instruction": "Look again.",
}


def source(profile: str, name: str) -> str:
    return PLACES[profile, name].read_text("utf-8")


def render(profile: str, name: str, values: dict[str, Any]) -> tuple[str, str]:
    return PromptFolder(str(PLACES[profile, name])).render(profile, name, values)


def undeclared(profile: str, name: str) -> set[str]:
    return meta.find_undeclared_variables(_FILES.parse(source(profile, name)))


# ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_both_profiles_have_the_same_files():
    assert NAMES["full"] - {"understand"} == NAMES["compact"]  # a small model is asked in the words of `respond`


def test_every_step_of_every_recipe_has_its_file():
    asked = {step.prompt_file for each in RECIPES.values() for step in each.steps if step.asks_model}  # type: ignore[attr-defined]
    assert asked | {"system", "context", "audit", "revise"} == NAMES["full"]


def test_no_prompt_file_lies_in_two_folders():
    found = [file for package in PACKAGES for file in (SHARED.path.parent / package).rglob("*.md")]
    assert sorted(found) == sorted(PLACES.values())


@pytest.mark.parametrize(("profile", "name"), EACH_FILE)
def test_a_file_renders_with_its_values(profile: str, name: str):
    said, fingerprint = render(profile, name, VALUES)
    assert said and "{{" not in said and "{%" not in said and said == said.strip()
    assert fingerprint == digest(source(profile, name))


@pytest.mark.parametrize(("profile", "name"), EACH_FILE)
def test_a_file_uses_only_known_values_and_fails_where_one_is_missing(profile: str, name: str):
    wanted = undeclared(profile, name)
    assert wanted <= set(VALUES)
    for missing in wanted:
        with pytest.raises(UndefinedError, match=missing):
            render(profile, name, {key: value for key, value in VALUES.items() if key != missing})


@pytest.mark.parametrize("profile", PROFILES)
def test_an_attribute_that_a_value_does_not_have_fails_too(profile: str):
    with pytest.raises(UndefinedError):
        render(profile, "context", {"turns": [{"speaker": "Ana"}], "notes": (), "measured": ()})


def test_the_files_have_fingerprints_of_their_own():
    prints = [render(profile, name, VALUES)[1] for profile, name in EACH_FILE]
    assert len(set(prints)) == len(prints)


@pytest.mark.parametrize("profile", PROFILES)
def test_exemplars_are_told_apart_from_the_dialogue(profile: str):
    with_one, _ = render(profile, "respond", VALUES)
    without, _ = render(profile, "respond", VALUES | {"exemplars": ()})
    assert EXEMPLAR.reply in with_one and EXEMPLAR.reply not in without
    assert "xample" not in without and "other talks" not in without


# ── the prompt ──────────────────────────────────────────────────────────────────────────────────────────────────────


def prompt(profile: str = "full", **changes: Any):
    given: dict[str, Any] = {
        "profile": profile,
        "folder": ForecastEmotion.folder,
        "file": "forecast",
        "dialogue": DIALOGUE,
        "notes": (),
        "context": 8192,
        "answer": fields(emotion=one_of(("sad", "glad"))),
        "images": False,
        "values": {"labels": ("sad", "glad")},
    }
    return assemble(**given | changes)


def test_a_full_prompt_says_the_form_of_the_answer_and_a_compact_one_does_not():
    assert prompt().tail.endswith('nothing else:\n{"emotion": <one of sad | glad>}')
    assert "JSON" not in prompt("compact").messages[-1].text


@pytest.mark.parametrize("profile", PROFILES)
def test_the_tail_is_the_end_of_the_prompt_and_the_template_is_the_files_own_hash(profile: str):
    one, other = prompt(profile), prompt(profile, dialogue=DIALOGUE.model_copy(update={"listener": "Mia"}))
    assert one.messages[-1].text.endswith(f"\n\n{one.tail}")
    assert one.messages != other.messages and one.template == other.template == digest(source(profile, "forecast"))
    assert one == prompt(profile)


async def test_the_recorded_hash_is_of_the_messages_that_were_really_sent():
    model = good(forecast=[{"why": "w", "emotion": "purple", "conflict": "none"}, FULL["forecast"]])
    outcome = await turn("reflective", model)
    sent = ["\x00".join(f"{m.role}:{m.text}" for m in request.messages) for request in model.asked("forecast")]
    first, again = outcome.best.steps[1].calls
    assert [first.prompt, again.prompt] == [digest(words) for words in sent] and first.prompt != again.prompt
    assert sent[1].endswith(f"Your last answer could not be used: {first.error}") and first.template == again.template


@pytest.mark.parametrize("profile", PROFILES)
def test_a_revision_stands_in_the_tail(profile: str):
    revised = prompt(profile, revision={"previous": "Feeling: proud", "instruction": "Look again."})
    assert "Feeling: proud" in revised.tail and "Look again." in revised.tail
    assert revised.messages[-1].text.removesuffix(revised.tail) == prompt(profile).messages[-1].text.removesuffix(
        prompt(profile).tail
    )


def test_a_label_that_came_with_the_data_is_never_shown():
    labelled = DIALOGUE.model_copy(update={"turns": (Turn(speaker="Ana", text="Hm.", emotion="devastated"),)})
    assert all("devastated" not in m.text for p in PROFILES for m in prompt(p, dialogue=labelled).messages)


def test_a_schema_is_described_in_words():
    form = fields(spans=many(text(80, hint="copied"), least=1, most=2), kind=one_of(("a", "b")), note=text(9))
    spans, last = "a list of 1 to 2: copied, at most 80 characters", "text, at most 9 characters"
    assert describe(form) == f'{{"spans": <{spans}>, "kind": <one of a | b>, "note": <{last}>}}'


def test_the_latest_turns_are_read_and_the_last_one_always():
    long = Dialogue(turns=tuple(Turn(speaker="Ana", text=f"{i}" * 900) for i in range(9)))
    assert readable(long, 100_000) == long.turns
    assert readable(long, 0) == long.turns[-1:]
    some = readable(long, 2000)
    assert 1 < len(some) < 9 and long.turns[-len(some) :] == some


@pytest.mark.parametrize(
    ("output", "line"),
    [
        (
            Evidence(cues=(Cue(quote="oh", meaning="pain"), Cue(source="face", quote="a smile", meaning="hides it"))),
            'Seen: "oh" (pain); face: a smile (hides it)',
        ),
        (Scenario(event="Ana failed."), "Event: Ana failed."),
        (Forecast(emotion="sad", labels="ed32"), "Feeling: sad"),
        (Forecast(emotion="sad", labels="ed32", conflict="a smile"), "Feeling: sad (against it: a smile)"),
        (Cause(spans=("a", "b"), category="Loss & Failure"), 'Cause: "a", "b" (Loss & Failure)'),
        (Plan(goal="comfort", stance="ally", tactic="t", tone="warm"), "Plan: comfort, as an ally, t, in a warm tone"),
        (Strategy(choice="ER"), "Strategy: emotional reaction"),
        (Goal(goal="Be there."), "Goal: Be there."),
        (Reply(text="I am here."), "Reply: I am here."),
        (Exemplars(found=(EXEMPLAR,)), ""),
        (Delivery(emotion="sad", bank="sad", mapping="e3rg", intensity=1, identity=Identity()), ""),
    ],
)
def test_each_step_has_its_note(output: Output, line: str):
    assert note(output) == line


# ── the shared prefix ───────────────────────────────────────────────────────────────────────────────────────────────


def shared_part(request: Request, tail: str) -> str:
    said = user_text(request)
    assert said.endswith(tail)
    return said.removesuffix(tail).rstrip("\n")


async def passes_of(name: str, model: Scripted) -> list[list[tuple[Request, str]]]:
    """For each pass the requests that were made in it, in order, each with its tail as the trace has it."""
    outcome = await turn(name, model)
    requests = iter(model.requests)
    made: list[list[tuple[Request, str]]] = []
    for each in outcome.passes:
        calls = [call for record in each.steps if record.made_in == each.number for call in record.calls]
        calls += each.audit.calls if each.audit else ()
        made.append([(next(requests), call.sent) for call in calls])
    assert next(requests, None) is None
    return made


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", RECIPES)
async def test_consecutive_steps_share_system_dialogue_and_all_notes(name: str, profile: str):
    for requests in await passes_of(name, good(profile, audit=[blaming("forecast"), fine])):
        parts = [shared_part(request, tail) for request, tail in requests]
        assert len({request.messages[0] for request, _ in requests}) == 1
        assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(parts))
        assert all(f"Ana: {SAID}" in part and f"{DIALOGUE.turns[0].speaker}: " in part for part in parts)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", RECIPES)
async def test_the_shared_part_is_the_dialogue_and_a_line_for_each_step_before(name: str, profile: str):
    outcome = await turn(name, model := good(profile))
    lines = [f"{each.speaker}: {each.text}" for each in DIALOGUE.turns]
    requests = iter(model.requests)
    for record in outcome.best.steps:
        for call in record.calls:
            part = shared_part(next(requests), call.sent)
            heads = ("# Dialogue", "# Notes of the steps before", "")
            assert [line for line in part.splitlines() if line not in heads] == lines
        if note(record.output):
            lines.append(note(record.output))


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_refined_pass_shares_the_prefix_of_the_pass_before(profile: str):
    first, second = await passes_of("heartfelt", good(profile, audit=[blaming("plan"), fine]))
    plan = next(index for index, (request, _) in enumerate(first) if request.purpose == "plan")
    assert shared_part(*first[plan]) == shared_part(*second[0]) and second[0][0].purpose == "plan"


def test_a_listener_of_another_name_speaks_under_it():
    assert "You are Mia" in render("full", "system", {"listener": "Mia"})[0]


# ── long talks ──────────────────────────────────────────────────────────────────────────────────────────────────────


def talk(turns: int, words: int = 20) -> Dialogue:
    said = [Turn(speaker=("Ana", "Mia")[i % 2], text=f"{i} " + "word " * words) for i in range(turns)]
    return Dialogue(turns=tuple(said), listener="Mia")


def test_a_talk_of_two_hundred_turns_is_read_like_one_of_twenty():
    short, long = (sum(len(turn.text) for turn in readable(talk(turns), 1600)) for turns in (21, 201))
    assert 0.5 < long / short < 1.5 and readable(talk(201), 1600)[-1].text.startswith("200 ")


def test_turns_are_left_out_several_at_once_so_that_prompts_begin_alike():
    begins = [readable(talk(turns), 1600)[0].text.split()[0] for turns in range(61, 121, 2)]
    assert len(set(begins)) <= 8 and max(begins.count(begin) for begin in begins) >= 4


def test_of_a_very_long_message_how_it_begins_and_ends_is_read():
    said = Dialogue(turns=(Turn(speaker="Ana", text="It began so. " + "And then more. " * 1700 + "That was the end."),))
    (turn_read,) = readable(said, 1600)
    assert turn_read.text.startswith("It began so.") and turn_read.text.endswith("That was the end.")
    assert " … " in turn_read.text and len(turn_read.text) <= longest(1600)
