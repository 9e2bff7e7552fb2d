import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from heartfelt.errors import LeakError
from heartfelt.memory import ExemplarStore, HashEmbedder, build
from heartfelt.records import Exemplar

from .test_sources import EMPATHETIC, MELD, write


def lines(count: int, split: str = "") -> str:
    rows = [{"situation": f"day {n}", "reply": f"reply {n}", "emotion": "sad", "split": split} for n in range(count)]
    return "\n".join(json.dumps(row) for row in rows)


def test_a_build_reports_what_it_did(tmp_path: Path, store: ExemplarStore):
    source = write(tmp_path / "a.jsonl", lines(5) + "\nnot json\n" + lines(1))
    built = build(source, store)
    assert (built.files, built.dialogues, built.found, built.added, built.bad) == (1, 6, 6, 5, 1)
    assert built.problems[0].startswith("a.jsonl:6: not JSON")
    assert store.count() == 5


def test_progress_ends_at_the_total(tmp_path: Path, store: ExemplarStore):
    seen: list[tuple[int, int]] = []
    build(write(tmp_path / "a.jsonl", lines(5)), store, batch=2, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(2, 5), (4, 5), (5, 5)]


def test_an_interrupted_build_goes_on_where_it_stopped(tmp_path: Path):
    source = write(tmp_path / "a.jsonl", lines(10))

    def interrupt(done: int, total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    with ExemplarStore(tmp_path / "memory.sqlite", HashEmbedder()) as store, pytest.raises(KeyboardInterrupt):
        build(source, store, batch=2, progress=interrupt)
    with ExemplarStore(tmp_path / "memory.sqlite", HashEmbedder()) as store:
        assert store.count() == 4
        assert build(source, store).added == 6
        assert build(source, store).added == 0


def test_any_memory_can_be_built(tmp_path: Path):
    class Listed:
        def __init__(self) -> None:
            self.rows: list[Exemplar] = []

        def add(self, exemplars: Iterable[Exemplar]) -> int:
            before = len(self.rows)
            self.rows += exemplars
            return len(self.rows) - before

        def count(self) -> int:
            return len(self.rows)

        def search(self, query: str, **_: object) -> tuple[Exemplar, ...]:
            return ()

    memory = Listed()
    assert build(write(tmp_path / "a.jsonl", lines(3)), memory).added == 3


# ── leaks: each is planted, and nothing may be stored ───────────────────────────────────────────────────────────────


def refused(source: Path, scored: str, split: str | None = None) -> None:
    with ExemplarStore(":memory:", HashEmbedder()) as store:
        with pytest.raises(LeakError, match="scor"):
            build(source, store, split=split, scored=frozenset({scored}))
        assert store.count() == 0


def test_the_scored_split_by_the_name_of_its_file(tmp_path: Path):
    refused(write(tmp_path / "test_sent_emo.csv", MELD), "meld/test")


def test_the_scored_split_as_told(tmp_path: Path):
    refused(write(tmp_path / "export.csv", EMPATHETIC), "empathetic_dialogues/test", split="empathetic_dialogues/test")


def test_the_scored_split_under_a_false_name(tmp_path: Path):
    refused(write(tmp_path / "test_sent_emo.csv", MELD), "meld/test", split="meld/dev")


def test_the_scored_split_on_one_line_of_many(tmp_path: Path):
    refused(write(tmp_path / "a.jsonl", lines(3, "mine/train") + "\n" + lines(1, "mine/test")), "mine/test")


def test_the_scored_split_somewhere_in_a_folder(tmp_path: Path):
    write(tmp_path / "dev_sent_emo.csv", MELD)
    write(tmp_path / "test_sent_emo.csv", MELD)
    refused(tmp_path, "meld/test")


def test_the_whole_corpus(tmp_path: Path):
    refused(write(tmp_path / "dev_sent_emo.csv", MELD), "meld")


def test_a_corpus_of_which_nobody_knows_the_split(tmp_path: Path):
    refused(write(tmp_path / "export.csv", MELD), "meld/test")


def test_another_split_may_be_remembered(tmp_path: Path, store: ExemplarStore):
    built = build(write(tmp_path / "dev_sent_emo.csv", MELD), store, scored=frozenset({"meld/test"}))
    assert built.added == 1
