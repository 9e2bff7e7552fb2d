"""What is said while somebody may be in danger: short, one question, a service once, nothing twice, numbers from the table."""

import re
from typing import get_args

import pytest

from heartfelt.errors import UnknownName
from heartfelt.records import Alert, Danger, Dialogue, DialogueAct, Sign, Turn, Who
from heartfelt.safety.detect.acts import means_in
from heartfelt.safety.guard.forbidden import faults
from heartfelt.safety.respond import crisis_plan
from heartfelt.safety.respond.services import countries, country, known, lines_for

SAID = Dialogue(turns=(Turn(speaker="User", text="…"),))
CASES = [(danger, tier, who) for danger in get_args(Danger) for tier in ("active", "imminent") for who in get_args(Who)]
RULED = Sign(by="rules", tier="active", danger="suicide")
FITTING: tuple[Danger, ...] = ("suicide", "abuse", "violence", "eating")
CODES = [one.code for one in countries()]
OWN_WORDS = [
    (who, act) for who in get_args(Who) for act in crisis_plan.sections()["acknowledged"][who] if act not in ("more", "by")
]


def opened(danger: str, tier: str = "active", who: str = "self", **more: str) -> Alert:
    return Alert(tier=tier, danger=danger, who=who, **({"state": "opened"} | more))  # type: ignore[arg-type]


def talked(danger: str, who: str, acts: tuple[str, ...], code: str = "GB", tier: str = "active", said: str = "…") -> list[str]:
    """The replies of a talk in which the person does these things."""
    turns, replies = [Turn(speaker="User", text=said)], list[str]()
    for number, act in enumerate(acts):
        alert = opened(danger, tier, who, state="open" if number else "opened", act=act)
        alert = alert.model_copy(update={"acts": acts[: number + 1]})
        replies.append(crisis_plan.reply(alert, Dialogue(turns=tuple(turns)), code))
        turns += [Turn(speaker="Listener", text=replies[-1]), Turn(speaker="User", text=said)]
    return replies


@pytest.mark.parametrize(("danger", "tier", "who"), CASES)
@pytest.mark.parametrize("code", ["", "US", "KE"])
def test_the_first_reply_says_what_it_is_names_help_and_asks_one_thing(danger: str, tier: str, who: str, code: str):
    text = crisis_plan.reply(opened(danger, tier, who), SAID, code)
    assert "{" not in text and text.count("?") == 1 and text.endswith("?") and len(text.split()) < 95
    assert re.search(r"\b(AI|program)\b", text)
    assert danger == "medical" or re.search(r"\d{3}|findahelpline", text)
    assert not faults(text)


@pytest.mark.parametrize(("danger", "tier", "who"), CASES)
def test_ten_turns_name_a_service_once_and_repeat_nothing_soon(danger: str, tier: str, who: str):
    replies = talked(danger, who, ("",) * 10, tier=tier)
    assert sum("you can reach people" in text for text in replies) <= 1
    assert all(text.count("?") <= 1 and len(text.split()) < 95 and not faults(text) for text in replies)
    assert all(one not in replies[at + 1 : at + 3] for at, one in enumerate(replies))
    asked = [text.rsplit(". ", 1)[-1] for text in replies if text.endswith("?")]
    assert len(asked) == len(set(asked)), "no question is asked twice"


@pytest.mark.parametrize(("who", "act"), OWN_WORDS)
def test_what_was_just_said_is_acknowledged(who: str, act: str):
    danger = next(danger for danger in FITTING if crisis_plan.fits(act, danger))
    first, reply, again = talked(danger, who, ("", act, act))
    other = talked(danger, who, ("", ""))[1]
    assert reply.split(".")[0] != other.split(".")[0]
    assert all(
        "{" not in text and text.count("?") <= 1 and len(text.split()) < 95 and not faults(text) for text in (reply, again)
    )
    assert len({first, reply, again}) == 3


def test_a_service_is_named_again_when_asked_for_and_not_where_numbers_are_refused():
    first, again = talked("suicide", "self", ("", "wants_service"))
    assert "116 123" in first and "116 123" in again
    assert "116 123" not in talked("suicide", "self", ("", "numbers"))[1]


@pytest.mark.parametrize(
    ("said", "means", "words"),
    [
        ("I have my dad's gun here", "gun", "gun"),
        ("the pills are next to me", "pills", "pills"),
        ("standing on the bridge", "place", "away from there"),
    ],
)
def test_distance_is_spoken_of_whenever_a_means_is_named(said: str, means: str, words: str):
    assert means_in(said) == means
    for reply in talked("suicide", "self", ("", ""), said=said):
        assert re.search(words + "|edge|keep", reply)


@pytest.mark.parametrize("who", get_args(Who))
@pytest.mark.parametrize("state", ["checked", "turned", "heard", "doubt"])
@pytest.mark.parametrize("danger", get_args(Danger))
def test_doubts_checks_and_endings_are_short_and_never_speak_of_suicide(danger: str, state: str, who: str):
    text = crisis_plan.reply(opened(danger, "concern", who, state=state, act="denied"), SAID, "")
    assert len(text.split()) < 45 and text.count("?") <= 1 and not faults(text)
    assert "suicid" not in text and "ending your life" not in text


def test_where_help_is_on_its_way_nobody_is_told_to_call():
    turns = [Turn(speaker="User", text="I took all the pills."), Turn(speaker="Listener", text="Please call 911 now.")]
    said = Dialogue(turns=(*turns, Turn(speaker="User", text="My neighbour called 911, the ambulance is on its way.")))
    text = crisis_plan.reply(opened("suicide", "imminent", state="open", act="help_coming"), said, "US")
    assert "Please call" not in text and "?" not in text


def test_who_might_hurt_somebody_is_spoken_to_as_the_one_who_can_stop():
    said = Dialogue(turns=(Turn(speaker="User", text="I'm going to hurt him when he comes out."),))
    assert "walk away" in crisis_plan.reply(opened("violence", "imminent", "other"), said, "")


@pytest.mark.parametrize("language", ["es", "hi"])
def test_in_another_language_it_goes_on_in_it_and_says_nothing_twice(language: str):
    turns, replies = [SAID.turns[0]], list[str]()
    for number in range(8):
        alert = opened("suicide", state="open" if number else "opened", language=language)
        replies.append(crisis_plan.reply(alert, Dialogue(turns=tuple(turns)), "ES"))
        turns += [Turn(speaker="Listener", text=replies[-1]), SAID.turns[0]]
    assert "112" in replies[0] and len(set(replies)) == 8
    assert crisis_plan.reply(opened("suicide", state="heard", language=language), SAID, "") not in replies


def test_in_another_language_who_is_hurt_by_others_hears_words_for_that_and_questions_are_answered():
    said = "der Meister hat mich verbrannt. zählt das als körperverletzung?"
    turns = (SAID.turns[0], Turn(speaker="Listener", text="…"), Turn(speaker="User", text=said))
    alert = opened("abuse", state="open", language="de")
    replies = list[str]()
    for _ in range(4):
        replies.append(crisis_plan.reply(alert, Dialogue(turns=turns), "DE"))
        turns = (*turns, Turn(speaker="Listener", text=replies[-1]), Turn(speaker="User", text=said))
    assert replies[0].startswith("Niemand darf dich schlagen") and not replies[1].startswith("Niemand darf")
    assert any("Ich glaube dir" in text for text in replies) and not any("dich verletzen könnte" in text for text in replies)
    ill = [crisis_plan.reply(opened("medical", state="open", language="de"), Dialogue(turns=turns[:at]), "DE") for at in (3, 7)]
    assert "kein Arzt" in ill[1]


def test_hindi_in_latin_letters_is_answered_in_them():
    said = Dialogue(turns=(Turn(speaker="User", text="main marna chahta hoon"),))
    assert crisis_plan.reply(opened("suicide", language="hi"), said, "").isascii()


@pytest.mark.parametrize("code", CODES)
def test_all_numbers_are_those_of_the_table(code: str):
    where = country(code)
    assert where is not None
    allowed = re.sub(r"\D", "", where.emergency + "".join(line.how for line in where.lines))
    for danger, tier, who in CASES:
        text = crisis_plan.reply(opened(danger, tier, who), SAID, code)
        for number in re.findall(r"\+?\d[\d\s()/-]{1,}\d", text):
            assert re.sub(r"\D", "", number) in allowed


def test_the_acts_of_the_plan_are_those_that_are_told():
    plan = crisis_plan.sections()["acknowledged"]
    named = {act for who in get_args(Who) for part in (plan[who], *plan[who]["by"].values()) for act in part} - {"more", "by"}
    assert named <= set(get_args(DialogueAct))


def test_nobody_is_asked_again_about_what_they_have_told():
    told = [*talked("suicide", "self", ("",)), talked("suicide", "self", ("", "no_one"))[1]]
    assert not any("Who could come" in text for text in talked("suicide", "self", ("", "no_one", *[""] * 6))[2:]), told
    said = Alert(tier="active", danger="suicide", who="self", state="opened", signs=(RULED,))
    assert "Are you thinking of ending" not in crisis_plan.reply(said, SAID, "")


def test_no_sentence_of_the_plan_may_not_be_said():
    assert [text for text in crisis_plan.texts() if faults(text)] == []
    assert not faults(crisis_plan.instead())


@pytest.mark.parametrize("code", CODES)
def test_every_line_of_the_table_has_a_source_and_holds_its_number(code: str):
    where = country(code)
    assert where is not None and re.search(r"\d{2,}", where.emergency)
    for line in where.lines:
        assert line.source.startswith("https://") and line.seen
        assert line.number in line.how and line.dangers


def test_countries_are_known_in_any_case_and_unknown_ones_refused():
    assert known(" de ") == "DE" and known("") == ""
    with pytest.raises(UnknownName):
        known("XX")
    assert country("XX") is None


def test_the_closest_line_comes_first():
    where = country("US")
    assert where is not None
    assert "988" in lines_for(where, "suicide")[0].how and "abuse" in lines_for(where, "abuse")[0].dangers
