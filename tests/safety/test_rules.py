"""The rules alone: what they must catch, what they must leave in peace, and that nothing typed can stall them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cost import growth
from heartfelt.safety.detect.plain import plain
from heartfelt.safety.detect.rules import signs
from heartfelt.safety.tiers import ALARMS, DANGERS, gravest, rank

CAUGHT = {
    "suicide": [
        "I want to die and I can't tell anybody",
        "honestly i wish i was dead",
        "I don't want to be alive anymore",
        "I keep thinking about killing myself",
        "been feeling suicidal since the funeral",
        "I'm going to end my life",
        "i took the whole bottle of pills",
        "The gun is in my hand and I'm going to use it",
        "I've written goodbye letters to my kids",
        "im standing on the bridge and im going to jump",
        "its loaded and sitting right here on my lap",
        "i have dads gun and im on my knees, i'm sorry",
    ],
    "self-harm": [
        "I cut myself again last night",
        "i can't stop cutting",
        "I've been hurting myself in secret",
        "I burned myself with a cigarette on purpose",
        "I self-harm when it gets loud",
        "There are fresh cuts on my thighs",
        "I punched myself in the head again",
        "the razor is against my wrist, i can't stop",
        "i cut too deep and it won't stop bleeding",
    ],
    "abuse": [
        "My husband hits me when he drinks",
        "he beats me every weekend",
        "my boyfriend punched me again yesterday",
        "She said she'll kill me if I leave",
        "My ex keeps following me home",
        "he locked me in the bedroom",
        "I was raped by my boss",
        "my dad is trying to break down the door, he has a knife",
        "I'm hiding in the closet, he's got a gun",
    ],
    "violence": [
        "I want to kill my stepfather",
        "I'm going to stab him",
        "i've been thinking about shooting people at work",
        "I've been planning how to hurt her",
        "I want him dead",
        "I'm about to hurt her, somebody stop me",
        "The voices keep telling me to kill my mother",
        "I hit my girlfriend last night and I would do it again",
        "I want to shake this baby",
        "i am so close to hitting my baby",
    ],
    "medical": [
        "My father isn't breathing",
        "I think I'm having a heart attack",
        "she won't wake up and her lips are blue",
        "his face is drooping and he can't lift his arm",
        "She's having a seizure right now, please help",
        "my throat is closing up, I ate a peanut",
        "there is so much blood and it won't stop",
        "I've been coughing up blood for two days",
    ],
    "eating": [
        "I make myself sick after dinner",
        "i haven't eaten in five days",
        "I'm starving myself",
        "I take laxatives every night",
        "I purge after every meal",
        "my anorexia is back",
        "I throw up after every meal now",
        "I fainted because I haven't eaten",
        "nothing but water since Tuesday",
    ],
    "child": [
        "He hits our son with a belt",
        "my stepdad touches me at night",
        "The neighbour beats her little girl",
        "my uncle makes me do bad things",
        "I'm 11 and my mom's boyfriend punches me",
        "They lock my little brother in the cellar",
        "My daughter came back with bruises on her back",
        "our baby is not breathing",
    ],
    "despair": [
        "I feel completely hopeless",
        "I'm a burden to everyone",
        "what's the point of anything",
        "I just can't go on",
        "I feel so empty",
        "no one would miss me",
        "I hate my life",
        "there is no hope for me",
    ],
}
LEFT_IN_PEACE = [
    "i just shook the baby bottle and it leaked",
    "We want to throw the baby a party",
    "I'm about to throw the baby shower of the year",
    "This exam is killing me",
    "I nearly died laughing",
    "I would kill for a coffee",
    "She killed it on stage last night",
    "My phone is dying, talk later",
    "I'm dead tired",
    "it's my boss's house and i'm on my knees in the hall while they do the toasts",
    "That joke slayed me",
    "I'm dying to see the new season",
    "My boss will kill me when he sees this",
    "We got slaughtered five nil",
    "How do I kill a process on Linux?",
    "I bombed the interview",
    "The suspense is killing me",
    "I'm starving, when is dinner?",
    "I could murder a curry",
    "My feet are killing me",
    "I cut my finger slicing bread",
    "I cut myself shaving",
    "Getting my hair cut on Friday",
    "I've been cutting carbs",
    "I'm cutting down on sugar",
    "I burned my hand on the oven",
    "My wife beat me at chess",
    "My wife beats me. At Scrabble.",
    "My brother beat me in the race",
    "Life hits me hard sometimes",
    "The news hit me hard",
    "The baby kicks me all night from the inside",
    "He took my breath away",
    "I laughed so hard I couldn't breathe",
    "I can't breathe through my nose, it's hay fever",
    "I took my pills with breakfast",
    "I took two tablets for the headache",
    "I've eaten nothing since breakfast, what's for lunch?",
    "No food before the blood test tomorrow",
    "Fasting for Ramadan is going well",
    "I threw up on the boat, I was so seasick",
    "I purged my wardrobe this weekend",
    "We're giving away our old sofa",
    "Today is my last day at work, goodbye everyone",
    "I'm standing on the platform waiting for my train",
    "The view from the bridge was lovely",
    "I jumped off the diving board",
    "He shot a great photo of us",
    "I want to shoot a portrait of my sister",
    "I'm going to kill the weeds this weekend",
    "I beat my personal best",
    "The doctor says my heart is fine",
    "I had a stroke of luck",
    "Grandpa died in March and I miss him",
    "My dog died and I can't stop crying",
    "I'm heartbroken since she left",
    "I'm so angry at my sister",
    "I'm nervous about the operation on Tuesday",
    "My son fell off his bike, he's fine",
    "I don't want to live in this city",
    "I'm not suicidal, just tired",
    "I'm not going to kill myself, don't worry",
    "I would never hurt myself",
    "I don't want to die",
    "I never thought about killing myself",
    "In my novel the hero wants to die",
    "The song goes I want to die young",
    "For my essay about suicide I need three sources",
    "In the film he says he is going to kill himself",
    "Twelve years ago I tried to end my life, and I'm happy today",
    "I used to cut myself when I was fifteen",
    "My therapist asked if I think about killing myself",
    "The suicide rates fell last year",
    "A man was killed in my novel",
]


def alarmed(text: str) -> bool:
    return any(sign.tier in ALARMS for sign in signs(text))


@pytest.mark.parametrize(("danger", "text"), [(danger, text) for danger, texts in CAUGHT.items() for text in texts])
def test_catches_what_is_said_outright(danger: str, text: str) -> None:
    found = signs(text)
    assert danger in {sign.danger for sign in found}
    assert gravest(found)[0].tier in (("concern",) if danger == "despair" else ALARMS)


@pytest.mark.parametrize("danger", DANGERS)
def test_every_danger_is_tried(danger: str) -> None:
    assert len(CAUGHT[danger]) >= 8


@pytest.mark.parametrize("text", LEFT_IN_PEACE)
def test_leaves_ordinary_talk_in_peace(text: str) -> None:
    assert not alarmed(text)


@pytest.mark.parametrize(
    "text",
    [
        "I can't promise I won't kill myself",
        "not that I would, but I've thought about killing myself",
        "I'm not joking, I want to die",
        "I never told anyone that I want to die",
        "I don't know why I want to die",
        "no i want to die",
        "Nobody knows I cut myself every night",
        "I don't want to live anymore",
    ],
)
def test_a_negation_elsewhere_takes_nothing_back(text: str) -> None:
    assert alarmed(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm writing a novel. Also I took all my pills an hour ago.",
        "The film was great. I want to kill myself.",
        "I used to be happy. I want to be dead now.",
        "My brother beat me at chess. My husband hits me every night.",
        "haha that was funny. I'm going to hang myself tonight.",
    ],
)
def test_an_excuse_stays_in_its_sentence(text: str) -> None:
    assert alarmed(text)


def test_words_of_somebody_else_in_quotation_marks_are_not_the_persons() -> None:
    assert not alarmed('He wrote "I want to die" on the wall of the school')
    assert alarmed('I told my mom "I want to die" and she laughed at me')
    assert alarmed('"I want to die"')
    assert alarmed('He wrote "see you soon" and left. I want to die.')


@pytest.mark.parametrize(
    "text",
    [
        "i want to k1ll myself",
        "thinking about su1c1de all day",
        "i want to k i l l myself",
        "planning my s u i c i d e",
        "sui cide is the only way out",
        "gonna kms tonight",
        "i want to unalive myself",
        "thinking of su*cide again",
        "I want to d\u200bie",
        "i wannaaaa dieeee",
        "I WANT TO DIE",
        "i dont wanna be alive anymore",
        "I want to \U0001d4ed\U0001d4f2\U0001d4ee",
        "I don\u2019t want to be alive anymore",
    ],
)
def test_reads_hidden_spellings(text: str) -> None:
    assert alarmed(text)


def test_undoes_only_what_hides_something() -> None:
    assert plain("5kg of flour at 3pm, F.B.I. agents, room 1408").text == "5kg of flour at 3pm , f b i . agents , room 1408"


def test_a_word_for_now_makes_it_imminent() -> None:
    assert gravest(signs("I'm going to kill myself"))[0].tier == "active"
    assert gravest(signs("I'm going to kill myself tonight"))[0].tier == "imminent"


def test_somebody_elses_crisis_is_a_concern() -> None:
    found = signs("My friend told me last month that she wants to die")
    assert gravest(found)[0].tier == "concern"


def test_quotes_are_verbatim_and_rules_are_named() -> None:
    text = "Well. I  WANT\tto d1e, ok?"
    for sign in signs(text):
        assert sign.by == "rules"
        assert sign.quote in text
        assert sign.why
    assert "d1e" in signs(text)[0].quote


@pytest.mark.parametrize("text", ["", " ", "\n\n", "...", "😂😂", "🔪", "\u200b", "'", '"', "👩‍👩‍👧", "?!?!"])
def test_nothing_is_found_in_nothing(text: str) -> None:
    assert signs(text) == []


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_quotes_whatever_is_typed(text: str) -> None:
    read = plain(text)
    assert all(read.quote(start, end) in text for start, end in read.sentences)
    assert all(sign.quote in text and rank(sign.tier) > 0 for sign in signs(text))


@pytest.mark.parametrize(
    "piece",
    [
        "want to ",
        "i ",
        "a ",
        "not ",
        "my the a ",
        "I want to die ",
        "k i l l ",
        "'",
        "****",
        "he is my ",
        "cut, ",
        "1@$!|",
        "no. ",
    ],
)
def test_a_hostile_text_takes_time_in_proportion(piece: str) -> None:
    short, long = ((piece * size)[:size] for size in (1_000, 16_000))
    assert growth(signs, short, long, enough=96) <= 96  # were it quadratic, it would be 256 times as long
