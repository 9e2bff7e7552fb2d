"""Metrics by name, and the one that is kept because it is dear."""

import pytest
from tests.evaluation.made import row

from heartfelt.errors import UnknownName
from heartfelt.evaluation.experiments.experiment import TableColumn
from heartfelt.evaluation.metrics import measure, read_run
from heartfelt.evaluation.metrics.encoders import HashTokens
from heartfelt.evaluation.metrics.matching import BertScore
from heartfelt.evaluation.report.columns import heading, the_metric

RUN = read_run(
    [
        row(0, "I am so sorry.", reference="I am sorry to hear that."),
        row(1, "How lovely!", reference="That is lovely."),
        row(2, "Nobody answered this one."),
    ]
)


class Counting(HashTokens):
    asked = 0

    def encode(self, texts):
        self.asked += len(texts)
        return super().encode(texts)


@pytest.mark.parametrize("part", ["precision", "recall", "f1"])
def test_the_kept_score_is_the_same_score(part):
    assert measure(BertScore(part, "even", HashTokens(), {}), RUN) == measure(BertScore(part, "even", HashTokens()), RUN)


def test_each_pair_is_encoded_once():
    encoder, kept = Counting(), {}
    for part in ("f1", "precision", "f1"):
        measure(BertScore(part, "even", encoder, kept), RUN)
    assert encoder.asked == 4


@pytest.mark.parametrize("name", ["judged/empathy", "cost/ms/respond", "ppl_corpus/another", "accuracy/meld"])
def test_metrics_outside_the_catalogue_are_known_by_name(name):
    assert the_metric(name).name == name


def test_an_unknown_metric_has_a_heading_and_no_meaning():
    assert heading(TableColumn(metric="sparkle")).name == "sparkle"
    with pytest.raises(UnknownName):
        the_metric("sparkle")
