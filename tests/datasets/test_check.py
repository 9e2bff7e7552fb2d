"""`data check`: which corpus, how much of it, what is wrong, what is done about it."""

import gzip
import json
from pathlib import Path

import pytest
from tests.evaluation import made_up
from typer.testing import CliRunner

from heartfelt.cli.data import app
from heartfelt.datasets import DATASETS, recognised
from heartfelt.datasets.check import Checked, check
from heartfelt.errors import InputError

MAKERS = {
    "meld": made_up.meld,
    "iemocap": made_up.iemocap,
    "empathetic_dialogues": made_up.empathetic,
    "avamerg": made_up.avamerg,
    "esconv": made_up.esconv,
}


def words(found: Checked) -> str:
    remarks = [*found.remarks, *(remark for split in found.splits for remark in split.remarks)]
    return " | ".join(f"{remark.grade}: {remark.text}" for remark in remarks)


@pytest.mark.parametrize("name", MAKERS)
def test_each_corpus_is_told_by_its_content(tmp_path: Path, name: str):
    MAKERS[name](tmp_path / "somewhere" / "below")
    assert [known.name for known, _ in recognised(tmp_path)] == [name]


def test_several_corpora_in_one_folder(tmp_path: Path):
    for name, make in MAKERS.items():
        make(tmp_path / name)
    assert {known.name for known, _ in recognised(tmp_path)} == set(MAKERS)


def test_counts_against_the_published_ones(tmp_path: Path):
    (found,) = check(made_up.meld(tmp_path))
    assert [(split.name, split.dialogues, split.published_dialogues) for split in found.splits] == [
        ("train", 3, 1038),
        ("dev", 3, 114),
        ("test", 3, 280),
    ]
    assert not found.is_whole and "broken: 3 dialogues, 277 fewer than the 280 published" in words(found)


def test_a_missing_split_counts_only_where_it_is_wanted(tmp_path: Path):
    made_up.esconv(tmp_path)
    (tmp_path / "train.jsonl").unlink()
    assert "broken: the train split is missing" in words(check(tmp_path)[0])
    assert "is missing" not in words(check(tmp_path, splits=("test",))[0])
    assert [split.name for split in check(tmp_path, splits=("test",))[0].splits] == ["test"]


def test_truncated_archives_and_leftovers_are_told(tmp_path: Path):
    raw = gzip.compress("\n".join([made_up.ED_HEAD, *made_up.ed_rows("x", 300)]).encode())
    made_up.empathetic(tmp_path)
    (tmp_path / "train.csv.gz").write_bytes(raw[: len(raw) // 2])
    made_up.write(tmp_path / "more.csv.part", "x")
    made_up.write(tmp_path / "page.csv", "<!DOCTYPE html><html>")
    made_up.write(tmp_path / "empty.csv", "")
    made_up.write(tmp_path / "all.zip", "x")
    told = words(check(tmp_path)[0])
    assert "cannot be read" in told and "more.csv.part is an unfinished download" in told
    assert "page.csv is a web page" in told and "empty.csv is empty" in told and "odd: all.zip is packed" in told


def test_dialogues_in_two_splits_are_reported(tmp_path: Path):
    made_up.empathetic(tmp_path)
    copied = [row.replace("_ocelot", "_again").replace("lighthouse", "Lighthouse —") for row in made_up.ed_rows("ocelot", 1)]
    near = [row.replace("_ocelot", "_near") for row in made_up.ed_rows("ocelot", 2)[4:]]
    near[0] = near[0].replace("a whole boat", "a raft")
    made_up.write(tmp_path / "valid.csv", "\n".join([made_up.ED_HEAD, *copied, *near, *made_up.ed_rows("walrus")]))
    (found,) = check(tmp_path)
    (overlap,) = found.overlaps
    assert overlap.splits == ("valid", "test") and (overlap.same, overlap.near) == (1, 1)
    assert ("hit:0_again:0", "hit:0_ocelot:0") in overlap.examples
    assert "1 dialogues of test stand in valid word for word, 1 more nearly so" in words(found)


def test_nothing_known_names_what_was_looked_for(tmp_path: Path):
    made_up.write(tmp_path / "train.csv", "version https://git-lfs.github.com/spec/v1")
    with pytest.raises(InputError, match="No known corpus") as error:
        check(tmp_path)
    assert all(known.title in str(error.value) for known in DATASETS.values())
    assert "train.csv is only a pointer of Git LFS" in str(error.value)


@pytest.mark.parametrize(("name", "message"), [("nowhere", "There is nothing at"), ("file", "is a file. Give the folder")])
def test_wrong_paths_are_one_clear_message(tmp_path: Path, name: str, message: str):
    made_up.write(tmp_path / "file", "x")
    with pytest.raises(InputError, match=message):
        check(tmp_path / name)


# ── the command ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_speaks_and_its_exit_code_tells(tmp_path: Path):
    made_up.avamerg(tmp_path)
    done = CliRunner().invoke(app, ["check", str(tmp_path)])
    assert done.exit_code == 0 and "AvaMERG in" in done.output and "train: 3 dialogues, 12 turns" in done.output
    made_up.meld(tmp_path / "meld")
    done = CliRunner().invoke(app, ["check", str(tmp_path), "--json"])
    told = {each["dataset"]: each["whole"] for each in json.loads(done.output)}
    assert done.exit_code == 2 and told == {"meld": False, "avamerg": True}


def test_list_cites_every_corpus():
    done = CliRunner().invoke(app, ["list"])
    assert done.exit_code == 0 and all(known.citation.split(",")[0] in done.output for known in DATASETS.values())
    assert {each["name"] for each in json.loads(CliRunner().invoke(app, ["list", "--json"]).output)} == set(DATASETS)


def test_show_keeps_the_gold_apart(tmp_path: Path):
    made_up.meld(tmp_path)
    done = CliRunner().invoke(app, ["show", str(tmp_path), "--task", "forecast", "--limit", "1"])
    assert done.exit_code == 0 and done.output.count("gold: emotion") == 1
    made_up.esconv(tmp_path / "e")
    assert CliRunner().invoke(app, ["show", str(tmp_path)]).exit_code != 0
