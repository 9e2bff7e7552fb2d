import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.errors import StoreError
from heartfelt.memory import DIMENSIONS, HashEmbedder, MiniLM
from heartfelt.weights import Store


@given(st.lists(st.text(max_size=60), max_size=8))
def test_hashed_words_have_length_one_or_none_and_are_the_same_every_time(texts: list[str]):
    vectors = HashEmbedder().embed(texts)
    assert vectors.shape == (len(texts), DIMENSIONS)
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.all(np.isclose(lengths, 1, atol=1e-5) | (lengths == 0))
    assert np.array_equal(vectors, HashEmbedder().embed(texts))


def test_hashed_words_are_nearer_the_more_they_share():
    query, near, far = HashEmbedder().embed(["the dog ran away", "The dog came back.", "exam tomorrow morning"])
    assert query @ near > query @ far


def test_missing_weights_say_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("heartfelt.weights.store._installed", lambda artefact: [])
    with pytest.raises(StoreError, match="models pull minilm"):
        MiniLM(Store(tmp_path)).embed(["hello"])


def test_nothing_to_embed_loads_nothing(tmp_path: Path):
    assert MiniLM(Store(tmp_path)).embed([]).shape == (0, DIMENSIONS)


@pytest.mark.embedded
def test_paraphrases_are_nearer_than_strangers(minilm: MiniLM):
    texts = [
        "I failed my driving test again.",
        "I didn't pass when I tried to get my licence, for the second time.",
        "My grandmother bakes the best bread in town.",
    ]
    failed, paraphrase, stranger = minilm.embed(texts)
    assert failed @ paraphrase > 0.5 > 0.2 > failed @ stranger


@pytest.mark.embedded
def test_batches_of_mixed_length_keep_their_order(minilm: MiniLM):
    texts = [" ".join(["word", "sun", "door"][: 1 + n % 3] * (1 + n % 7)) + f" {n}" for n in range(70)] + [""]
    together = minilm.embed(texts)
    alone = np.concatenate([minilm.embed([text]) for text in texts[::10]])
    assert np.abs(together[::10] - alone).max() < 1e-5
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


@pytest.mark.embedded
def test_long_texts_are_cut_at_256_tokens(minilm: MiniLM):
    start = "rain " * 300
    assert np.allclose(*minilm.embed([start, start + "and then the sun came out"]), atol=1e-6)
    assert not np.allclose(*minilm.embed(["rain " * 130, "rain " * 130 + "and then the sun came out"]), atol=1e-3)


@pytest.mark.embedded
def test_threads_share_one_embedder(minilm: MiniLM):
    fresh, found = MiniLM(minilm.store), {}

    def work(number: int) -> None:
        found[number] = fresh.embed([f"thread number {number}"])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = minilm.embed([f"thread number {number}" for number in range(4)])
    assert np.abs(np.concatenate([found[n] for n in range(4)]) - expected).max() < 1e-5
