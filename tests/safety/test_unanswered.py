"""What a listener must not pass over: a question, who is spoken to, what is there already, and whom nobody has spoken of."""

import pytest

from heartfelt.records import Alert, Danger, Dialogue, Sign, Who
from heartfelt.safety.detect.wordings import asked_for_pictures, speaks_of_another
from heartfelt.safety.respond import crisis_plan
from heartfelt.safety.respond.answers import answers_to
from heartfelt.safety.respond.supposed import supposes_more
from scripts import talk

READER = Sign(by="reader", tier="active", danger="suicide", quote="…", confidence=0.9)
UNKNOWING = ("don't know", "no good answer", "can't answer")

PAINED = ("no answer to that", "answer that for you", "no quick answer")


def reply(said: Dialogue, danger: Danger = "suicide", who: Who = "self", **more: object) -> str:
    return crisis_plan.reply(
        Alert.model_validate({"tier": "active", "danger": danger, "who": who, "state": "open", **more}), said, ""
    )


def test_who_asks_what_nobody_here_knows_is_told_so_once_a_wording():
    said = talk("I want to die", "Who is with you?", "which way does moss grow?")
    text = reply(said)
    assert any(words in text for words in UNKNOWING) and text.count("?") <= 1
    later = reply(talk(*(turn.text for turn in said.turns), text, "and who counts the stars?"))
    assert text.split(". ")[0] not in later
    assert not any(words in reply(talk("I want to die", "Who is with you?", "there is moss on it")) for words in UNKNOWING)


def test_where_a_life_is_at_stake_a_question_goes_to_those_who_can_answer_it_and_never_waits():
    for asked in ("and which way does moss grow?", "do i turn him on his side now?", "why is his face blue?"):
        text = reply(talk("he took them", "Who is with you?", asked), tier="imminent", act="tells_more")
        assert "emergency" in text and "can wait" not in text and "later" not in text


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("do they keep me in overnight?", True),
        ("do i have to pay for it?", True),
        ("whats the number of the vet?", True),
        ("why am i like this?", False),
        ("what kind of mother does that?", False),
        ("how can i live with that?", False),
        ("happy now?", None),
        ("are you even listening?", None),
        ("who cares?", None),
        ("you know what she said to me?", None),
    ],
)
def test_what_can_be_known_is_told_from_what_nobody_can_answer_and_from_what_is_no_question(asked: str, known: bool | None):
    text = reply(talk("I want to die", "Who is with you?", asked), act="tells_more", acts=("", ""))
    assert any(words in text for words in UNKNOWING) == (known is True)
    assert any(words in text for words in PAINED) == (known is False)


@pytest.mark.parametrize("asked", ["what if she stops breathing?", "why does his chest do that?"])
def test_where_a_life_is_at_stake_nobody_is_told_that_there_is_no_answer(asked: str):
    for danger, who in (("medical", "other"), ("suicide", "self")):
        text = reply(talk("it happened just now", "Who is with you?", asked), danger, who, tier="imminent", act="tells_more")  # type: ignore[arg-type]
        assert not any(words in text for words in (*PAINED, *UNKNOWING))


@pytest.mark.parametrize("danger", ["suicide", "self-harm", "eating", "abuse"])
def test_of_somebody_else_a_suspicion_is_asked_about_and_not_yet_treated_as_known(danger: Danger):
    sign = READER.model_copy(update={"danger": danger})
    text = reply(talk("My flatmate gave me her plants."), danger, "other", state="opened", signs=(sign,))
    assert "AI" in text and text.count("?") == 1 and "reach people" not in text
    known = reply(
        talk("My flatmate told me."), danger, "other", state="opened", signs=(READER.model_copy(update={"by": "rules"}),)
    )
    assert "may be harmless" not in known


def test_nobody_is_asked_about_people_whom_they_have_not_spoken_of():
    alone = reply(talk("It is so cold in here and I can't sleep."), "abuse", state="doubt", tier="concern")
    assert "them" not in alone and "at home" not in alone
    near = reply(talk("He comes home late and I can't sleep."), "abuse", state="doubt", tier="concern")
    assert near != alone and ("them" in near or "at home" in near)


def test_a_child_of_whom_pictures_are_wanted_is_spoken_to_as_that_child():
    said = talk("he keeps asking me for pics. hes 19")
    assert "grown-up" in reply(said, "child", "other") or "not your fault" in reply(said, "child", "other", state="opened")
    mother = talk("he keeps asking me for pics. My daughter showed me")
    assert crisis_plan.addressed(Alert(tier="active", danger="child", who="other"), "", [mother.turns[0].text]) == "other"
    doubt = reply(said, "child", "self", state="doubt", tier="concern")
    assert "don't have to" in doubt or "say no" in doubt


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("he keeps asking me for pics", True),
        ("they want me to send photos", True),
        ("mum asked for photos of the garden", False),
        ("I asked for a rise", False),
    ],
)
def test_who_wants_pictures_is_heard(said: str, wanted: bool):
    assert asked_for_pictures(said) == wanted


def test_a_place_is_left_and_not_put_away():
    gone = reply(talk("I'm on the bridge", "Who is near?", "I handed the pills to him"), act="means_away")
    assert "pills" not in gone
    asked = [reply(talk("I'm on the bridge", *["Go on.", "hm"] * at), acts=("",)) for at in range(5)]
    assert not any("out of reach" in text or "harder to get at" in text for text in asked)


def test_who_is_in_the_hands_of_those_whose_work_it_is_is_asked_nothing():
    said = talk("I took all of them", "Who is with you?", "the paramedics are here now")
    assert "?" not in reply(said, tier="imminent", act="tells_more")
    put_right = talk("I took all of them", "Who is with you?", "im in the ambulance. i said it was six not sixty")
    assert "more than it was" not in reply(put_right, state="heard", act="corrects")


@pytest.mark.parametrize(
    ("asked", "told", "named"),
    [
        ("will my gaffer be told?", "", True),
        ("does work have to know what it was", "", True),
        ("will my mum be told at work?", "", False),
        ("will they be told?", "", False),
    ],
)
def test_what_work_hears_is_answered_only_where_work_was_asked_about(asked: str, told: str, named: bool):
    says = " ".join(answers_to(asked, "mood", "self", f"{told} . {asked}"))
    assert ("hears no more" in says or "work only has to know" in says) == named


def test_nobody_is_reassured_about_waking_people_who_spoke_of_none():
    assert supposes_more("Most people would rather be woken than find out later.", "The gun is on the table.")
    assert not supposes_more("Most people would rather be woken than find out later.", "I don't want to bother her at night.")


@pytest.mark.parametrize(
    ("said", "another"), [("My husband snores.", True), ("They never ask.", True), ("The bed is cold and I am tired.", False)]
)
def test_whether_anybody_else_was_spoken_of_is_heard(said: str, another: bool):
    assert speaks_of_another(said) == another
