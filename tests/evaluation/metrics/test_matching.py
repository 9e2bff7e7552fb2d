"""Greedy matching by hand with the double, and with the real encoder."""

from importlib.util import find_spec

import numpy as np
import pytest
from tests.evaluation.made import replies, row

from heartfelt.errors import InputError, MissingExtra
from heartfelt.evaluation.metrics import Row, measure, metric_named, read_run
from heartfelt.evaluation.metrics.encoders import Encoded, HashTokens, MiniLMTokens
from heartfelt.evaluation.metrics.matching import BertScore, Rarity, greedy
from heartfelt.memory import MiniLM
from heartfelt.weights import Store


def answered(*pairs: tuple[str, str]) -> list[Row]:
    return [row(i, said, reference=meant) for i, (said, meant) in enumerate(pairs)]


def encoded(*vectors: tuple[float, float], ids: tuple[int, ...] = ()) -> Encoded:
    return Encoded(np.array(ids or range(len(vectors)), np.int64), np.array(vectors, np.float32))


def test_by_hand():
    said, meant = encoded((1, 0), (0, 1)), encoded((1, 0), (0.6, 0.8), (-1, 0))
    # precision: max(1, .6, -1), max(0, .8, 0); recall: 1, .8, 0 (the nearer of -1 and 0)
    precision, recall, f1 = greedy(said, meant, Rarity({}, 0))
    assert precision == pytest.approx((1 + 0.8) / 2)
    assert recall == pytest.approx((1 + 0.8 + 0) / 3)
    assert f1 == pytest.approx(2 * 0.9 * 0.6 / 1.5)


def test_rare_tokens_weigh_more():
    said, meant = encoded((1, 0), (0, 1), ids=(7, 8)), encoded((1, 0), ids=(7,))
    even, *_ = greedy(said, meant, Rarity({}, 0))
    # 7 stands in 1 of 3 references and 8 in none: log(4/2) and log(4/1)
    rare, *_ = greedy(said, meant, Rarity({7: 1}, 3))
    assert even == pytest.approx(1 / 2)
    assert rare == pytest.approx(np.log(2) / (np.log(2) + np.log(4)))


def test_the_same_text_is_perfect_and_an_empty_one_is_left_out():
    run = read_run(answered(("I am here", "i am HERE"), ("", "something")))
    figure = measure(BertScore(encoder=HashTokens()), run)
    assert figure.value == pytest.approx(1)
    assert (figure.rows, figure.left_out) == (1, 1)


def test_parts_and_weights_are_in_the_name():
    assert BertScore("recall", "idf", HashTokens()).name == "bertscore_recall/hashed-words/idf"
    assert "layer=6" in BertScore().name


def test_without_references_there_is_no_figure():
    with pytest.raises(InputError, match=r"no row with a reference"):
        measure(BertScore(encoder=HashTokens()), replies("a"))


@pytest.fixture(scope="module")
def tokens() -> MiniLMTokens:
    if not Store().has("minilm"):
        pytest.fail("the weights are not here: heartfelt models pull minilm")
    return MiniLMTokens()


@pytest.mark.embedded
def test_the_last_layer_is_what_the_embedder_pools(tokens: MiniLMTokens):
    """The embedder's vector is the mean over all tokens, the marks at both ends among them: nearly that of the rest."""
    text = "my grandmother taught me how to bake bread"
    mean = tokens.encode([text])[0].vectors.mean(0)
    assert float(mean / np.linalg.norm(mean) @ MiniLM().embed([text])[0]) > 0.95


@pytest.mark.embedded
def test_nearer_in_meaning_scores_higher(tokens: MiniLMTokens):
    meant = "I am so sorry that your dog died."
    near = measure(BertScore(encoder=tokens), answered(("It is sad that you lost your puppy.", meant))).value
    far = measure(BertScore(encoder=tokens), answered(("The train leaves at seven.", meant))).value
    same = measure(BertScore(encoder=tokens), answered((meant, meant))).value
    assert far < near < same
    assert same == pytest.approx(1, abs=1e-5)


@pytest.mark.embedded
def test_layers_differ_and_batches_do_not(tokens: MiniLMTokens):
    texts = ["oh", "I am here for you, whatever comes."]
    together, alone = tokens.encode(texts), [tokens.encode([text])[0] for text in texts]
    for one, other in zip(together, alone, strict=True):
        assert np.allclose(one.vectors, other.vectors, atol=1e-5)
        assert (one.ids == other.ids).all()
    assert not np.allclose(MiniLMTokens(3).encode(texts)[0].vectors, together[0].vectors, atol=0.1)


def test_a_model_of_the_hub_is_asked_for_by_name():
    metric = metric_named("bertscore_f1/roberta-large/layer=17/even")
    assert metric.name == "bertscore_f1/roberta-large/layer=17/even"
    if find_spec("transformers") is None:
        with pytest.raises(MissingExtra, match=r"heartfelt\[hub\]"):
            metric.tally(read_run([row(0, "I am here.", reference="I am with you.")]))
