"""Small made-up files in each format, with the quirks of the published ones."""

import gzip
import json
from pathlib import Path

import pytest

from heartfelt.errors import InputError
from heartfelt.memory.sources import SourceReading, read, read_all

EMPATHETIC = """\
conv_id,utterance_idx,context,prompt,speaker_idx,utterance,selfeval,tags
hit:1_conv:2,1,proud,My son won_comma_ at last,4,He won a medal_comma_ his first!,5|5|5,
hit:1_conv:2,2,proud,My son won_comma_ at last,9,Which sport is it?,5|5|5,
hit:1_conv:2,3,proud,My son won_comma_ at last,4,Judo.,5|5|5,
hit:1_conv:2,4,proud,My son won_comma_ at last,9,You must be beaming.,5|5|5,
"""
MELD = """\
Sr No.,Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,Season,Episode,StartTime,EndTime
1,"Who ate my cake, then?",Ann,anger,negative,0,0,1,1,"00:00:01,000","00:00:02,000"
2,It was the dog.,Ben,neutral,neutral,0,1,1,1,"00:00:03,000","00:00:04,000"
3,We have no dog!,Ben,surprise,negative,0,2,1,1,"00:00:05,000","00:00:06,000"
4,Now we do.,Cleo,joy,positive,0,5,1,1,0:00:07,0:00:08
5,Welcome home.,Ann,joy,positive,1,0,1,1,0:00:07,0:00:08
"""
OWN = {
    "id": "d1",
    "split": "mine/train",
    "emotion": "sad",
    "turns": [
        {"speaker": "Mia", "text": "The bakery closed."},
        {"speaker": "Mia", "text": "My first job was there.", "emotion": "nostalgic"},
        {"speaker": "Listener", "text": "What did it smell like?"},
        {"speaker": "Mia", "text": "Cinnamon."},
        {"speaker": "Listener", "text": "Every morning?"},
    ],
}


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def pairs(reading: SourceReading) -> list[tuple[str, str, str]]:
    return [(item.situation, item.reply, item.emotion) for item in reading.exemplars]


# ── EmpatheticDialogues ─────────────────────────────────────────────────────────────────────────────────────────────


def test_even_turns_answer_all_that_was_said_so_far(tmp_path: Path):
    reading = read(write(tmp_path / "train.csv", EMPATHETIC))
    assert pairs(reading) == [
        ("He won a medal, his first!", "Which sport is it?", "proud"),
        ("He won a medal, his first! Judo.", "You must be beaming.", "proud"),
    ]
    assert {(item.dialogue, item.split) for item in reading.exemplars} == {("hit:1_conv:2", "empathetic_dialogues/train")}


def test_the_gold_situation_is_used_only_by_name(tmp_path: Path):
    reading = read(write(tmp_path / "train.csv", EMPATHETIC), situations="gold")
    assert {item.situation for item in reading.exemplars} == {"My son won, at last"}


def test_compressed_files_are_read(tmp_path: Path):
    path = tmp_path / "valid.csv.gz"
    path.write_bytes(gzip.compress(EMPATHETIC.encode()))
    reading = read(path)
    assert len(reading.exemplars) == 2
    assert reading.split == "empathetic_dialogues/valid"


def test_quotes_that_were_never_escaped_spoil_nothing(tmp_path: Path):
    row = 'hit:3_conv:4,{},sad,p,0,"{},5,\n'
    text = EMPATHETIC + row.format(1, "Stay he said and left") + row.format(2, "And you believed it?")
    reading = read(write(tmp_path / "train.csv", text))
    assert pairs(reading)[-1] == ('"Stay he said and left', '"And you believed it?', "sad")
    assert not reading.problems


def test_bad_rows_are_named_and_the_rest_is_read(tmp_path: Path):
    bad = "hit:5_conv:6,1,sad\nhit:5_conv:6,first,sad,p,0,Hello,,\nhit:5_conv:6,2,sad,p,0,,,\n"
    reading = read(write(tmp_path / "train.csv", EMPATHETIC + bad))
    assert len(reading.exemplars) == 2
    assert reading.problems == [
        "train.csv:6: 3 columns instead of 8",
        "train.csv:7: the column utterance_idx is not a number: 'first'",
        "train.csv:8: the column utterance is empty",
    ]


# ── MELD ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_utterance_is_answered_by_the_next_one_of_somebody_else(tmp_path: Path):
    reading = read(write(tmp_path / "dev_sent_emo.csv", MELD.replace("\n", "\r\n")))
    assert pairs(reading) == [("Who ate my cake, then?", "It was the dog.", "anger")]  # then Ben goes on; then a gap
    assert reading.exemplars[0].dialogue == "meld/dev/dia0"
    assert reading.dialogues == 2


def test_the_encoding_of_windows_is_read_too(tmp_path: Path):
    reading = read(write(tmp_path / "test_sent_emo.csv", MELD.replace("It was", "It’s"), "cp1252"))
    assert reading.exemplars[0].reply == "It’s the dog."


def test_a_byte_order_mark_is_no_part_of_the_header(tmp_path: Path):
    assert read(write(tmp_path / "dev.csv", MELD, "utf-8-sig")).corpus == "meld"


@pytest.mark.parametrize(
    ("name", "split"),
    [("train_sent_emo.csv", "meld/train"), ("MELD-Dev.csv", "meld/dev"), ("latest.csv", ""), ("export.csv", "")],
)
def test_the_name_of_a_file_tells_its_split(tmp_path: Path, name: str, split: str):
    assert read(write(tmp_path / name, MELD)).split == split


# ── Heartfelt's own ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "shape"), [("a.jsonl", "{}\n\n{}\n"), ("a.json", "[{}, {}]")])
def test_own_dialogues_as_lines_or_as_a_list(tmp_path: Path, name: str, shape: str):
    second = {"turns": [{"speaker": "A", "text": "Hi."}, {"speaker": "B", "text": "Hello!"}]}
    text = shape.replace("{}", json.dumps(OWN), 1).replace("{}", json.dumps(second), 1)
    reading = read(write(tmp_path / name, text), split="given")
    assert pairs(reading) == [
        ("The bakery closed. My first job was there.", "What did it smell like?", "nostalgic"),
        ("The bakery closed. My first job was there. Cinnamon.", "Every morning?", "sad"),
        ("Hi.", "Hello!", ""),
    ]
    assert [item.split for item in reading.exemplars] == ["mine/train", "mine/train", "given"]


def test_the_listener_may_have_a_name(tmp_path: Path):
    turns = [{"speaker": who, "text": f"{who} speaks"} for who in ("Ann", "Ben", "Sol")]
    reading = read(write(tmp_path / "a.json", json.dumps({"turns": turns, "listener": "Sol"})))
    assert [(item.situation, item.reply) for item in reading.exemplars] == [("Ann speaks Ben speaks", "Sol speaks")]


def test_exchanges_are_taken_as_they_are(tmp_path: Path):
    line = {"situation": "It snowed!", "reply": "Did it stay?", "emotion": "joyful", "source": "me"}
    assert pairs(read(write(tmp_path / "a.jsonl", json.dumps(line)))) == [("It snowed!", "Did it stay?", "joyful")]


def test_odd_separators_inside_a_text_do_not_cut_a_line(tmp_path: Path):
    line = {"situation": "one\u2028two\x85three", "reply": "b", "emotion": "c"}
    reading = read(write(tmp_path / "a.jsonl", json.dumps(line, ensure_ascii=False)))
    assert reading.exemplars[0].situation == "one\u2028two\x85three"


@pytest.mark.parametrize("bad", ["{", "7", '"text"', "null", "{}", '{"turns": 3}', '{"turns": [{"speaker": "A"}]}'])
def test_a_bad_line_is_counted(tmp_path: Path, bad: str):
    reading = read(write(tmp_path / "a.jsonl", f"{bad}\n{json.dumps(OWN)}\n"))
    assert reading.dialogues == 1
    assert len(reading.problems) == 1
    assert reading.problems[0].startswith("a.jsonl:1: not ")


# ── what is refused ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.csv", "x,y\n1,2\n"), ("a.csv", ""), ("a.jsonl", ""), ("a.json", '{"name": 1}'), ("a.txt", "hello"), ("a", "")],
)
def test_a_wrong_file_is_told_what_is_known(tmp_path: Path, name: str, text: str):
    with pytest.raises(InputError, match="EmpatheticDialogues"):
        read(write(tmp_path / name, text))


def test_what_is_not_json_is_named(tmp_path: Path):
    with pytest.raises(InputError, match="is not JSON"):
        read(write(tmp_path / "a.json", "{"))


def test_a_damaged_archive_is_named(tmp_path: Path):
    (tmp_path / "train.csv.gz").write_bytes(gzip.compress(EMPATHETIC.encode())[:-20])
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "train.csv.gz")


def test_a_folder_may_hold_other_files(tmp_path: Path):
    write(tmp_path / "train.csv", EMPATHETIC)
    write(tmp_path / "package.json", '{"name": "x"}')
    write(tmp_path / "notes.md", "# notes")
    readings = read_all(tmp_path)
    assert sum(reading.dialogues for reading in readings) == 1
    (problem,) = [problem for reading in readings for problem in reading.problems]
    assert problem.startswith("package.json: left out.")


@pytest.mark.parametrize("name", ["empty", "missing"])
def test_a_folder_without_dialogues_is_refused(tmp_path: Path, name: str):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"file of dialogues|formats are known"):
        read_all(tmp_path / name)
