"""What code can verify of each step, without asking anybody."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.agents import FindCause, ForecastEmotion, MakePlan, Perceive, Respond
from heartfelt.agents.plan import DIMENSIONS, UNFIT_FOR_JOY, UNFIT_FOR_PAIN
from heartfelt.agents.quotes import pieces, said
from heartfelt.agents.speech import bare
from heartfelt.intake import of_text
from heartfelt.labels.leaning import leaning, strength
from heartfelt.records import Cause, Cue, Evidence, Exemplars, Forecast, Keyframe, Output, Plan, Reply
from heartfelt.text import sentences_of, within
from scripts import DIALOGUE, EXEMPLAR, REPLY, SAID, good, view_of

ASHAMED = Forecast(emotion="ashamed", labels="ed32")
PROUD = Forecast(emotion="proud", labels="ed32")
ASKS = Plan(goal="explore", stance="friend", tactic="asking an open question", tone="warm")


def problems(reply: str, *before: Output) -> list[str]:
    findings = Respond().check(Reply(text=reply), view_of(*before))
    assert all(finding.step == "respond" and finding.by == "code" and finding.instruction for finding in findings)
    return [finding.problem for finding in findings]


# ── perceive, cause ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "quote", ["my father laughed at me", "My father  LAUGHED at me.", "“I failed my driving test”", "third try"]
)
def test_a_quote_from_anywhere_in_the_dialogue_is_grounded(quote: str):
    assert Perceive().check(Evidence(cues=(Cue(quote=quote, meaning="m"),)), view_of()) == ()


@pytest.mark.parametrize("quote", ["my mother laughed at me", "father laughed me", "...", "", "I failed my driving test and"])
def test_a_quote_that_was_never_said_is_found(quote: str):
    (finding,) = Perceive().check(Evidence(cues=(Cue(quote=quote, meaning="m"),)), view_of())
    assert finding.problem == f'The cue "{quote}" was never said.' and quote in finding.instruction


def test_each_invented_quote_is_named():
    cues = tuple(Cue(quote=quote, meaning="m") for quote in ("one", "laughed at me", "two"))
    assert [f.problem for f in Perceive().check(Evidence(cues=cues), view_of())] == [
        'The cue "one" was never said.',
        'The cue "two" was never said.',
    ]


@pytest.mark.parametrize("source", ["face", "voice", "picture"])
def test_nobody_sees_or_hears_without_pictures(source: str):
    evidence = Evidence.model_validate({"cues": [{"source": source, "quote": "a sad look", "meaning": "m"}]})
    (finding,) = Perceive().check(evidence, view_of())
    assert f"claims the {source}" in finding.problem
    with_picture = of_text(SAID, keyframes=(Keyframe(data="aGk="),))
    heard = Perceive().check(evidence, view_of(dialogue=with_picture))
    assert bool(heard) == (source == "voice"), "a picture shows a face, and no voice"


def test_a_span_that_was_never_said_is_found():
    cause = Cause(spans=("failed my driving test", "lost my keys"), category="Loss & Failure")
    (finding,) = FindCause().check(cause, view_of())
    assert finding.problem == 'The span "lost my keys" was never said.'


# ── forecast, plan ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_emotion_that_the_set_does_not_have_is_found():
    (finding,) = ForecastEmotion().check(Forecast(emotion="ashamed", labels="ekman"), view_of())
    assert "'ashamed' is not in the label set ekman" in finding.problem and "disgust" in finding.instruction


@pytest.mark.parametrize(("emotion", "unfit"), [(ASHAMED, UNFIT_FOR_PAIN), (PROUD, UNFIT_FOR_JOY)])
def test_a_plan_against_the_emotion_is_found_in_every_dimension(emotion: Forecast, unfit: set[tuple[str, str]]):
    fit = {dimension: next(o for o in options if (dimension, o) not in unfit) for dimension, options in DIMENSIONS.items()}
    assert MakePlan().check(Plan(**fit), view_of(emotion)) == ()
    for dimension, options in DIMENSIONS.items():
        for option in options:
            findings = MakePlan().check(Plan(**fit | {dimension: option}), view_of(emotion))
            assert bool(findings) == ((dimension, option) in unfit), option
            if findings:
                assert findings[0].problem == f"'{option}' does not fit someone who is {emotion.emotion}."


@pytest.mark.parametrize("before", [(), (Forecast(emotion="nostalgic", labels="ed32"),)])
def test_without_a_clear_emotion_every_plan_fits(before: tuple[Output, ...]):
    bold = Plan(goal="celebrate", stance="admirer", tactic="sharing the joy", tone="playful")
    assert MakePlan().check(bold, view_of(*before)) == ()


@pytest.mark.parametrize(
    ("emotion", "side"),
    [("ashamed", -1), ("sad", -1), ("anger", -1), ("proud", 1), ("happy", 1), ("nostalgic", 0), ("neutral", 0), ("purple", 0)],
)
def test_labels_of_any_set_lean_to_a_side(emotion: str, side: int):
    assert leaning(emotion) == side and 0 <= strength(emotion) <= 1


# ── respond ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_good_reply_has_no_fault():
    assert problems(REPLY, ASHAMED, Exemplars(found=(EXEMPLAR,))) == []


def test_too_many_words_are_found():
    words = [a + b for a in "abcdefg" for b in "hijklmn"]
    assert problems(" ".join(words[:45])) == [] and problems(" ".join(words[:46])) == ["It has 46 words."]


def test_too_many_sentences_are_found():
    assert problems("I see. I hear you. I am here.") == ["It is too long."]
    assert problems("Oh, at 5.30 already, and 3.5 hours late! I see.") == []


@pytest.mark.parametrize(
    "reply", ["As an AI I cannot feel.", "I am only a language model.", "Think step by step.", "The notes say you hurt."]
)
def test_talk_about_itself_is_found(reply: str):
    assert problems(reply) == ["It talks about itself as a program or about its notes."]


@pytest.mark.parametrize(
    "reply",
    ["You must be so happy!", "You're really proud.", "You’re excited, I see.", "you sound very joyful", "You feel grateful."],
)
def test_a_feeling_that_the_forecast_denies_is_found(reply: str):
    (problem,) = problems(reply, ASHAMED)
    assert problem.startswith("It says '") and problem.endswith("' to someone who is ashamed.")
    assert problems(reply) == [] and problems(reply, PROUD) == []


@pytest.mark.parametrize(
    "reply", ["You must feel ashamed.", "You are sad.", "You're not happy, I know.", "I am happy that you told me."]
)
def test_a_feeling_that_fits_or_is_not_the_persons_is_no_fault(reply: str):
    assert problems(reply, ASHAMED) == []


def test_a_planned_question_that_is_not_asked_is_found():
    assert problems("That must hurt.", ASKS) == ["The plan asks an open question and the reply asks none."]
    assert problems("What hurt most?", ASKS) == []


def test_seven_words_of_an_exemplar_in_a_row_are_a_copy():
    exemplars = Exemplars(found=(EXEMPLAR,))
    assert problems("Oh, That Must have been an endless moment.", exemplars) == ["It repeats an exemplar word for word."]
    assert problems("That must have been an endless hour.", exemplars) == []


def test_an_echo_of_the_person_is_found():
    assert problems("You failed my driving test today, and my father laughed at me.") == [
        "It only repeats what the person said."
    ]
    assert problems("Your father laughed at me? What did that do to you, after all those months of practice?") == []


@pytest.mark.parametrize(
    "reply", ["word " * 45, "You are not alone, you are not alone, you are not alone.", "No no no no no no."]
)
def test_the_same_words_again_and_again_are_found(reply: str):
    assert problems(reply) == ["It says the same words again and again."]


@pytest.mark.parametrize(
    "reply",
    [
        REPLY,
        "No, no, no! That is awful.",
        "I am so, so sorry. That is so hard, and so unfair.",
        "You did what you could, and you did it when you were tired.",
        "Really, it is what it is, and it hurts.",
        "You are allowed to be sad, and you are allowed to be angry.",
    ],
)
def test_a_word_said_twice_for_warmth_is_no_fault(reply: str):
    assert problems(reply) == []


@pytest.mark.parametrize("reply", ["How did it go?", "how did it GO", "It was my third try."])
def test_an_earlier_turn_again_is_found(reply: str):
    assert problems(reply) == ["It repeats an earlier turn word for word."]


def test_an_exemplars_situation_is_not_to_be_repeated_either():
    exemplars = Exemplars(found=(EXEMPLAR,))
    assert problems("So, I dropped the ring at my own wedding.", exemplars) == ["It repeats an exemplar word for word."]
    short = Exemplars(found=(EXEMPLAR.model_copy(update={"situation": "Oh well."}),))
    assert problems("Oh, well!", short) == ["It repeats an exemplar word for word."]


@pytest.mark.parametrize(
    ("said", "reply"), [("我今天考试没通过。", "听起来很难受。"), ("🙂", "🎉"), ("42", "17?"), ("ёлка", "ель")]
)
def test_words_of_any_script_are_told_apart(said: str, reply: str):
    check = Respond().check(Reply(text=reply), view_of(dialogue=of_text(said)))
    assert check == ()
    letters = any(character.isalpha() for character in said)
    again = Respond().check(Reply(text=said), view_of(dialogue=of_text(said)))
    assert [finding.problem for finding in again] == ["It repeats an earlier turn word for word."] * letters


def test_several_faults_are_all_named():
    assert len(problems("As an AI I see. You are happy. Bye.", ASHAMED, ASKS)) == 4


# ── the words alone ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("  I see.\n\nReally. ", "I see. Really."),
        ("Listener: I see.", "I see."),
        ("LISTENER: I see.", "I see."),
        ("Ana: I see.", "I see."),
        ("Listener: Ana: I see.", "I see."),
        ('"I see."', "I see."),
        ("“I see.”", "I see."),
        ('"Oh," he said, "no."', '"Oh," he said, "no."'),
        ("Note: I see.", "Note: I see."),
    ],
)
def test_a_reply_is_freed_of_names_quotes_and_line_breaks(raw: str, words: str):
    assert bare(raw, DIALOGUE) == words


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("One. Two. Three.", "One. Two."),
        ("One. Two is cut", "One."),
        ("Only this is cut", "Only this is cut"),
        ("It was 3.5 points at 9 a.m. on Monday. Two.", "It was 3.5 points at 9 a.m. on Monday."),
        ("Oh… I see! And?", "Oh… I see!"),
        ("He said “no.” I see.", "He said “no.” I see."),
        ("...", ""),
        ("?!", ""),
        ("", ""),
        ("🙂", "🙂"),
    ],
)
def test_a_reply_ends_with_a_whole_sentence_within_the_limit(text: str, kept: str):
    assert within(text, sentences=2) == kept


@given(st.text("ab .!?…\"'5\n", max_size=60))
def test_sentences_lose_no_words(text: str):
    parts = sentences_of(text)
    assert [c for part in parts for c in part if c in "ab5"] == [c for c in text if c in "ab5"]
    assert all(part == part.strip() for part in parts)


# ── quotes ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_text_is_cut_at_punctuation_and_conjunctions():
    assert pieces(SAID) == ["I failed my driving test today", "and my father laughed at me"]


@given(
    st.lists(st.sampled_from(["I", "cried", "and", "because", "so,", "it.", "—", "“no”", "but", "?!"]), min_size=1, max_size=60)
)
def test_every_piece_with_words_was_really_said(words: list[str]):
    text = " ".join(words)
    assert pieces(text) and all(said(piece, text) for piece in pieces(text) if any(c.isalpha() for c in piece))
    assert all(len(piece.split()) <= 14 for piece in pieces(text))


def test_the_shape_of_quotation_marks_does_not_matter_and_nothing_is_no_quote():
    assert said("It's", "it’s") and not said("", "anything") and not said("  ", "anything")


async def test_a_small_models_reply_is_one_line():
    model = good("compact")
    await Respond().run(view_of(model=model))
    assert model.requests[0].stop == ("\n\n", "\n") and model.requests[0].max_tokens == 110
    large = good()
    await Respond().run(view_of(model=large))
    assert large.requests[0].stop == ()
