import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.errors import UnknownName
from heartfelt.labels import LABEL_SETS, LabelSet, fold, label_set
from heartfelt.labels.lexicon import phrase
from heartfelt.labels.tables import table

EMOTION_SETS = ("ed32", "coarse", "ekman", "meld", "iemocap", "mead")


@pytest.mark.parametrize(
    ("text", "name", "label", "how"),
    [
        ("sad", "ed32", "sad", "exact"),
        ("  **SAD**!! ", "ed32", "sad", "exact"),
        ("Sadness.", "ed32", "sad", "inflected"),
        ("sadness", "meld", "sadness", "exact"),
        ("sad", "meld", "sadness", "inflected"),
        ("hap", "iemocap", "happy", "exact"),
        ("hap", "ed32", None, "unknown"),
        ("frustrated", "iemocap", "frustrated", "exact"),
        ("frustrated", "ed32", "annoyed", "synonym"),
        ("frustration", "meld", "anger", "synonym"),
        ("overwhelmed", "ed32", "anxious", "synonym"),
        ("I think they are pretty bummed out", "ed32", "sad", "synonym"),
        ("disappointment", "ed32", "disappointed", "inflected"),
        ("terrifying", "ed32", "terrified", "inflected"),
        ("gloominess", "ed32", "sad", "synonym"),
        ("grief-stricken", "ed32", "devastated", "synonym"),
        ("I’m not okay", "ed32", "sad", "synonym"),
        ("thrilled", "iemocap", "excited", "synonym"),
        ("contempt", "mead", "contempt", "exact"),
        ("scornful", "mead", "contempt", "synonym"),
        ("no emotion", "meld", "neutral", "synonym"),
        ("Self Disclosure", "esconv", "Self-disclosure", "exact"),
        ("give advice", "esconv", "Providing Suggestions", "synonym"),
        ("Interpretation (IP)", "er_ip_ex", "IP", "exact"),
        ("Loss and Failure", "trace_causes", "Loss & Failure", "exact"),
        ('{"confidence": 0.8, "emotion": "fear"}', "ed32", "afraid", "inflected"),
        ("Sentiment: sad", "ed32", "sad", "exact"),
        ("asdf", "ed32", None, "unknown"),
        ("", "meld", None, "unknown"),
    ],
)
def test_words_of_all_kinds(text: str, name: str, label: str | None, how: str):
    folded = fold(text, name)
    assert (folded.label, folded.how, folded.original) == (label, how, text)


def test_several_feelings_keep_their_order():
    folded = fold("mixed: sad/angry", "ed32")
    assert (folded.label, folded.others) == ("sad", ("angry",))


@pytest.mark.parametrize(
    ("text", "label", "denied"),
    [
        ("not angry", None, ("angry",)),
        ("not really all that angry", None, ("angry",)),
        ("not angry, but sad", "sad", ("angry",)),
        ("sad rather than angry", "sad", ("angry",)),
        ("neither sad nor angry", None, ("sad", "angry")),
        ("they aren't afraid", None, ("afraid",)),
        ("not only sad but also angry", "sad", ()),
        ("can't wait", "anticipating", ()),
    ],
)
def test_what_is_denied_is_left_out(text: str, label: str | None, denied: tuple[str, ...]):
    folded = fold(text, "ed32")
    assert (folded.label, folded.denied) == (label, denied)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("down", "sad"),
        ("I'm feeling kind of down.", "sad"),
        ("write it down", None),
        ("kind", "caring"),
        ("not good", None),
        ("emotional", "sentimental"),
    ],
)
def test_words_of_many_senses_count_only_as_the_whole_answer(text: str, label: str | None):
    assert fold(text, "ed32").label == label


@pytest.mark.parametrize("text", ["Happy to help!", "the content of the message", "I'm afraid I cannot say"])
def test_turns_of_phrase_are_no_feelings(text: str):
    assert fold(text, "ed32").label is None


def test_the_path_names_the_map():
    assert fold("ashamed", "ekman").path == ("ed32:ashamed", "trace_fixed:sad", "ekman:sad")
    assert fold("ashamed", "meld", via="empathyear").path == ("ed32:ashamed", "empathyear:neutral", "meld:neutral")
    assert fold("elated", "ed32").path == ("ed32:joyful",)
    with pytest.raises(UnknownName, match="label map"):
        fold("ashamed", "ekman", via="nobody's")


@pytest.mark.parametrize(("text", "name"), [("bored", "meld"), ("neutral", "ed32"), ("terrified", "iemocap")])
def test_a_feeling_without_a_place_is_said_to_be_one(text: str, name: str):
    folded = fold(text, name)
    assert (folded.label, folded.how, folded.matched) == (None, "unplaced", text)


def test_a_set_of_ones_own_folds_its_own_labels():
    own = LabelSet(name="own", labels=("Warm", "Cool"), citation="this test")
    assert fold("warm!", own).label == "Warm"
    assert fold("sad", own).how == "unknown"


@pytest.mark.parametrize("name", LABEL_SETS)
def test_every_label_and_alias_folds_to_itself(name: str):
    each = label_set(name)
    for spelling, label in (*each.aliases, *((label, label) for label in each.labels)):
        assert fold(spelling.upper(), each).label == label
        assert fold(spelling, each).how == "exact"


@pytest.mark.parametrize("name", EMOTION_SETS)
def test_every_listed_word_is_recognised_in_every_emotion_set(name: str):
    for words in table("words")["synonyms"]["ed32"].values():
        for word in words:
            folded = fold(word, name)
            assert folded.how != "unknown", word
            assert folded.matched == phrase(word), word


def test_the_table_is_rich_and_says_each_thing_once():
    for section in ("inflected", "synonyms", "alone"):
        for owner, by_label in table("words")[section].items():
            assert set(by_label) <= set(label_set(owner).labels), (section, owner)
            words = [phrase(word) for listed in by_label.values() for word in listed]
            assert len(words) == len(set(words)), sorted({word for word in words if words.count(word) > 1})
    synonyms = [word for listed in table("words")["synonyms"]["ed32"].values() for word in listed]
    assert len(synonyms) >= 250
    assert not set(synonyms) & set(label_set("ed32").labels)
    assert set(table("words")["synonyms"]["ed32"]) == set(label_set("ed32").labels)


@given(st.text(max_size=60), st.sampled_from(sorted(LABEL_SETS)))
def test_any_text_folds_to_a_label_of_the_set_or_to_none(text: str, name: str):
    folded = fold(text, name)
    assert folded == fold(text, name)
    assert folded.label is None or folded.label in label_set(name).labels
    assert (folded.label is None) == (folded.how in ("unplaced", "unknown"))


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["L"]), max_size=30))
def test_what_holds_no_word_is_never_neutral(text: str):
    if not re.search("[a-z]", phrase(text)):
        assert fold(text, "meld").label is None
