"""What a person sets by hand reaches the words, also where they are chosen and not written."""

from dataclasses import replace

import pytest

from heartfelt import Edit
from heartfelt.agents import bank
from heartfelt.agents.plan import DIMENSIONS
from heartfelt.agents.plan.shown import readable, shows
from heartfelt.agents.wish import WantedReply
from heartfelt.events import Event, Notice
from heartfelt.models import Capabilities, Scripted
from heartfelt.records import Outcome, Plan
from scripts import COMPACT, DIALOGUE, Telling, listening, view_of

from .test_marks import BANK, Marking

KINDS = {"fault": 0.55, "wrong": 0.3, "bad": 0.1, "mixed": 0.03, "good": 0.02}
PLAN = Plan(goal="comfort", stance="ally", tactic="naming what was hard", tone="gentle")


async def first_and_again(
    model: Scripted, *edits: str, events: list[Event] | None = None, kind: str = "wrong"
) -> tuple[Outcome, Outcome]:
    listener = listening("heartfelt", model, without=("audit",), classifier=Telling(kind))
    seen = () if events is None else (events.append,)
    first = await listener.answer(DIALOGUE)
    set_by_hand = tuple(map(Edit.parse, edits))
    return first, await listener.answer_again(DIALOGUE, first.best, edits=set_by_hand, observers=seen)


def marking() -> Marking:
    return Marking(1.0, 3.0)


def told(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Notice)]


# ── the feeling ─────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_another_feeling_finds_words_that_are_for_it():
    first, again = await first_and_again(marking(), "forecast.emotion=furious")
    assert again.reply != first.reply and "furious" in BANK[again.reply].feelings


async def test_a_feeling_makes_the_kinds_likelier_that_go_with_it():
    glad, cross = bank.felt(KINDS, "joyful"), bank.felt(KINDS, "furious")
    assert glad["good"] > 10 * KINDS["good"] and cross["wrong"] > 2 * KINDS["wrong"] > 2 * glad["wrong"]
    assert sum(glad.values()) == pytest.approx(1)
    assert bank.felt({"": 0.0}, "joyful") == {"": 0.0}


async def test_gladness_may_be_wished_for_where_a_model_alone_would_not_dare():
    wish = WantedReply(feeling="joyful")
    found = bank.fitting(DIALOGUE, kinds=bank.felt({"fault": 0.8, "good": 0.2}, "joyful"), wish=wish)
    assert {BANK[each.text].kind for each in found} == {"good"}


# ── the plan ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("choice", ["goal=explore", "tactic=normalising the reaction", "tactic=affirming a strength"])
async def test_another_plan_finds_words_that_show_it(choice: str):
    first, again = await first_and_again(marking(), f"plan.{choice}")
    assert "plan" in first.left_out, "with this model nothing stands on it"
    assert again.reply != first.reply and shows(again.reply, choice.partition("=")[2])
    assert again.best.started_from == "plan"


async def test_a_tone_that_only_a_voice_can_show_leaves_the_words_and_says_so():
    events: list[Event] = []
    first, again = await first_and_again(marking(), "plan.tone=tender", events=events)
    assert again.reply == first.reply
    assert told(events) == ["A tender tone is heard in the voice; these words do not show it."]


async def test_what_no_reply_at_hand_shows_is_told():
    events: list[Event] = []
    await first_and_again(marking(), "plan.goal=celebrate", events=events, kind="bad")
    assert told(events) == ["No reply that fits what was said shows “celebrate”."]


async def test_what_the_words_do_not_stand_on_is_told():
    events: list[Event] = []
    first, again = await first_and_again(marking(), "cause.category=Loss & Failure", events=events)
    assert again.reply == first.reply
    assert told(events) == ["These words stand on what was said, its kind, the feeling and the plan, and not on cause."]


async def test_of_a_plan_that_was_set_earlier_all_counts_and_else_what_is_set_now():
    view = view_of(PLAN)
    record = view.done[0].model_copy(update={"edited": True})
    assert WantedReply.of(view) == WantedReply()
    assert WantedReply.of(replace(view, done=(record,))).choices == ("comfort", "ally", "naming what was hard", "gentle")
    assert WantedReply.of(replace(view, done=(record,), edits=(Edit.parse("plan.stance=ally"),))).choices == ("ally",)


# ── what else ───────────────────────────────────────────────────────────────────────────────────────────────────────


async def test_another_kind_of_message_is_answered_as_that():
    _, again = await first_and_again(marking(), "understand.message=good")
    assert BANK[again.reply].kind == "good"


async def test_the_model_is_asked_in_the_same_words_as_before():
    model = marking()
    await first_and_again(model, "forecast.emotion=furious", "plan.goal=calm", kind="question")
    one, other = model.asked("respond")
    assert one.messages == other.messages, "it was never taught to read what a plan says, and repeats it"


async def test_a_small_model_heeds_a_plan_too():
    model = Scripted(COMPACT, capabilities=Capabilities(profile="compact", drafts=True))
    first, again = await first_and_again(model, "plan.goal=explore")
    assert again.reply != first.reply and "?" in again.reply


def test_every_choice_but_a_few_can_be_read_off_words_and_is_in_the_bank():
    unread = {choice for choices in DIMENSIONS.values() for choice in choices if not readable(choice)}
    assert unread == {"friend", "gentle", "warm", "steady", "tender", "sincere"}
    for choice in {choice for choices in DIMENSIONS.values() for choice in choices} - unread:
        assert sum(shows(text, choice) for text in BANK) >= 9, choice
