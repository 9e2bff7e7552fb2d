"""Reading the corpora: official splits, gold labels, the same cleaning as a live user's words."""

from pathlib import Path

import pytest

from heartfelt.errors import InputError, UnknownName
from heartfelt.labels import label_set
from heartfelt.tuning import corpora

from . import made_up


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return made_up.corpora(tmp_path)


def test_empathetic_dialogues_alternate_and_carry_the_emotion_on_the_speakers_turns(data: Path):
    talk = corpora.training("empathetic_dialogues", data)[0]
    assert [turn.speaker for turn in talk.dialogue.turns] == ["User", "Listener", "User"]
    assert [turn.emotion for turn in talk.dialogue.turns] == ["sad", None, "sad"]
    assert talk.dialogue.turns[0].text.startswith("My dog died last night, and I cried")
    assert talk.dialogue.split == "empathetic_dialogues/train"


def test_meld_keeps_names_order_and_gaps_and_mends_windows_bytes(data: Path):
    (talk,) = corpora.validation("meld", data)
    assert [turn.speaker for turn in talk.dialogue.turns] == ["Rosa", "Theo", "Theo"]
    assert talk.dialogue.turns[0].text == "We won! The walrus’s here."
    assert talk.dialogue.id == "meld/dev/dia60"


def test_goemotions_leaves_out_comments_with_two_emotions(data: Path):
    talks = corpora.training("goemotions", data)
    assert [talk.dialogue.last.emotion for talk in talks] == ["joy", "anger"]


def test_esconv_is_joined_again_and_keeps_its_strategies(data: Path):
    talk = corpora.training("esconv", data)[0]
    assert talk.dialogue.turns[0].text == "Hello, what brings you here?"
    assert talk.strategies == ("Others", "", "Reflection of feelings", "")
    assert talk.dialogue.turns[1].emotion == "sad"
    known = label_set("esconv").labels
    assert all(strategy in known for strategy in talk.strategies if strategy)


def test_esconv_valid_is_divided_without_overlap(data: Path):
    taught = {talk.dialogue.id for talk in corpora.training("esconv", data)}
    checked = {talk.dialogue.id for talk in corpora.validation("esconv", data)}
    assert taught and checked and not taught & checked and len(taught | checked) == 30


@pytest.mark.parametrize("corpus", corpora.CORPORA)
def test_only_the_scored_door_opens_a_test_split(data: Path, corpus: str):
    def words(talks: list[corpora.Talk]) -> str:
        return " ".join(turn.text for talk in talks for turn in talk.dialogue.turns)

    assert "ocelot" in words(corpora.scored_test(corpus, data))
    assert "ocelot" not in words(corpora.training(corpus, data)) + words(corpora.validation(corpus, data))
    for path in data.rglob("*test*"):
        path.unlink()
    assert corpora.training(corpus, data)
    with pytest.raises(InputError):
        corpora.scored_test(corpus, data)


def test_an_unknown_corpus_is_named(tmp_path: Path):
    with pytest.raises(UnknownName):
        corpora.training("friends", tmp_path)
