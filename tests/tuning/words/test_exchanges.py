"""Files of exchanges are read line by line, and what is wrong with one is said."""

import gzip
from pathlib import Path

import pytest

from heartfelt.errors import InputError
from heartfelt.tuning.words.exchanges import read_briefs, read_exchanges

SAMPLES = Path(__file__).parents[3] / "samples" / "exchanges"


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"{}\n", r"Line 1 of .* is not what it should be: id"), (b"no\n", "Line 1 of"), (b"", None)],
)
def test_what_is_no_exchange_is_named_by_its_line(tmp_path: Path, content: bytes, told: str | None):
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    if told is None:
        assert list(read_exchanges(path)) == []
    else:
        with pytest.raises(InputError, match=told):
            list(read_exchanges(path))


def test_a_file_that_was_cut_off_is_no_riddle(tmp_path: Path):
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b"x" * 5000)[:20])
    with pytest.raises(InputError, match="fetch it again"):
        list(read_exchanges(path))


def test_the_shipped_moments_say_what_they_mean_and_what_was_mended():
    moments = list(read_briefs(SAMPLES / "moments.jsonl.gz"))
    assert len({each.turns for each in moments}) == len(moments) > 5000
    assert all(len(each.turns) % 2 and each.point and each.brief for each in moments)
    mended = [each for each in moments if each.mended]
    assert len(mended) > 3000 and all(each.draft and each.draft != each.mended for each in mended)
