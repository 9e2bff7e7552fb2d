"""EmpatheticDialogues, IEMOCAP, ESConv, AvaMERG and GoEmotions: the quirks of each."""

import gzip
import json
from pathlib import Path

import pytest
from tests.evaluation import made_up

from heartfelt.datasets import AnsweredTurn, DatasetNotes, Submitted, dataset, response_media, write_submission
from heartfelt.datasets.iemocap import half
from heartfelt.errors import InputError
from heartfelt.labels import label_set

# ── EmpatheticDialogues ─────────────────────────────────────────────────────────────────────────────────────────────

ED = dataset("empathetic_dialogues")


def test_odd_turns_speak_even_turns_listen_and_commas_come_back(tmp_path: Path):
    talk = next(iter(ED.read(made_up.empathetic(tmp_path), "train")))
    assert [turn.speaker for turn in talk.dialogue.turns] == ["User", "Listener", "User", "Listener"]
    assert [turn.emotion for turn in talk.dialogue.turns] == ["sad", None, "sad", None]
    assert talk.dialogue.turns[0].text.startswith("They pulled the lighthouse down this morning, and I cried.")
    assert talk.situation == "The old lighthouse was pulled down, and I grew up beside it"
    assert (talk.dialogue.id, talk.dialogue.split) == ("hit:0_zebra:0", "empathetic_dialogues/train")


def test_quotes_that_were_never_escaped_spoil_nothing(tmp_path: Path):
    rows = [made_up.ED_HEAD, 'a,1,sad,p,0,"Stay he said and left,5,', "a,2,sad,p,1,And you believed it?,5,"]
    made_up.write(tmp_path / "test.csv", "\n".join(rows))
    (talk,) = ED.read(tmp_path, "test")
    assert talk.dialogue.turns[0].text == '"Stay he said and left'


def test_a_truncated_archive_is_refused(tmp_path: Path):
    raw = gzip.compress("\n".join([made_up.ED_HEAD, *made_up.ed_rows("x", 200)]).encode())
    (tmp_path / "test.csv.gz").write_bytes(raw[: len(raw) // 2])
    with pytest.raises(InputError, match=r"cannot be read .* half-downloaded"):
        list(ED.read(tmp_path, "test"))


# ── IEMOCAP ─────────────────────────────────────────────────────────────────────────────────────────────────────────

IEMOCAP = dataset("iemocap")


def test_session_5_is_scored_and_session_2_remembered(tmp_path: Path):
    made_up.iemocap(tmp_path)
    ids = {split: [talk.dialogue.id for talk in IEMOCAP.read(tmp_path, split)] for split in IEMOCAP.splits}
    assert ids["test"] == ["iemocap/test/Ses05F_impro01"] and ids["memory"] == ["iemocap/memory/Ses02F_impro01"]
    assert len(ids["train"]) == 3


def test_turns_by_time_six_classes_and_latin_letters(tmp_path: Path):
    notes = DatasetNotes()
    (talk,) = IEMOCAP.read(made_up.iemocap(tmp_path), "test", notes)
    assert [turn.speaker for turn in talk.dialogue.turns] == ["Woman", "Woman", "Man", "Woman"]
    assert [turn.emotion for turn in talk.dialogue.turns] == ["neutral", None, "sad", "angry"]
    assert talk.dialogue.turns[0].text == "Is the café still open?"
    assert (notes.counts["unaddressed"], notes.counts["unlabelled"], notes.counts["clip"]) == (2, 1, 3)
    assert all(turn.emotion in (None, *label_set("iemocap").labels) for turn in talk.dialogue.turns)


def test_the_one_with_markers_is_on_the_left(tmp_path: Path):
    (talk,) = IEMOCAP.read(made_up.iemocap(tmp_path), "test")
    first = talk.clips[0]
    assert first and first.video and first.audio and (first.start, first.end) == (6.2901, 8.2357)
    assert [clip.half for clip in talk.clips if clip] == ["left", "left", "right", "left"]
    assert half("Ses03M_script01_1b_F004") == "right" and half("Ses03M_script01_1b_M004") == "left"


def test_a_dialogue_without_its_evaluation_is_told(tmp_path: Path):
    root = made_up.iemocap(tmp_path) / "IEMOCAP_full_release"
    (root / "Session5/dialog/EmoEvaluation/Ses05F_impro01.txt").unlink()
    notes = DatasetNotes()
    (talk,) = IEMOCAP.read(root, "test", notes)
    assert not any(turn.emotion for turn in talk.dialogue.turns) and not notes.is_whole


# ── ESConv ──────────────────────────────────────────────────────────────────────────────────────────────────────────

ESCONV = dataset("esconv")


def test_lines_are_joined_again_and_merged_strategies_are_known(tmp_path: Path):
    notes = DatasetNotes()
    talk = next(iter(ESCONV.read(made_up.esconv(tmp_path), "test", notes)))
    assert talk.dialogue.turns[2].text == "I'm sorry. Losing the ocelot farm must hurt."
    assert talk.strategies == ("Question", "", "Reflection of feelings", "", "Providing Suggestions")
    assert talk.merged == {"Providing Suggestions": ("Providing Suggestions", "Information")}
    assert [turn.emotion for turn in talk.dialogue.turns] == [None, "sad", None, "sad", None]
    assert notes.is_whole and talk.dialogue.id == "esconv/test/0"


def test_the_original_layout_gives_the_same_kind_of_dialogue(tmp_path: Path):
    talks = list(ESCONV.read(made_up.esconv_original(tmp_path), "all"))
    assert len(talks) == 3 and talks[2].dialogue.id == "esconv/all/2"
    assert [turn.speaker for turn in talks[0].dialogue.turns] == ["Listener", "User", "Listener", "User", "Listener"]
    assert talks[0].dialogue.turns[1].text == "I lost my job at the ocelot farm. And my boots."
    assert talks[0].strategies[-1] == "Information" and not talks[0].merged


def test_bad_lines_and_unknown_people_are_told(tmp_path: Path):
    odd = {"emotion_type": "pain", "dialog": [{"speaker": "usr", "text": "It hurts ."}]}
    nobody = {"emotion_type": "anger", "dialog": [{"speaker": "cat", "text": "Meow"}]}
    text = made_up.esconv_lines("x", 1) + "{\n7\n" + json.dumps(odd) + "\n" + json.dumps(nobody)
    made_up.write(tmp_path / "test.jsonl", text)
    notes = DatasetNotes()
    talks = list(ESCONV.read(tmp_path, "test", notes))
    assert [talk.dialogue.id for talk in talks] == ["esconv/test/0", "esconv/test/3"]
    assert (notes.counts["row"], notes.counts["label"]) == (3, 1)


# ── AvaMERG ─────────────────────────────────────────────────────────────────────────────────────────────────────────

AVAMERG = dataset("avamerg")


def test_histories_are_put_together_with_profiles_chains_and_media(tmp_path: Path):
    talk = list(AVAMERG.read(made_up.avamerg(tmp_path), "train"))[1]
    assert talk.dialogue.id == "avamerg/train/dia00001"
    assert [turn.speaker for turn in talk.dialogue.turns] == ["User", "Listener", "User", "Listener"]
    assert [turn.emotion for turn in talk.dialogue.turns] == ["sad", None, "disappointed", None]
    assert talk.speaker and talk.listener and (talk.speaker.number, talk.listener.number) == (10, 20)
    assert talk.chains[2].goal == "comfort"
    first, second = talk.clips[:2]
    assert first and first.video and first.audio and first.video.name == "dia00001utt0_10.mp4"
    assert second and second.audio and not second.video


def test_the_challenges_test_file_has_no_responses(tmp_path: Path):
    talk = next(iter(AVAMERG.read(made_up.avamerg(tmp_path), "test")))
    assert [turn.speaker for turn in talk.dialogue.turns] == ["User", "Listener", "User"]


def test_wrong_profiles_double_ids_and_contradictions_are_told(tmp_path: Path):
    wrong, retold = made_up.avamerg_item(1), made_up.avamerg_item(2)
    wrong["speaker_profile"]["ID"] = 3
    retold["turns"][1]["dialogue_history"][0]["utterance"] = "My hat flew off."
    broken = {"conversation_id": "x", "turns": []}
    notes = DatasetNotes()
    made_up.avamerg(tmp_path, [wrong, retold, made_up.avamerg_item(1), broken])
    talks = list(AVAMERG.read(tmp_path, "train", notes))
    assert len(talks) == 2 and talks[0].speaker is None
    assert [notes.counts[kind] for kind in ("profile", "history", "duplicate", "row")] == [1, 1, 1, 1]


def test_a_list_that_ends_too_soon_is_refused_after_what_is_whole(tmp_path: Path):
    path = made_up.avamerg(tmp_path) / "train.json"
    path.write_text(path.read_text()[:-400])
    talks = AVAMERG.read(tmp_path, "train")
    assert next(talks).dialogue.id == "avamerg/train/dia00000"
    with pytest.raises(InputError, match="ends in the middle of item 2"):
        list(talks)


def test_the_submission_is_the_challenges_own(tmp_path: Path):
    answer = Submitted(conversation_id="00007", emotion="sad", turns=(AnsweredTurn(turn_id="7_0", response="Oh dear."),))
    assert write_submission(tmp_path / "answers.json", [answer]) == 1
    assert json.loads((tmp_path / "answers.json").read_text()) == [
        {"conversation_id": "00007", "emotion": "sad", "turns": [{"turn_id": "7_0", "response": "Oh dear."}]}
    ]
    assert response_media(tmp_path, "00001", 1, "wav").name == "dia00001utt1.wav"
    for wrong in ([answer, answer], []):
        with pytest.raises(InputError):
            write_submission(tmp_path / "other.json", wrong)
    assert [path.name for path in tmp_path.iterdir()] == ["answers.json"]


# ── GoEmotions ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_comments_with_two_emotions_are_left_out(tmp_path: Path):
    made_up.write(tmp_path / "labels.txt", "anger\njoy\n")
    made_up.write(tmp_path / "ekman_test.tsv", "What a lovely newt!\t1\tx1\nMixed.\t0,1\tx2\nOdd.\t9\tx3\n")
    notes = DatasetNotes()
    (talk,) = dataset("goemotions").read(tmp_path, "test", notes)
    assert talk.dialogue.last.emotion == "joy" and dict(notes.counts) == {"unlabelled": 1, "label": 1}
