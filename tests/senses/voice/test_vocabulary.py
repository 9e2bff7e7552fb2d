from pathlib import Path

import pytest

from heartfelt.errors import DamagedError
from heartfelt.senses.voice.vocabulary import Vocabulary

PIECES = [b"<unk>", b"<s>", b"</s>", "▁hello".encode(), b"s", "▁wor".encode(), b"ld", b"x" * 300, b""]


def write(path: Path, pieces: list[bytes]) -> Path:
    lengths = [
        bytes([len(piece)]) if len(piece) < 128 else bytes([128 + len(piece) % 128, len(piece) // 128]) for piece in pieces
    ]
    path.write_bytes(b"".join(length + piece for length, piece in zip(lengths, pieces, strict=True)))
    return path


def test_pieces_are_read_back(tmp_path: Path):
    assert Vocabulary.read(write(tmp_path / "tokenizer.bin", PIECES)).pieces == PIECES


def test_text_is_joined_at_the_marks_and_special_tokens_are_left_out():
    vocabulary = Vocabulary(PIECES)
    assert vocabulary.text([1, 3, 4, 5, 6, 2]) == "hellos world"
    assert [vocabulary.begins_word(token) for token in (3, 4, 5)] == [True, False, True]


def test_a_letter_that_is_cut_apart_does_not_fail():
    assert Vocabulary([b"", b"", b"", "é".encode()[:1]]).text([3]) == "�"


def test_a_cut_file_is_damaged(tmp_path: Path):
    path = write(tmp_path / "tokenizer.bin", PIECES[:5])
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(DamagedError, match="pull it again"):
        Vocabulary.read(path)
