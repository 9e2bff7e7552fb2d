"""A file that only grows survives whatever stops its writer."""

import os
from pathlib import Path
from unittest import mock

import pytest

from heartfelt.errors import DamagedError, DiskFullError, UsageError
from heartfelt.evaluation.judging.lines import lines, record, writing
from heartfelt.records import Record


class Word(Record):
    text: str


def test_a_line_that_was_cut_off_is_taken_away_and_the_rest_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "words.jsonl"
    with writing(path) as file:
        file.add(Word(text="one\nline\u2028still"))
    with path.open("ab") as torn:
        torn.write(b'{"text": "tw')
    assert len(list(lines(path))) == 1
    with writing(path) as file:
        file.add(Word(text="three"))
    assert [record(Word, line, path).text for line in lines(path)] == ["one\nline\u2028still", "three"]


def test_a_full_disk_leaves_no_half_line(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    with writing(path) as file:
        file.add(Word(text="one"))
        with mock.patch("os.fsync", side_effect=OSError(28, os.strerror(28))), pytest.raises(DiskFullError, match="make room"):
            file.add(Word(text="two"))
    assert len(list(lines(path))) == 1 and path.read_bytes().endswith(b"\n")


def test_two_writers_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    with writing(path), pytest.raises(UsageError, match="Another process"), writing(path):
        pass


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file", "utf-8")
    with pytest.raises(UsageError, match="cannot be written"), writing(tmp_path / "taken" / "words.jsonl"):
        pass


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    with pytest.raises(DamagedError, match=r"words\.jsonl"):
        record(Word, '{"txt": 1}', tmp_path / "words.jsonl")
    assert not list(lines(tmp_path / "none.jsonl"))
