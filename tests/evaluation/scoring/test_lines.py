from pathlib import Path

import pytest

from heartfelt.errors import DamagedError, UsageError
from heartfelt.evaluation.scoring.lines import Lines
from heartfelt.records import Record


class Word(Record):
    text: str


def test_what_is_added_is_read_again(tmp_path: Path):
    lines = Lines(tmp_path / "deep" / "words.jsonl", Word)
    assert list(lines) == []
    with lines.writing() as pen:
        pen.add(Word(text="one"))
        assert list(lines) == [Word(text="one")]  # on the disk before the next is begun
        pen.add(Word(text="zwölf"))
    assert [each.text for each in lines] == ["one", "zwölf"]


@pytest.mark.parametrize("torn", [b'{"text": "tw', b"\xff", b"{"])
def test_a_torn_line_is_cut_off(tmp_path: Path, torn: bytes):
    lines = Lines(tmp_path / "words.jsonl", Word)
    lines.path.write_bytes(b'{"text": "one"}\n' + torn)
    assert [each.text for each in lines] == ["one"]
    with lines.writing() as pen:
        pen.add(Word(text="two"))
    assert lines.path.read_bytes() == b'{"text": "one"}\n{"text":"two"}\n'


def test_a_damaged_line_is_named(tmp_path: Path):
    lines = Lines(tmp_path / "words.jsonl", Word)
    lines.path.write_text('{"text": "one"}\n{"word": 2}\n')
    with pytest.raises(DamagedError, match="line 2"):
        list(lines)


def test_one_writes_at_a_time(tmp_path: Path):
    lines = Lines(tmp_path / "words.jsonl", Word)
    with lines.writing(), pytest.raises(UsageError, match="Another process"), Lines(lines.path, Word).writing():
        pass
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"), Lines(tmp_path / "file" / "words.jsonl", Word).writing():
        pass
