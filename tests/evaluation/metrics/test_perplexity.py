from math import exp

import pytest
from tests.evaluation.made import replies, row

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics import measure, read_run
from heartfelt.evaluation.metrics.perplexity import Perplexity, ReplyPerplexity, scored
from heartfelt.evaluation.metrics.rows import Likelihood
from heartfelt.models.embedded.engine import ROOM
from heartfelt.models.embedded.model import EmbeddedModel

SCORER = "gpt2/response-only"


def likely(number: int, log: float, tokens: int):
    return row(number, likelihoods={SCORER: Likelihood(log_probability=log, tokens=tokens)})


def test_by_hand():
    run = read_run([likely(0, -6.0, 3), likely(1, -1.0, 1)])
    assert measure(Perplexity(SCORER), run).value == pytest.approx(exp(7 / 4))
    assert measure(ReplyPerplexity(SCORER), run).value == pytest.approx((exp(2) + exp(1)) / 2)


def test_certainty_is_one():
    assert measure(Perplexity(SCORER), read_run([likely(0, 0.0, 2)])).value == 1


def test_another_scorer_is_another_metric():
    with pytest.raises(InputError, match=r"log-probabilities by 'gpt2/after-context'"):
        measure(Perplexity("gpt2/after-context"), read_run([likely(0, -1, 1)]))
    with pytest.raises(InputError):
        measure(ReplyPerplexity(SCORER), replies("a"))


class Letters:
    """An engine whose tokens are letters; it holds as many as it is told, and remembers what it read."""

    def __init__(self, context: int):
        self.context, self.seen = context, list[list[int]]()

    def tokens(self, text: str, *, special: bool = False) -> list[int]:
        return [0] if special else [ord(letter) for letter in text]

    def read(self, tokens: list[int]) -> "Letters":
        self.seen.append(tokens)
        return self

    def likely(self, texts: list[list[int]]) -> list[float]:
        return [-float(len(text)) for text in texts]


def test_of_a_long_dialogue_the_latest_words_are_read():
    engine = Letters(ROOM + 11)
    (told,) = scored([row(0, "Oh.", context=("a" * 50, "b" * 8))], engine, "letters", "after-context")  # type: ignore[arg-type]
    assert engine.seen == [[0, ord("a"), ord("\n"), *[ord("b")] * 8]]
    assert told.likelihoods["letters/after-context"] == Likelihood(log_probability=-4, tokens=4)


def test_a_reply_longer_than_the_model_holds_is_left_out():
    (told,) = scored([row(0, "o" * (ROOM + 12))], Letters(ROOM + 11), "letters")  # type: ignore[arg-type,list-item]
    assert not told.likelihoods


@pytest.mark.embedded
@pytest.mark.xdist_group("embedded")
def test_the_embedded_model_scores_replies():
    model = EmbeddedModel(adapter=None)
    engine = model.load()
    try:
        said = ["I am sorry to hear that.", "sorry hear I that to am.", ""]
        rows = [row(i, text, context=("My dog died, and I am sad.",)) for i, text in enumerate(said)]
        plain, salad, silent = list(scored(rows, engine, "smollm2"))
        assert not silent.likelihoods
        name = "smollm2/response-only"
        assert plain.likelihoods[name].log_probability > salad.likelihoods[name].log_probability
        heard = list(scored(rows[:1], engine, "smollm2", "after-context"))
        assert heard[0].likelihoods["smollm2/after-context"].log_probability > plain.likelihoods[name].log_probability
        assert 1 < measure(Perplexity(name), [plain, salad]).value < 50_000
    finally:
        engine.close()
