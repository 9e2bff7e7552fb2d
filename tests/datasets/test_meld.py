"""MELD: gaps, times, encodings, clips."""

from pathlib import Path

import pytest
from tests.evaluation import made_up

from heartfelt.datasets import DatasetNotes, dataset
from heartfelt.datasets.meld import clip_path, seconds
from heartfelt.errors import InputError, UnknownName

MELD = dataset("meld")


def test_dialogues_keep_order_names_labels_and_stable_ids(tmp_path: Path):
    talks = list(MELD.read(made_up.meld(tmp_path), "test"))
    assert [talk.dialogue.id for talk in talks] == ["meld/test/dia0", "meld/test/dia2", "meld/test/dia3"]
    assert talks[0].dialogue.split == "meld/test"
    assert [turn.speaker for turn in talks[0].dialogue.turns] == ["Rosa", "Theo", "Theo", "Rosa", "Theo"]
    assert talks[1].dialogue.turns[1].emotion == "surprise"


def test_ids_have_gaps_and_what_follows_one_answers_nobody(tmp_path: Path):
    notes = DatasetNotes()
    talk = next(iter(MELD.read(made_up.meld(tmp_path), "dev", notes)))
    assert talk.numbers == (0, 1, 2, 5, 6)
    assert [talk.follows(place) for place in range(5)] == [False, True, True, False, True]
    assert notes.first["gap"] == ["dev_sent_emo.csv, dia0: lacks 3, 4"]


def test_valid_and_dev_are_the_same_split(tmp_path: Path):
    made_up.meld(tmp_path)
    assert {talk.dialogue.split for talk in MELD.read(tmp_path, "valid")} == {"meld/dev"}
    with pytest.raises(UnknownName):
        list(MELD.read(tmp_path, "session5"))


@pytest.mark.parametrize(
    ("told", "meant"),
    [("00:16:16,059", 976.059), ("0:16:16,059", 976.059), ("0:00:01,05", 1.05), ("1:00:00", 3600.0), ("soon", None)],
)
def test_times_come_in_several_widths(told: str, meant: float | None):
    assert seconds(told) == (None if meant is None else pytest.approx(meant))


def test_each_line_may_be_utf8_or_windows(tmp_path: Path):
    head, *rows = "\r\n".join([made_up.MELD_HEAD, *made_up.meld_rows("walrus’s pup")]).split("\r\n")
    raw = [head.encode(), rows[0].encode("cp1252"), *(row.encode() for row in rows[1:])]
    (tmp_path / "dev_sent_emo.csv").write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(raw))
    notes = DatasetNotes()
    talks = list(MELD.read(tmp_path, "dev", notes))
    assert "walrus’s" in talks[0].dialogue.turns[0].text and "walrus’s" in talks[1].dialogue.turns[0].text
    assert notes.counts["encoding"] == 1 and notes.is_whole


def test_control_characters_of_windows_are_mended(tmp_path: Path):
    rows = [made_up.MELD_HEAD, made_up.meld_row(0, 0, "Rosa", "It\u0092s fine.", "neutral")]
    made_up.write(tmp_path / "test_sent_emo.csv", "\n".join(rows))
    (talk,) = MELD.read(tmp_path, "test")
    assert talk.dialogue.last.text == "It’s fine."


def test_rows_that_are_mixed_are_gathered(tmp_path: Path):
    rows = made_up.meld_rows("ocelot")
    made_up.write(tmp_path / "test_sent_emo.csv", "\n".join([made_up.MELD_HEAD, *rows[::2], *rows[1::2]]))
    notes = DatasetNotes()
    talks = {talk.dialogue.id: talk for talk in MELD.read(tmp_path, "test", notes)}
    assert talks["meld/test/dia0"].numbers == (0, 1, 2, 5, 6)
    assert notes.counts["scattered"] and notes.is_whole


def test_a_turn_that_comes_twice_and_an_unknown_label_are_told(tmp_path: Path):
    rows = [made_up.MELD_HEAD, *made_up.meld_rows("ocelot")]
    rows += [made_up.meld_row(3, 0, "Theo", "Again.", "joy"), made_up.meld_row(3, 1, "Rosa", "Who?", "puzzled"), "9,cut"]
    made_up.write(tmp_path / "test_sent_emo.csv", "\n".join(rows))
    notes = DatasetNotes()
    talk = list(MELD.read(tmp_path, "test", notes))[-1]
    assert [turn.text for turn in talk.dialogue.turns] == ["Nobody is in.", "Who?"]
    assert talk.dialogue.last.emotion is None
    assert dict(notes.counts) == {"gap": 1, "row": 1, "duplicate": 1, "label": 1}
    assert not notes.is_whole


def test_corrected_clips_are_preferred_and_bad_ones_avoided(tmp_path: Path):
    clips = made_up.meld(tmp_path) / "MELD.Raw" / "output_repeated_splits_test"
    for name in ("dia0_utt0.mp4", "dia0_utt1.mp4", "final_videos_testdia0_utt1.mp4", "dia2_utt0.mp4"):
        made_up.write(clips / name, "" if name == "dia2_utt0.mp4" else "film")
    notes = DatasetNotes()
    talks = list(MELD.read(tmp_path, "test", notes))
    named = [clip.video.name if clip and clip.video else None for talk in talks for clip in talk.clips]
    assert named[:3] == ["dia0_utt0.mp4", "final_videos_testdia0_utt1.mp4", None]
    assert named[5] is None, "a clip without a byte is none"
    assert (notes.counts["clip"], notes.counts["corrected clip"]) == (6, 1)
    made_up.write(clips / "dia125_utt3.mp4", "film")
    assert clip_path(clips, "train", 125, 3) is None
    assert clip_path(clips, "test", 125, 3) is not None


def test_the_length_of_a_turn_is_known_without_clips(tmp_path: Path):
    talk = next(iter(MELD.read(made_up.meld(tmp_path), "test")))
    assert talk.clips[0] and talk.clips[0].seconds == 2.5 and talk.clips[0].video is None


def test_the_dyadic_selection_is_not_taken_for_the_corpus(tmp_path: Path):
    made_up.write(tmp_path / "test_sent_emo_dya.csv", "\n".join([made_up.MELD_HEAD, *made_up.meld_rows("x")]))
    with pytest.raises(InputError, match=r"no test split of MELD .* splits that are: none at all"):
        list(MELD.read(tmp_path, "test"))
