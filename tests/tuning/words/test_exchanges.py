"""The exchanges that come with Heartfelt are what their card says."""

import gzip
import re
from collections import Counter
from pathlib import Path

import pytest

from heartfelt.agents.bank import KINDS
from heartfelt.agents.plan import DIMENSIONS
from heartfelt.errors import InputError
from heartfelt.labels import label_set
from heartfelt.tuning.words.exchanges import Exchange, read_exchanges, read_ratings

FOLDER = Path(__file__).parents[3] / "samples" / "exchanges"
WORSE = {
    "cold",
    "misread",
    "nonsense",
    "platitude",
    "advice",
    "judging",
    "off",
    "self",
    "asks-known",
    "cheery",
    "repeat",
    "alarm",
}


def plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", text.lower()).strip()


@pytest.fixture(scope="module")
def exchanges() -> list[Exchange]:
    return list(read_exchanges(FOLDER / "exchanges.jsonl.gz"))


def test_each_has_its_own_name_and_words(exchanges: list[Exchange]):
    assert len({each.id for each in exchanges}) == len(exchanges)
    said = Counter(plain(" ".join(each.turns[::2])) for each in exchanges if any(map(plain, each.turns)))
    assert max(said.values()) == 1


def test_labels_come_from_the_vocabularies(exchanges: list[Exchange]):
    emotions = set(label_set("ed32").labels)
    for each in exchanges:
        assert each.emotion in emotions
        assert all(getattr(each.plan, name) in options for name, options in DIMENSIONS.items())
        assert each.message in {"", *KINDS}
        assert len(each.worse) == 2 and {worse.kind for worse in each.worse} <= WORSE


def test_causes_are_words_of_the_person_and_replies_are_short(exchanges: list[Exchange]):
    for each in exchanges:
        assert len(each.turns) % 2 == 1
        assert any(plain(each.cause) in plain(turn) for turn in each.turns[::2])
        assert len(each.reply.split()) <= 45 and each.reply.count("?") <= 1


def test_no_opening_words_are_everywhere(exchanges: list[Exchange]):
    firsts = Counter(" ".join(plain(each.reply).split()[:3]) for each in exchanges)
    assert firsts.most_common(1)[0][1] < 0.01 * len(exchanges)


def test_ratings_have_marks_and_flags():
    rated = list(read_ratings(FOLDER / "ratings.jsonl.gz"))
    assert len(rated) > 5000
    assert all(set(each.flags) <= set("NMTGAIE") for each in rated)


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
