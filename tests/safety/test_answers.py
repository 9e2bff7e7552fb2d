"""Plain questions in a talk about a danger are answered before anything else is asked."""

import tomllib
from collections.abc import Callable

import pytest

from heartfelt.records import Alert, Danger, Dialogue, Sign, Who
from heartfelt.safety.detect.wordings import (
    asks_about_dying,
    by_another,
    called_help,
    cared_for,
    corrects,
    grown_up,
    of_a_child,
    of_a_story,
    put_away,
    says_not_to_die,
    threatens,
    wants_no_lines,
    whose_it_says,
    writes_stories,
)
from heartfelt.safety.guard.forbidden import faults
from heartfelt.safety.respond import crisis_plan, places
from heartfelt.safety.respond.answers import answers, answers_to
from heartfelt.safety.respond.helpers import helper_in
from heartfelt.safety.respond.places import country_in
from heartfelt.safety.respond.services import countries
from heartfelt.safety.respond.supposed import supposes_more
from scripts import talk

ASKED: list[tuple[str, str, Who, str]] = [
    ("no not tonite. does it go away? feeling like this", "mood", "self", "does it pass"),
    ("pleese dont tell my mam she will be so sad", "mood", "self", "tells nobody"),
    ("are u gonna call the cops on me", "mood", "self", "tells nobody"),
    ("Is it a sin for a daughter to disobey her father?", "home", "self", "god at home"),
    ("will God forgive me", "mood", "self", "god"),
    ("Will I see him again there?", "mood", "self", "meet again"),
    ("do they pay out the insurance no matter how it happens?", "mood", "self", "money after a death"),
    ("so is that a yes, I can skip it?", "body", "self", "may I skip it"),
    ("Must I be certain before I report, or is suspicion enough?", "home", "other", "is suspicion enough"),
    ("Do I ring that or just ask her straight?", "mood", "other", "ask straight out"),
    ("would my dog even know I was gone?", "mood", "self", "would an animal know"),
    ("did i do the right thing", "mood", "other", "did I do right"),
    ("would anybody even blame me", "anger", "self", "would you blame me"),
    ("how many would it take to die", "mood", "self", "no method"),
    ("Is it weak of me to ask?", "mood", "self", "is it weak"),
    ("is that abuse or is it just how he is", "home", "self", "is it abuse"),
    ("How might I contact her without them finding it?", "home", "self", "reach help unseen"),
    ("can we talk about something else", "mood", "self", "something else"),
    ("will you stay till they come?", "mood", "self", "stay with me"),
    ("am i crazy", "mood", "self", "am I mad"),
    ("I'd not know what words to use to the man.", "mood", "self", "words for me"),
    ("what i wanna know is will i ever drive again", "body", "self", "ever again"),
    ("is it dobbing if i tell?", "home", "other", "is it telling tales"),
    ("Do I warn her first, or police?", "anger", "other", "police first"),
    ("cant i just eat a biscuit n see if it stops", "body", "self", "wait and see"),
    ("will they send police to the house?", "home", "self", "will they send police"),
    ("How do I erase this now?", "home", "self", "how to delete"),
    ("If I leave the house, is my residency finished?", "home", "self", "papers"),
    ("do scars fade or am i stuck in hoodies", "mood", "self", "do scars fade"),
    ("What do I pack?", "home", "self", "what to pack"),
    ("hospital must treat me, yes or no?", "body", "self", "must they treat me"),
    ("what do i tell her, whats actually wrong w me?", "body", "self", "words when ill"),
    ("It gets better, really?", "mood", "self", "does it pass"),
    ("i want to know whom I must telephone", "home", "other", "is suspicion enough"),
]
NOT_ASKED = [
    "should I go tonight?",
    "should i just go",
    "should I go through with it?",
    "should I knock him out?",
    "should I text my mum goodbye?",
    "should I call them one last time?",
    "was I wrong to keep quiet?",
    "Staying right beside her.",
    "nobodys company you can stay if you shut up",
    "oh don't go all serious on me. it's a joke",
    "i could stay behind after class tomorrow",
    "He said don't tell anyone.",
    "I'm making her pea and ham soup, since neither of us has eaten.",
    "The debts are nineteen thousand.",
    "I took them an hour ago.",
]


@pytest.mark.parametrize(("said", "family", "who", "name"), ASKED)
def test_a_question_finds_its_answer(said: str, family: str, who: Who, name: str):
    assert answers_to(said, family, who) == next(one.says for one in answers() if one.name == name)


@pytest.mark.parametrize("said", NOT_ASKED)
@pytest.mark.parametrize("family", crisis_plan.FAMILIES)
def test_what_asks_nothing_of_the_kind_finds_none(said: str, family: str):
    assert not answers_to(said, family, "self") and not answers_to(said, family, "other")


def test_answers_are_short_ask_nothing_and_promise_nothing():
    assert len({one.name for one in answers()}) == len(answers())
    for one in answers():
        assert set(one.families) <= set(crisis_plan.FAMILIES)
        for text in one.says:
            assert len(text.split()) <= 40 and not faults(text) and (text.count("?") == 0 or text.endswith("?"))


def reply(said: Dialogue, danger: Danger = "suicide", **more: str) -> str:
    alert = Alert(tier="active", danger=danger, who="self", **({"state": "open"} | more))  # type: ignore[arg-type]
    return crisis_plan.reply(alert, said, "", more.get("words", ""))


def test_a_question_is_answered_first_and_then_one_thing_is_asked():
    said = talk("I want to die", "Are you thinking of ending your life?", "yes. does it go away?")
    text = reply(said, act="confirmed")
    assert text.startswith("For most people") and text.count("?") == 1
    ended = crisis_plan.reply(
        Alert(tier="concern", danger="suicide", who="self", state="heard", act="denied"), talk("no. does it get better?"), ""
    )
    assert ended.startswith("For most people") and ended.endswith("?")


def test_nobody_is_asked_twice_whether_they_think_of_dying():
    asked = "Do you mean that you want to die?"
    assert asks_about_dying(asked) and not asks_about_dying("Have you asked whether they think of dying?")
    replies = [reply(talk("I can't go on", asked, "not tonight", *["Go on.", "hm"] * at)) for at in range(4)]
    assert not any(asks_about_dying(text) and "close" not in text for text in replies)


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("what no not ME. HIM.", "other"),
        ("Still got the wrong bloke. I asked her.", "other"),
        ("already told u, its my friend", "other"),
        ("It's my husband. He hits me.", None),
        ("it's my mum, she died and I can't go on", None),
        ("she picked him, not me and I want to end it", None),
        ("my son cuts himself, maybe it's me", None),
        ("not them ME. im on my own", "self"),
        ("it's not him, it's me", "self"),
        ("He doesn't love me, not me but her", None),
        ("it's my son who found the letter", None),
        ("its me who found him", None),
    ],
)
def test_whose_danger_it_is_can_be_put_right(said: str, who: Who | None):
    assert whose_it_says(said) == who


@pytest.mark.parametrize(
    ("said", "helper"),
    [
        ("my flatmate Sam maybe. he finishes at nine", "your flatmate Sam"),
        ("My brother would. He lives two streets away.", "your brother"),
        ("my roommate is asleep next door", "your roommate"),
        ("There's Erlend across the road. His light's on yet.", "Erlend"),
        ("There's nobody across the road.", ""),
        ("My husband died in March.", ""),
        ("my dad hits me when he comes home", ""),
        ("I might leave my wife", ""),
        ("my brother's dog lives next door", ""),
    ],
)
def test_a_person_who_is_near_is_found_and_nobody_who_is_not(said: str, helper: str):
    assert helper_in([said]) == helper


def test_who_was_spoken_of_is_asked_for_and_never_where_somebody_is_hurt_at_home():
    said = talk("I want to end it. My brother lives two streets away.", "I hear you.", "yes")
    near = Alert(
        tier="imminent", danger="suicide", who="self", state="open", act="confirmed", acts=("", "swallowed", "confirmed")
    )
    replies = [crisis_plan.reply(near, said, "")]
    replies.append(crisis_plan.reply(near, talk(*(turn.text for turn in said.turns), replies[0], "hm"), ""))
    assert any("let your brother know" in text for text in replies)
    assert "your brother" not in reply(said, danger="abuse", act="confirmed")


def test_a_reply_that_names_what_was_never_spoken_of_is_not_offered():
    assert supposes_more("Nobody has the right to hit you.", "He reads all my messages.")
    assert not supposes_more("Nobody has the right to hit you.", "He pushed me into the wall.")
    assert supposes_more("You miss her terribly.", "My cat is fine and I sold the boat.")
    assert not supposes_more("Who could be with you tonight?", "I'm on my own.")


def test_what_a_reader_alone_suspects_is_asked_kindly_and_without_numbers():
    alert = Alert.model_validate(
        {
            "tier": "active",
            "danger": "suicide",
            "who": "self",
            "state": "opened",
            "signs": [{"by": "reader", "tier": "active", "danger": "suicide", "quote": "…", "confidence": 0.9}],
        }
    )
    text = crisis_plan.reply(alert, talk("They'd be better off with the money."), "GB")
    assert asks_about_dying(text) and "116 123" not in text and "AI" in text and text.count("?") == 1
    again = crisis_plan.reply(alert.model_copy(update={"state": "open", "act": "confirmed"}), talk("…", text, "yes"), "GB")
    assert "116 123" in again


def test_the_number_is_said_in_full_once():
    said = talk("I took them all", "Please call 999 now, or have somebody you trust call.", "I'm getting sleepy")
    text = crisis_plan.reply(
        Alert(tier="imminent", danger="suicide", who="self", state="open", act="swallowed", acts=("", "swallowed")), said, "GB"
    )
    assert "999" not in text and "emergency number now" in text


def test_who_wants_no_questions_and_no_numbers_gets_none():
    said = talk(
        "i wish i hadnt come home", "Are you thinking of ending your life?", "no questions and dont give me a hotline either"
    )
    text = crisis_plan.reply(Alert(tier="active", danger="suicide", who="self", state="open"), said, "US")
    assert "?" not in text and "988" not in text


def test_a_means_that_is_out_of_reach_is_not_warned_of():
    away = talk("I want to die", "Who is with you?", "my guns are at my sisters, took em there myself")
    near = talk("I want to die", "Who is with you?", "my gun is on the table")
    alert = Alert(tier="active", danger="suicide", who="self", state="open", act="tells_more")
    assert "gun" not in crisis_plan.reply(alert, away, "") and "gun" in crisis_plan.reply(alert, near, "")


@pytest.mark.parametrize(
    ("said", "corrected"),
    [
        ("nothing i didnt take anything. just wine", False),
        ("You got it backwards, they're out of reach", True),
        ("i said they don't", True),
        ("it's cold and my hands shake", False),
    ],
)
def test_an_answer_is_no_correction(said: str, corrected: bool):
    assert corrects(said) == corrected


def test_who_may_hurt_somebody_is_spoken_to_as_the_one_who_can_stop_for_the_whole_talk():
    said = talk("i keep picturing sittin there with my gun", "What happened?", "he walks past me every hour")
    alert = Alert(tier="active", danger="violence", who="other", state="open")
    assert "really hurt somebody" in crisis_plan.reply(alert, said, "")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("I am in Seoul, not Europe.", "KR"),
        ("hello po! new dad here from Manila", "PH"),
        ("hes in brazil im in helsinki idk what to do", "FI"),
        ("Janez here, beekeeper from Slovenia", ""),
        ("I am in Mumbai, neither Europe nor North America.", "IN"),
        ("I write crime novels, in Galway", "IE"),
        ("My friend lives in Paris.", ""),
        ("I was once in Berlin.", ""),
        ("I ring my brother Luc in Ghent from her telephone.", ""),
        ("Lad's in Perth, it's the middle of the night there", ""),
        ("I live alone in São Paulo", "BR"),
        ("I'm from Gdansk, I drive lorries out of Folkestone", ""),
        ("im from poland but i live in leeds", "GB"),
        ("I'm writing to you from Manila", "PH"),
    ],
)
def test_where_somebody_says_they_are_is_heard(said: str, code: str):
    assert country_in([said]) == code


def test_who_says_where_they_are_is_told_of_help_there_unless_a_country_is_set():
    said = talk("I want to die. I'm in Dublin.")
    alert = Alert(tier="active", danger="suicide", who="self", state="opened")
    assert "116 123" in crisis_plan.reply(alert, said, "") and "Ireland" in crisis_plan.reply(alert, said, "")
    assert "988" in crisis_plan.reply(alert, said, "US")


def test_every_place_lies_in_a_country_of_the_table():
    table = tomllib.loads(places.FILE.read_text("utf-8"))
    assert {one.code for one in countries()} == set(table)


@pytest.mark.parametrize(
    ("wording", "said", "heard"),
    [
        (of_a_story, "Quill is fictional and I am perfectly safe.", True),
        (of_a_story, "It's not a game to me.", False),
        (of_a_story, "No, not me. I'm a paramedic, it's ma work. The rope was a patient's.", True),
        (of_a_story, "It's my job that is killing me.", False),
        (says_not_to_die, "I'm no suicidal, I drive the ambulance.", True),
        (cared_for, "they're here now, two fellas putting stickers on my chest. im in the ambulance", True),
        (cared_for, "I should be in hospital, my mother says", False),
        (by_another, "The child does not hurt himself. His father burns him.", True),
        (by_another, "he hurts himself", False),
        (put_away, "I gave all the pills to Hana", True),
        (put_away, "I have the pills here", False),
        (cared_for, "they are here, they are breaking the door", False),
        (cared_for, "everyone says i'm fine", False),
        (cared_for, "im not going in the ambulance", False),
        (of_a_story, "it's all a game to him and I won't be here tomorrow", False),
        (of_a_story, "I'm a nurse, it's my job to be strong and I can't go on", False),
        (put_away, "I have the pills and I'm giving up", False),
        (put_away, "I took the pills out of the box", False),
        (put_away, "I don't have anyone, the gun is on the table", False),
        (wants_no_lines, "I don't know what number to call", False),
        (wants_no_lines, "dont give me a hotline either", True),
        (threatens, "i want to kill myself", False),
        (writes_stories, "for the last two weeks I think of the river", False),
        (called_help, "they are coming to kill me", False),
        (called_help, "i called the police last year and they did nothing", False),
        (called_help, "i alredy rang them i sed", True),
        (called_help, "i called one once and they put me on hold", False),
        (called_help, "I never called it.", False),
        (grown_up, "I am the mother, Im 31", True),
        (grown_up, "im only 10", False),
        (of_a_child, "a girl in my class, eight years old", True),
    ],
)
def test_words_decide_where_a_guess_would_do_harm(wording: Callable[[str], bool], said: str, heard: bool):
    assert wording(said) == heard


def test_a_story_is_asked_about_and_who_writes_it_is_left_in_peace():
    sign = Sign(by="reader", tier="active", danger="suicide", confidence=0.7)
    alert = Alert(tier="active", danger="suicide", who="other", state="opened", signs=(sign,))
    text = crisis_plan.reply(alert, talk("I write crime novels. By chapter nine my detective wants to die."), "GB")
    assert "story" in text and text.count("?") == 1 and "116 123" not in text


def test_hands_around_the_neck_are_named_dangerous_where_they_were_spoken_of():
    asked = "can it be dangerous with no mark?"
    assert "even without a mark" in answers_to(asked, "home", "self", "Once he put his hands on my neck. " + asked)[0]
    assert "even without a mark" not in " ".join(answers_to(asked, "home", "self", "He shouts. " + asked))


def test_who_has_called_already_is_not_told_to_call():
    said = talk(
        "mam wont wake up", "Please call 999 now, or have somebody you trust call.", "i alredy rang them, is mam gonna die"
    )
    alert = Alert(tier="imminent", danger="medical", who="other", state="open")
    assert "call" not in crisis_plan.reply(alert, said, "GB")


def test_who_waits_for_somebody_is_spoken_to_as_the_one_who_can_stop():
    said = talk("i wait outside the gym. tonight he learn respect.", "…", "i am not in danger, HIM he is.")
    text = crisis_plan.reply(Alert(tier="active", danger="abuse", who="self", state="open"), said, "")
    assert "really hurt somebody" in text or "far away" in text


def test_a_friend_who_is_hurt_by_another_is_not_asked_about_dying():
    said = talk(
        "she doesnt want to die, its her stepdad. he makes her play games at night, shes 12 years old", "…", "who do i tell"
    )
    text = crisis_plan.reply(Alert(tier="active", danger="suicide", who="other", state="open"), said, "")
    assert "child" in text and "put what they could use" not in text


def test_nobody_is_told_to_sit_down_beside_a_burning_stove():
    said = talk("my head hurts, my wife vomits, the stove burns since morning")
    alert = Alert(tier="imminent", danger="medical", who="self", state="opened", act="tells_more")
    text = crisis_plan.reply(alert, said, "", "Please sit down and rest until help is there.")
    assert "out into the open air" in text and "sit down" not in text


@pytest.mark.parametrize(
    ("wording", "said"),
    [
        (cared_for, "there is no ambulance here and he is turning blue"),
        (cared_for, "i was discharged and now i cant breathe"),
        (cared_for, "im afraid to be in hospital so i stay home, my arm is numb"),
        (cared_for, "im on the roof at the hospital"),
        (cared_for, "no doctor has checked him"),
        (called_help, "police arent coming"),
        (called_help, "i just called to say goodbye"),
        (called_help, "i will jump when the police is here"),
        (called_help, "i rang them and nobody picks up"),
        (of_a_story, "my mind is made up. tonight"),
        (of_a_story, "they say its all made up. he touches me"),
        (of_a_story, "its the story of my life, i cant go on"),
        (says_not_to_die, "i dont want to die but i have to"),
        (says_not_to_die, "they dont want to die, i do"),
        (put_away, "i took my pills to the bridge"),
        (put_away, "my mom passed away and i have her pills"),
        (wants_no_lines, "i have no phone numbers, send me one"),
        (wants_no_lines, "my husband will not call a doctor"),
        (whose_it_says, "its not me. its my head that wants me dead"),
        (whose_it_says, "i married the wrong man and now he will kill me"),
        (whose_it_says, "not me its him who is hitting me"),
    ],
)
def test_nothing_said_beside_a_danger_calms_by_its_words_alone(wording: Callable[[str], object], said: str):
    assert not wording(said)


@pytest.mark.parametrize(
    ("asked", "family", "told"),
    [
        ("would it be better if i called someone?", "mood", ""),
        ("would it be better if i went to the hospital?", "mood", ""),
        ("should i ask my friend for his gun?", "mood", ""),
        ("should i tell my kids that i wont be here tomorrow?", "mood", ""),
        ("will it be over when i jump?", "mood", ""),
        ("will you stay with me while i do it?", "mood", ""),
        ("can we talk about something else, i took all the pills", "mood", ""),
        ("is suicide giving up?", "mood", ""),
        ("am i bad, i hit my baby?", "mood", ""),
        ("should i take my epipen? my throat closes", "body", ""),
        ("will my chest pain get better by itself?", "body", ""),
        ("is it bad to call the police?", "home", "he choked me"),
        ("where can i hide from him now?", "home", ""),
    ],
)
def test_a_question_that_only_sounds_like_a_known_one_gets_no_ready_answer(asked: str, family: str, told: str):
    assert answers_to(asked, family, "self", told) == ()
