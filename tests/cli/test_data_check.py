"""`heartfelt data check` on files of exchanges, ratings and openings: faults first, then a table, and an exit code."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.evaluation.made_up import esconv
from typer.testing import CliRunner

from heartfelt.cli.data import app
from heartfelt.errors import InputError, UsageError

RATING: dict[str, Any] = {"opening": "f0", "turns": ["My cat is back."], "reply": "Home again!", "mark": 4, "source": "bank"}
EXCHANGE: dict[str, Any] = {
    "writer": "w01",
    "emotion": "joyful",
    "meaning": "The cat of the person has come home again.",
    "message": "good",
    "plan": {"goal": "celebrate", "stance": "friend", "tactic": "sharing the joy", "tone": "bright"},
    "reply": "She is home again! Was she hungry?",
    "worse": [{"kind": "cold", "text": "Cats do that."}, {"kind": "misread", "text": "I am sorry that she is gone."}],
}


def exchanges(count: int, **change: Any) -> list[dict[str, Any]]:
    texts = [f"Cat {number} is back." for number in range(1, count + 1)]
    return [EXCHANGE | {"id": f"w01-{i}", "turns": [text], "cause": text} | change for i, text in enumerate(texts, 1)]


def written(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["check", *arguments])


def test_a_file_in_order_is_told_as_a_table(tmp_path: Path):
    done = run(written(tmp_path / "mine.jsonl", exchanges(3)))
    lines = done.output.splitlines()
    assert done.exit_code == 0 and lines[0].endswith("mine.jsonl: 3 exchanges, no fault")
    assert lines[1].split()[:3] == ["turns", "exchanges", "share"] and lines[3].split()[:3] == ["all", "3", "100%"]
    assert len(lines[1]) == len(lines[2]) == len(lines[3])
    assert "  begin     «she is home» 100.0%" in lines and "  kinds     3 labelled (100%): good 3" in lines
    assert "  writers   1: w01 3" in lines


def test_faults_are_shown_a_few_of_each_sort_and_the_rest_counted(tmp_path: Path):
    rows = [*exchanges(30, emotion="melancholy"), EXCHANGE | {"id": "w01-99", "turns": ["Hm."], "cause": "x"}]
    done = run(written(tmp_path / "mine.jsonl", rows))
    assert done.exit_code == 1 and "mine.jsonl: 31 exchanges, 31 faults" in done.output
    assert done.output.count("✗ line") == 6 and "✗ line 31 (w01-99): cause 'x' stands in no turn" in done.output
    assert "✗ and 25 more faults of this sort: label" in done.output


def test_a_beginning_that_is_everywhere_and_near_copies_are_worth_a_look(tmp_path: Path):
    text = "I found her asleep in the box by the door, number {}"
    rows = [row | {"turns": [text.format(i)], "cause": text.format(i)} for i, row in enumerate(exchanges(8))]
    done = run(written(tmp_path / "mine.jsonl", rows))
    assert done.exit_code == 0 and "· 100.0% of the replies begin with «she is home»" in done.output
    assert done.output.count("say nearly the same,") == 5 and "· and 2 more that say nearly the same" in done.output


def test_a_folder_of_such_files_is_checked_file_by_file(tmp_path: Path):
    written(tmp_path / "a.jsonl", exchanges(1))
    written(tmp_path / "b.jsonl", [RATING | {"mark": 9}])
    (tmp_path / "README.md").write_text("A card.", "utf-8")
    done = run(str(tmp_path), "--json")
    told = {Path(each["path"]).name: (each["kind"], each["whole"]) for each in json.loads(done.output)}
    assert done.exit_code == 1 and told == {"a.jsonl": ("exchanges", True), "b.jsonl": ("ratings", False)}


def test_a_file_of_which_nothing_can_be_read_has_no_table(tmp_path: Path):
    (tmp_path / "exchanges.jsonl.gz").write_bytes(b"no archive")
    done = run(str(tmp_path / "exchanges.jsonl.gz"))
    assert done.exit_code == 1 and "cannot be read" in done.output and "turns" not in done.output


def test_marks_of_ratings_are_told_by_their_source(tmp_path: Path):
    done = run(written(tmp_path / "a.jsonl", [RATING, RATING | {"mark": 2, "flags": "MN"}]))
    assert done.exit_code == 0 and "mean mark 3.00 (bank)" in done.output and "flags     M 1, N 1" in done.output
    assert "openings  1, 2.0 replies each on average" in done.output and "writers" not in done.output


def test_such_a_file_has_no_splits(tmp_path: Path):
    done = run(written(tmp_path / "a.jsonl", [RATING]), "--split", "test")
    assert isinstance(done.exception, UsageError) and "Leave out --split" in str(done.exception)


def test_any_other_file_is_refused_as_before(tmp_path: Path):
    (tmp_path / "train.csv").write_text("a,b\n", "utf-8")
    done = run(str(tmp_path / "train.csv"))
    assert isinstance(done.exception, InputError) and "Give the folder that holds the corpus" in str(done.exception)


@pytest.mark.parametrize("name", ["ratings.jsonl", "mine.jsonl"])
def test_a_folder_with_a_corpus_is_checked_as_one(tmp_path: Path, name: str):
    esconv(tmp_path)
    before = run(str(tmp_path))
    written(tmp_path / name, [RATING | {"mark": 9}])
    after = run(str(tmp_path))
    assert (after.exit_code, after.output) == (before.exit_code, before.output) and "ESConv in" in after.output
