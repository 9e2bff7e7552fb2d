import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.memory import ExemplarStore, Guard, HashEmbedder
from heartfelt.memory.embed import Vectors
from heartfelt.records import Exemplar

from .conftest import Make


class Counting(HashEmbedder):
    """Counts the texts that it was given."""

    def __init__(self) -> None:
        self.texts = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += len(texts)
        return super().embed(texts)


def test_the_same_emotion_comes_first_and_then_the_nearest(store: ExemplarStore, make: Make):
    store.add(
        [
            make("my dog ran away today", "far in feeling", "angry"),
            make("my dog barked once long ago here", "precise", "sad"),
            make("quarterly figures", "unrelated", "sad"),
        ]
    )
    found = store.search("my dog ran away", emotion="Sad", k=3, threshold=0.1)
    assert [(item.reply, item.match) for item in found] == [("precise", "precise"), ("far in feeling", "fuzzy")]
    assert found[0].similarity < found[1].similarity


def test_without_an_emotion_everything_is_fuzzy(store: ExemplarStore, make: Make):
    store.add([make("my dog ran off", emotion="sad"), make("my dog ran", emotion="")])
    assert {item.match for item in store.search("my dog", emotion=None, k=5, threshold=0.0)} == {"fuzzy"}
    assert {item.match for item in store.search("my dog", emotion="", k=5, threshold=0.0)} == {"fuzzy"}


def test_the_threshold_is_exceeded_and_not_met(store: ExemplarStore, make: Make):
    store.add([make("one two")])
    (found,) = store.search("one three", emotion=None, k=1, threshold=0.0)
    assert found.similarity == pytest.approx(0.5)
    assert store.search("one three", emotion=None, k=1, threshold=found.similarity) == ()


def test_equals_come_in_the_order_of_their_remembering(store: ExemplarStore, make: Make):
    replies = [f"reply {number}" for number in range(40)]
    store.add([make("rain again", reply) for reply in replies])
    found = store.search("rain", emotion="sad", k=40, threshold=0.0)
    assert [item.reply for item in found] == replies


@pytest.mark.parametrize(("query", "k"), [("", 3), ("   ", 3), ("rain", 0), ("rain", -1)])
def test_nothing_asked_is_nothing_found(store: ExemplarStore, make: Make, query: str, k: int):
    store.add([make("rain again")])
    assert store.search(query, emotion=None, k=k, threshold=-2) == ()


def test_an_empty_memory_finds_nothing(store: ExemplarStore):
    assert store.search("rain", emotion="sad", k=3, threshold=-1, guard=Guard(scored=frozenset({"x"}))) == ()


def test_an_exchange_is_remembered_once(store: ExemplarStore, make: Make):
    assert store.add([make("a b"), make("a b", dialogue="7"), make("a b", "another reply")]) == 2
    assert store.add([make("a b", emotion="angry")]) == 0
    assert store.count() == 2


def test_what_is_known_is_not_embedded_again(make: Make):
    embedder = Counting()
    store = ExemplarStore(":memory:", embedder)
    store.add([make("a"), make("b")])
    store.add([make("a"), make("b"), make("c")])
    assert embedder.texts == 3


def test_everything_of_an_exemplar_comes_back(tmp_path: Path, make: Make):
    kept = make("the river rose över Nacht 🌊", "How high?", "afraid", dialogue="d1", split="x/train")
    with ExemplarStore(tmp_path / "memory.sqlite", HashEmbedder()) as store:
        store.add([kept])
    with ExemplarStore(tmp_path / "memory.sqlite", HashEmbedder()) as store:
        (found,) = store.search("the river rose", emotion=None, k=1, threshold=0.0)
    assert found.model_dump(exclude={"similarity", "match"}) == kept.model_dump(exclude={"similarity", "match"})


def test_what_another_process_adds_is_found(tmp_path: Path, make: Make):
    path = tmp_path / "memory.sqlite"
    with ExemplarStore(path, HashEmbedder()) as reader, ExemplarStore(path, HashEmbedder()) as writer:
        assert reader.search("snow", emotion=None, k=1, threshold=0.0) == ()
        writer.add([make("snow at last")])
        assert len(reader.search("snow", emotion=None, k=1, threshold=0.0)) == 1


def test_a_failed_batch_leaves_nothing(make: Make):
    class Broken(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            return super().embed(texts)[:1]  # fewer vectors than texts: the second row fails in the transaction

    store = ExemplarStore(":memory:", Broken())
    with pytest.raises(ValueError):
        store.add([make("a"), make("b")])
    assert store.count() == 0
    assert store.add([make("a")]) == 1


def test_threads_add_and_search_at_once(store: ExemplarStore, make: Make):
    def work(number: int) -> None:
        for step in range(10):
            store.add([make(f"thread {number} step {step}"), make("said by all")])
            store.search("thread", emotion="sad", k=3, threshold=0.0)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert store.count() == 41


WORDS = st.lists(st.sampled_from(["sun", "rain", "snow", "dog", "cat", "home"]), min_size=1, max_size=4).map(" ".join)
ROWS = st.lists(st.tuples(WORDS, st.sampled_from(["sad", "angry"]), st.sampled_from(["a/test", "b"])), max_size=12)


@given(ROWS, WORDS, st.integers(1, 6), st.floats(-0.5, 0.9))
def test_search_is_what_its_definition_says(rows: list[tuple[str, str, str]], query: str, k: int, threshold: float):
    given_rows = [
        Exemplar(situation=text, reply=f"r{number}", emotion=emotion, split=split)
        for number, (text, emotion, split) in enumerate(rows)
    ]
    guard = Guard(scored=frozenset({"a"}))
    with ExemplarStore(":memory:", HashEmbedder()) as store:
        store.add(given_rows)
        found = store.search(query, emotion="sad", k=k, threshold=threshold, guard=guard)
    embed = HashEmbedder().embed
    similar = {row.reply: round(float(embed([row.situation])[0] @ embed([query])[0]), 5) for row in given_rows}
    allowed = [row for row in given_rows if similar[row.reply] > threshold and guard.allows(row, query)]
    expected = sorted(allowed, key=lambda row: (row.emotion != "sad", -similar[row.reply]))[:k]
    assert [item.reply for item in found] == [row.reply for row in expected]
