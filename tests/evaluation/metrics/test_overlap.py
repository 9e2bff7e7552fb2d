"""Against sacrebleu's own corpus scores, and its absence."""

import sys
from importlib import import_module

import pytest
from tests.evaluation.made import replies, row

from heartfelt.errors import InputError, MissingExtra
from heartfelt.evaluation.metrics import Metric, measure, read_run
from heartfelt.evaluation.metrics.overlap import Bleu, Chrf
from heartfelt.evaluation.statistics.interval import interval

SAID = ["I am so sorry to hear that.", "Oh no, what happened to the cat?", "Great!"]
MEANT = ["I am sorry to hear that!", "What happened to your cat then?", "That is great news."]


def run():
    return read_run(row(i, said, reference=meant) for i, (said, meant) in enumerate(zip(SAID, MEANT, strict=True)))


def test_as_sacrebleu_scores_the_corpus():
    sacrebleu = import_module("sacrebleu")
    assert measure(Bleu(), run()).value == pytest.approx(sacrebleu.corpus_bleu(SAID, [MEANT]).score)
    assert measure(Chrf(), run()).value == pytest.approx(sacrebleu.corpus_chrf(SAID, [MEANT]).score)
    plus = sacrebleu.corpus_chrf(SAID, [MEANT], word_order=2)
    assert measure(Chrf(word_order=2), run()).value == pytest.approx(plus.score)
    assert Chrf(word_order=2).name.startswith("chrf++")


@pytest.mark.parametrize("metric", [Bleu(), Chrf()])
def test_intervals_are_made_of_its_counts(metric: Metric):
    found = interval(metric, run(), times=50)
    assert found.low <= found.value <= found.high <= 100


def test_without_references_there_is_no_figure():
    for metric in (Bleu(), Chrf()):
        with pytest.raises(InputError, match=r"no row with a reference"):
            measure(metric, replies("a"))


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(MissingExtra, match=r"heartfelt\[lab\]"):
        measure(Bleu(), run())
