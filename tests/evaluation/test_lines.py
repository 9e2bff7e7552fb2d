"""A file that grows line by line survives whatever stops its writer."""

import os
from errno import ENOSPC
from pathlib import Path

import pytest

from heartfelt.errors import DamagedError, DiskFullError, UsageError
from heartfelt.evaluation.lines import Lines
from heartfelt.records import Record


class Word(Record):
    text: str


@pytest.fixture
def lines(tmp_path: Path) -> Lines[Word]:
    return Lines(tmp_path / "deep" / "words.jsonl", Word)


def added(lines: Lines[Word], *texts: str) -> Lines[Word]:
    with lines.writing() as pen:
        for text in texts:
            pen.add(Word(text=text))
    return lines


def test_what_is_added_is_read_again(lines: Lines[Word]):
    assert list(lines) == []
    with lines.writing() as pen:
        pen.add(Word(text="one\nline\u2028still"))
        assert len(list(lines)) == 1  # on the disk before the next is begun
        pen.add(Word(text="zwölf"))
    assert [each.text for each in lines] == ["one\nline\u2028still", "zwölf"]


@pytest.mark.parametrize("torn", [b'{"text": "tw', b"\xff", b"{"])
def test_a_torn_line_is_cut_off(lines: Lines[Word], torn: bytes):
    lines.path.parent.mkdir()
    lines.path.write_bytes(b'{"text":"one"}\n' + torn)
    assert [each.text for each in lines] == ["one"]
    added(lines, "two")
    assert lines.path.read_bytes() == b'{"text":"one"}\n{"text":"two"}\n'


def test_records_are_taken_out_and_more_are_added(lines: Lines[Word]):
    added(lines, "one", "two", "three")
    with lines.writing() as pen:
        pen.drop(lambda word: word.text == "two")
        pen.add(Word(text="four"))
    assert [each.text for each in lines] == ["one", "three", "four"]


def test_a_drop_that_stops_leaves_all_as_it_was(lines: Lines[Word]):
    before = added(lines, "one", "two").path.read_bytes()
    with lines.writing() as pen, pytest.raises(ZeroDivisionError):
        pen.drop(lambda word: 1 // (word.text == "one") == 0)
    assert lines.path.read_bytes() == before and not list(lines.path.parent.glob("*.partial*"))


@pytest.mark.parametrize("bad", [b'{"word": 2}\n', b"\xff\n", b"\n"])
def test_a_damaged_line_is_named(lines: Lines[Word], bad: bytes):
    lines.path.parent.mkdir()
    lines.path.write_bytes(b'{"text":"one"}\n' + bad)
    with pytest.raises(DamagedError, match=r"words\.jsonl is damaged: line 2 .* delete it"):
        list(lines)


def test_a_full_disk_leaves_no_half_line(lines: Lines[Word], monkeypatch: pytest.MonkeyPatch):
    def full(_file: int) -> None:
        raise OSError(ENOSPC, os.strerror(ENOSPC))

    with lines.writing() as pen:
        pen.add(Word(text="one"))
        with monkeypatch.context() as patched, pytest.raises(DiskFullError, match="What was done is kept: make room"):
            patched.setattr(os, "fsync", full)
            pen.add(Word(text="two"))
        pen.add(Word(text="three"))
    assert [each.text for each in lines] == ["one", "three"]


def test_one_writes_at_a_time(lines: Lines[Word]):
    other = Lines(lines.path, Word, writer="judge")
    with lines.writing(), pytest.raises(UsageError, match=r"Another judge is writing .*words\.jsonl"), other.writing():
        pass


def test_a_failure_of_other_work_is_told_as_it_is(lines: Lines[Word]):
    with pytest.raises(PermissionError, match="a picture"), lines.writing():
        raise PermissionError("a picture")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"), Lines(tmp_path / "file" / "words.jsonl", Word).writing():
        pass
