"""Reading the corpora: official splits, gold labels, the same cleaning as a live user's words."""

import json
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


# ── one's own dialogues ─────────────────────────────────────────────────────────────────────────────────────────────


def own(folder: Path, *dialogues: object, split: str = "train") -> Path:
    path = folder / "own" / f"{split}.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in dialogues), "utf-8")
    return folder


def turn(text: str, emotion: str | None = None, speaker: str = "Ana") -> dict[str, str]:
    return {"speaker": speaker, "text": text} | ({"emotion": emotion} if emotion else {})


REPLY = turn("I am so sorry.", speaker="Listener")


def test_own_dialogues_keep_the_last_reply_and_carry_the_emotion_on(tmp_path: Path):
    told = {"turns": [turn("My cat ran away."), turn("I miss her.", "sadness"), REPLY, turn("Thank you."), REPLY]}
    kept = {"turns": [turn("I won!", "proud"), REPLY]}
    (talk,) = [each for each in corpora.training("own", own(tmp_path, told, kept)) if len(each.dialogue.turns) == 5] or [None]
    talk = talk or corpora.validation("own", tmp_path)[0]
    assert [each.emotion for each in talk.dialogue.turns] == ["sad", "sad", None, "sad", None]
    assert talk.labels == "ed32" and talk.dialogue.split.startswith("own/")


def test_without_a_validation_file_a_tenth_is_held_out_by_the_ids(tmp_path: Path):
    many = [{"id": f"d{number}", "turns": [turn("I won!", "proud"), REPLY]} for number in range(200)]
    own(tmp_path, *many)
    taught, checked = ({talk.dialogue.id for talk in read("own", tmp_path)} for read in (corpora.training, corpora.validation))
    assert not taught & checked and len(taught | checked) == 200 and 8 <= len(checked) <= 35
    own(tmp_path, *many[:2])
    assert len(corpora.training("own", tmp_path)) == len(corpora.validation("own", tmp_path)) == 1
    own(tmp_path, *many[:3], split="valid")
    assert len(corpora.training("own", tmp_path)) == 2 and len(corpora.validation("own", tmp_path)) == 3


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "This is no JSON"),
        ({"turns": []}, "There are no turns."),
        ({"turns": [{"speaker": "Ana"}]}, "Turn 1 of the dialogue lacks 'text'."),
        ({"turns": [turn("Hm.", "blue-green"), REPLY]}, "There is no emotion 'blue-green'. Known: afraid, "),
        ({"turns": [turn("Hm.", "neutral"), REPLY]}, "A turn whose emotion is not known may leave it out."),
        ({"turns": [turn("Hm."), REPLY]}, "No turn of the person names an emotion"),
        ({"turns": [REPLY]}, "Nobody but the listener speaks"),
        ({"turns": [turn("Hm.", "sad")], "mood": "grim"}, "There is no field 'mood' in a dialogue."),
        ({"turns": [turn("Hm.", "sad") | {"pace": 1}]}, "pace: Extra inputs are not permitted."),
        ({"turns": [turn("Hm \x07.", "sad")]}, "control character"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_line_that_cannot_be_used_is_named(tmp_path: Path, line: object, message: str):
    fine = {"turns": [turn("I won!", "proud"), REPLY]}
    with pytest.raises(InputError) as error:
        corpora.training("own", own(tmp_path, fine, "", line))
    assert f"{tmp_path}/own/train.jsonl:3: " in str(error.value) and message in str(error.value)


def test_of_many_bad_lines_the_first_are_named_and_the_rest_counted(tmp_path: Path):
    with pytest.raises(InputError, match=r"jsonl:1: .*jsonl:3: .* 2 more lines are wrong\."):
        corpora.training("own", own(tmp_path, *["{"] * 5))


def test_a_folder_without_any_corpus_says_what_was_looked_for(tmp_path: Path, data: Path):
    assert corpora.present(data) == list(corpora.CORPORA)
    with pytest.raises(InputError, match=r"Looked for empathetic_dialogues/train\.csv, .*own/train\.jsonl, each also as \.gz"):
        corpora.present(tmp_path / "nothing")


def test_files_name_the_test_split_only_where_it_is_scored(data: Path):
    assert not [path for path in corpora.files(data) if "test" in path.name]
    assert len([path for path in corpora.files(data, scored=True) if "test" in path.name]) == len(corpora.CORPORA)
