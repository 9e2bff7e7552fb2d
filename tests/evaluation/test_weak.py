"""The rules behind the weak labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.agents import MakePlan
from heartfelt.agents.perceive import Perceive
from heartfelt.agents.plan import DIMENSIONS
from heartfelt.agents.quotes import pieces
from heartfelt.evaluation import weak
from heartfelt.labels import label_set
from heartfelt.records import Forecast
from tuning import made_up

ED32 = label_set("ed32").labels
REPLIES = (
    "I am so sorry, that sounds awful.",
    "Congratulations! You must be so happy.",
    "What happened after that?",
    "I had the same thing happen to me once.",
    "You can do it, you are strong.",
    "Haha, that is so funny! Good for you.",
    "Maybe it will get better in time.",
    "Thank you for telling me about it.",
)


def test_cues_are_the_pieces_that_name_a_feeling():
    evidence = weak.evidence_of(made_up.said("We drove to the lake. I was so scared, and the boat was gone."), "afraid")
    assert [cue.meaning for cue in evidence.cues] == ["afraid"]
    assert evidence.cues[0].quote == "so scared"  # pieces are cut before «so»


def test_a_turn_without_feeling_words_gives_its_fullest_piece():
    (cue, *_) = weak.evidence_of(made_up.said("Well. Somebody emptied grandmother's jewellery drawer."), "furious").cues
    assert "jewellery" in cue.quote and cue.meaning == "furious"


def test_a_feeling_of_the_other_side_is_read_as_what_it_names():
    cues = weak.evidence_of(made_up.said("I was so happy for her, but I cried alone, lonely as ever."), "lonely").cues
    assert ("so happy for her", "joyful") in [(cue.quote, cue.meaning) for cue in cues]
    assert "lonely" in [cue.meaning for cue in cues]


@pytest.mark.parametrize(
    ("text", "emotion", "span", "category"),
    [
        ("I feel terrible. My brother stole my bike.", "angry", "My brother stole my bike", "Conflict & Injustice"),
        ("I am so happy! I passed my exam.", "proud", "I passed my exam", "Achievement & Success"),
        ("My grandmother passed away. I feel so empty.", "sad", "My grandmother passed away", "Loss & Failure"),
        ("I was terrified. A bear followed us.", "terrified", "A bear followed us", "Threat & Potential Danger"),
        ("I was so surprised. They threw me a party.", "surprised", "They threw me a party", "Unexpectedness & Novelty"),
        ("My friend helped me move. I felt loved.", "grateful", "My friend helped me move", "Social Connection & Affection"),
    ],
)
def test_the_cause_is_what_happened(text: str, emotion: str, span: str, category: str):
    cause = weak.cause_of(made_up.said(text), emotion)
    assert span in cause.spans and cause.category == category


@pytest.mark.parametrize(
    ("reply", "strategy"),
    [
        ("How long were you there?", "EX"),
        ("I am so sorry to hear that.", "ER"),
        ("I can imagine that it was a lot to carry.", "IP"),
        ("Wow, that is great! And then?", "ER"),
    ],
)
def test_the_strategy_is_what_takes_most_of_the_reply(reply: str, strategy: str):
    assert weak.strategy_of(reply) == strategy


@pytest.mark.parametrize(
    ("emotion", "reply", "plan"),
    [
        ("sad", "That is terrible.", ("comfort", "witness", "naming what was hard", "gentle")),
        ("joyful", "That is wonderful!", ("celebrate", "friend", "sharing the joy", "bright")),
        ("furious", "Did they apologise to you?", ("explore", "ally", "asking an open question", "steady")),
        ("anxious", "You got this, I believe in you.", ("reassure", "ally", "affirming a strength", "steady")),
        ("proud", "Great job, you worked for it!", ("celebrate", "admirer", "affirming a strength", "bright")),
        ("embarrassed", "It happens to everyone.", ("reassure", "confidant", "normalising the reaction", "warm")),
    ],
)
def test_plans_follow_the_wording_and_the_emotion(emotion: str, reply: str, plan: tuple[str, ...]):
    made = weak.plan_of(emotion, reply)
    assert (made.goal, made.stance, made.tactic, made.tone) == plan


@given(st.sampled_from(ED32), st.lists(st.sampled_from(REPLIES), min_size=1, max_size=2).map(" ".join))
def test_every_plan_passes_the_plans_own_check(emotion: str, reply: str):
    plan = weak.plan_of(emotion, reply)
    view = made_up.scribe().view(made_up.said("Something happened."), Forecast(emotion=emotion, labels="ed32"))
    assert MakePlan().check(plan, view) == ()
    assert all(getattr(plan, name) in options for name, options in DIMENSIONS.items())
    assert plan.tactic != "asking an open question" or "?" in reply


@given(st.sampled_from(ED32), st.text(min_size=1, max_size=200).filter(lambda text: text.strip()))
def test_every_cue_and_span_is_a_piece_of_what_was_said(emotion: str, text: str):
    dialogue = made_up.said(" ".join(text.split()) or "x")
    quotable = pieces(dialogue.last.text)
    assert {cue.quote for cue in weak.evidence_of(dialogue, emotion).cues} <= set(quotable)
    assert set(weak.cause_of(dialogue, emotion).spans) <= set(quotable)
    schema = Perceive().schema(made_up.scribe().view(dialogue), compact=True)["properties"]["cues"]
    assert 1 <= len(weak.evidence_of(dialogue, emotion).cues) <= schema["maxItems"]


def test_one_liners_restate_the_cause_and_the_plan():
    each = weak.gold(made_up.said("I lost my keys."), "annoyed", "That is so annoying, it happens to everyone.")
    assert each.scenario.event == "User says that they lost their keys."
    assert each.goal and each.plan and each.plan.tactic in each.goal.goal


@pytest.mark.parametrize(
    ("reply", "taught"),
    [
        ("oh no , im so sorry", "Oh no, I'm so sorry."),
        ("Too short.", ""),
        ("I am a bot on mturk today.", ""),
        ("what the fuck is this then", ""),
        ("One is here. Two is here. Three is here.", "One is here. Two is here."),
        ("word " * 41, ""),
    ],
)
def test_replies_are_written_out_or_left_out(reply: str, taught: str):
    assert weak.answerable(reply, made_up.said("Hello.")) == taught


@pytest.mark.parametrize(
    ("reply", "emotion", "kept"),
    [
        ("I'm so sorry, that must have been awful for you.", "sad", True),
        ("That is wonderful! You must be so proud of her.", "proud", True),
        ("That sounds hard. How are you holding up?", "lonely", True),
        ("That's so exciting! How old is she turning?", "excited", True),
        ("I'm sorry to hear that. How old was he?", "sad", False),  # a question for the form
        ("How old is your little boy now?", "proud", False),  # asks, and says nothing
        ("I had the same happen to me once, so sad.", "sad", False),  # a story of its own
        ("That is nice, I love burgers so much!", "joyful", False),
        ("Haha, that is so sad, I am sorry!", "devastated", False),
        ("Oh no, that sucks so much, I am sorry.", "sad", False),
        ("I'm sorry.", "sad", False),  # too short to learn from
    ],
)
def test_replies_worth_writing_like(reply: str, emotion: str, kept: bool):
    assert weak.attentive(reply, emotion) is kept


def test_a_reply_that_takes_up_a_word_is_taught_more_than_a_stock_phrase():
    dialogue = made_up.said("My grandmother left me her violin.")
    taken_up = weak.worth("Her violin must mean so much to you now.", "sentimental", dialogue)
    own_words = weak.worth("You must have been very close to her.", "sentimental", dialogue)
    stock = weak.worth("I am so sorry to hear that happened.", "sad", dialogue)
    assert taken_up > own_words > stock > 0 == weak.worth("What instrument is it then?", "sentimental", dialogue)
