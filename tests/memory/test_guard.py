"""Each leak is planted, and must be found."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.memory import ExemplarStore, Guard
from heartfelt.records import Dialogue, Exemplar, Turn
from heartfelt.text import normalised

SAID = "I dropped the wedding cake down the stairs of the town hall"


def dialogue(identity: str = "dia93", split: str = "meld/test") -> Dialogue:
    return Dialogue(id=identity, split=split, turns=(Turn(speaker="Ann", text=SAID),))


@pytest.mark.parametrize(
    "leak",
    [
        pytest.param({"dialogue": "dia93"}, id="the same dialogue"),
        pytest.param({"dialogue": "meld/test/dia93"}, id="the same dialogue, its split written before it"),
        pytest.param({"split": "meld/test"}, id="the scored split"),
        pytest.param({"situation": SAID}, id="the same words under another id"),
        pytest.param({"situation": f"  “{SAID.upper()}!”  "}, id="the same words in another dress"),
        pytest.param({"situation": f"{SAID}. It took three days to bake."}, id="the same words and more"),
    ],
)
def test_a_planted_leak_is_never_served(store: ExemplarStore, leak: dict[str, str]):
    planted = Exemplar.model_validate(
        {"situation": "The wedding cake fell down the stairs", "reply": "Oh no!", "emotion": "sad"} | leak
    )
    honest = Exemplar(situation="My cake fell down", reply="Was it for today?", emotion="sad", split="meld/dev")
    store.add([planted, honest])
    found = store.search(SAID, emotion="sad", k=5, threshold=0.0, guard=Guard.of(dialogue()))
    assert [item.reply for item in found] == [honest.reply]


def test_without_a_guard_the_query_itself_is_still_refused(store: ExemplarStore):
    store.add([Exemplar(situation="I'm so happy today", reply="Why?", emotion="joyful")])
    assert store.search("i’m so happy today!!", emotion=None, k=1, threshold=0.0) == ()


def test_short_phrases_may_recur_inside_longer_ones():
    row = Exemplar(situation="I am so happy, we got the keys to the boat", reply="The keys!", emotion="joyful")
    assert Guard().allows(row, "I am so happy")


def test_a_corpus_stands_for_all_of_its_splits():
    guard = Guard(scored=frozenset({"meld", "iemocap/5"}))
    assert guard.is_scored("meld/dev")
    assert guard.is_scored("iemocap/5")
    assert not guard.is_scored("iemocap/52")
    assert not guard.is_scored("")


def test_a_dialogue_is_scored_on_its_own_split_unless_told():
    assert Guard.of(dialogue()).scored == {"meld/test"}
    assert Guard.of(dialogue(split="")).scored == frozenset()
    assert Guard.of(dialogue(), scored=frozenset({"esconv/test"})).scored == {"esconv/test"}


def test_unknown_ids_are_not_the_same_dialogue():
    assert Guard().allows(Exemplar(situation="a", reply="b", emotion="c"), "d")


@given(st.text(max_size=80))
def test_normalising_twice_changes_nothing(text: str):
    assert normalised(normalised(text)) == normalised(text)


@given(st.text(min_size=1, max_size=80).filter(normalised), st.sampled_from(["{}", " {}!! ", "“{}”", "...{}\n"]))
def test_punctuation_hides_no_copy(text: str, dress: str):
    row = Exemplar(situation=dress.format(text), reply="b", emotion="c")
    assert not Guard(words=(text,)).allows(row)
