import re
from collections import Counter

import pytest

from heartfelt.labels.sets import ED32
from heartfelt.memory import ExemplarStore, Guard, HashEmbedder, MiniLM, exchanges, starter
from heartfelt.text import normalised


def test_every_emotion_has_at_least_three():
    counts = Counter(item.emotion for item in exchanges())
    assert set(counts) == set(ED32.labels)
    assert min(counts.values()) >= 3


def test_no_exchange_is_there_twice():
    said = [normalised(item.situation) for item in exchanges()]
    replies = [normalised(item.reply) for item in exchanges()]
    assert len(set(said)) == len(said)
    assert len(set(replies)) == len(replies)


@pytest.mark.parametrize("cliche", ["sorry to hear", "i understand how", "everything happens", "stay strong", "at least"])
def test_replies_do_without_cliches(cliche: str):
    assert not [item.reply for item in exchanges() if cliche in item.reply.casefold()]


def test_replies_are_short_and_give_no_advice():
    for item in exchanges():
        assert 20 <= len(item.reply) <= 200, item.reply
        assert len(re.findall(r"[.!?]+(?:\s|$)", item.reply)) <= 2, item.reply
        assert not re.search(r"\byou (should|ought|need to)\b", item.reply, re.IGNORECASE), item.reply


def test_a_starter_is_ready_at_once_with_any_embedder():
    with starter(HashEmbedder()) as memory:
        assert memory.count() == len(exchanges())
        found = memory.search("my old dog died yesterday", emotion="sad", k=2, threshold=0.1)
        assert found[0].emotion == "sad"


def test_no_scored_corpus_holds_it():
    with starter(HashEmbedder()) as memory:
        guard = Guard(scored=frozenset({"meld", "empathetic_dialogues"}))
        assert memory.search("the dog", emotion=None, k=1, threshold=0.0, guard=guard)


@pytest.mark.embedded
def test_with_minilm_it_is_embedded_once(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch):
    starter(minilm).close()
    monkeypatch.setattr(ExemplarStore, "save", lambda *_: pytest.fail("embedded again"))
    with starter(minilm) as memory:
        (found,) = memory.search("I ran my first half marathon this morning", emotion="proud", k=1, threshold=0.2)
        assert found.match == "precise"


@pytest.mark.embedded
def test_it_is_found_by_meaning(minilm: MiniLM):
    with starter(minilm) as memory:
        (found,) = memory.search("Our puppy passed away and the house feels empty", emotion="sad", k=1, threshold=0.3)
    assert "dog" in found.situation
