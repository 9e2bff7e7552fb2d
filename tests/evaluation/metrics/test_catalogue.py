"""What every metric owes its readers."""

import math

import numpy as np
import pytest
from tests.evaluation.made import row

from heartfelt.errors import InputError, UnknownName
from heartfelt.evaluation.metrics import Metric, catalogue, measure, metric_named, read_run
from heartfelt.evaluation.metrics.catalogue import SCORERS
from heartfelt.evaluation.metrics.judged import JudgedMetric
from heartfelt.evaluation.metrics.matching import BertScore
from heartfelt.evaluation.metrics.metric import checked
from heartfelt.evaluation.metrics.overlap import Bleu, Chrf
from heartfelt.evaluation.metrics.presence import BRAIN, RULE, marked
from heartfelt.evaluation.metrics.rows import Likelihood, Spent

METRICS = [each for each in catalogue().values() if not isinstance(each, BertScore | Bleu | Chrf)]
ids = [each.name for each in METRICS]
FULL = [
    row(
        number,
        reply,
        dialogue=str(number // 2),
        reference="I am so sorry to hear that",
        context=("I am so sad today",),
        exemplars=("that is bad",),
        distribution={"sad": 0.6, "fear": 0.4},
        likelihoods=dict.fromkeys(SCORERS, Likelihood(log_probability=-9, tokens=4)),
        judged=dict.fromkeys((*marked(RULE), *marked(BRAIN)), number % 2),
        spent=(Spent(step="plan", calls=1, prompt_tokens=9, cached_tokens=3, ms=2),),
    )
    for number, reply in enumerate(["Oh I am so sorry .", "That is so bad , my friend .", "Oh I am so sad today .", "oh"])
]


def with_labels(labels: str, strategies: str):
    from heartfelt.labels import label_set

    names, kinds = label_set(labels).labels, label_set(strategies).labels
    for i, each in enumerate(FULL):
        yield each.model_copy(update={
            "emotion": names[i % 2], "predicted": names[i // 2], "labels": labels,
            "distribution": {names[0]: 0.6, names[1]: 0.4},
            "strategy": kinds[i % 2], "strategy_predicted": kinds[(i // 2) % 3], "strategies": strategies,
        })  # fmt: skip


def fitting(metric: Metric):
    labels = getattr(metric, "labels", "ed32")
    return read_run(with_labels(labels, getattr(metric, "strategies", "er_ip_ex")))


@pytest.mark.parametrize("metric", METRICS, ids=ids)
def test_it_is_told_in_full(metric: Metric):
    about = metric.about
    assert about.definition.endswith(".")
    assert about.citation
    assert about.unit
    assert about.version >= 1
    assert metric_named(about.name) == metric


@pytest.mark.parametrize("metric", METRICS, ids=ids)
def test_it_lies_in_its_range_or_says_why_not(metric: Metric):
    try:
        value = measure(metric, fitting(metric)).value
    except InputError as error:
        assert "preference_bias" in metric.name, error
        return
    low, high = metric.about.low, metric.about.high
    assert math.isfinite(value)
    assert low is None or value >= low
    assert high is None or value <= high


@pytest.mark.parametrize("metric", METRICS, ids=ids)
def test_dialogue_by_dialogue_it_comes_to_the_same(metric: Metric):
    """What a tally says of a selection is what the metric says of those rows."""
    run = fitting(metric)
    tally = metric.tally(run)
    for chosen in ([1, 1], [1, 0], [0, 1]):
        part = metric.tally(run.where(np.array(chosen, bool)[run.dialogue.codes]))
        if metric.name.startswith("self_repetition"):
            continue  # what counts as repeated is settled in the whole run
        expected = part.whole() if part.rows.any() else math.nan
        assert tally.values(np.array([chosen], float))[0] == pytest.approx(expected, nan_ok=True)
    if not metric.name.startswith("self_repetition"):
        assert tally.without_each() == pytest.approx(tally.values(np.array([[0.0, 1.0], [1.0, 0.0]])), nan_ok=True)


@pytest.mark.parametrize("metric", METRICS, ids=ids)
def test_two_tallies_join(metric: Metric):
    tally = metric.tally(fitting(metric))
    joined = tally.joined(tally)
    assert joined.values(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1]])) == pytest.approx([tally.whole()] * 2, nan_ok=True)


@pytest.mark.parametrize("metric", METRICS, ids=ids)
def test_no_rows_are_an_error(metric: Metric):
    with pytest.raises(InputError, match=r"without rows"):
        measure(metric, [])


def test_marks_from_elsewhere():
    mark = JudgedMetric("epitome_er", "Presence of an emotional reaction, by a classifier.", "Sharma et al. 2020", high=2.0)
    figure = measure(mark, [row(0, judged={"epitome_er": 2}), row(1, judged={"epitome_er": 1}), row(2)])
    assert (figure.value, figure.left_out) == (1.5, 1)


def test_an_unknown_name():
    with pytest.raises(UnknownName, match=r"Did you mean 'hit/e3rg'"):
        metric_named("hit/e3rgg")


def test_an_id_that_comes_twice():
    with pytest.raises(InputError, match=r"'0' comes twice"):
        read_run([row(0), row(0)])


def test_a_value_outside_its_own_bounds_is_refused():
    length, share = metric_named("length/lower-words"), metric_named("dist_corpus-1/lower-whitespace")
    assert checked(length, 1e9) == 1e9, "a count has no bound above"
    with pytest.raises(InputError, match=r"is -1, and says of itself that it lies between 0\.0 and None\. Mend it"):
        checked(length, -1.0)
    assert checked(share, 1 + 1e-9) > 1, "rounding is no mistake"
    with pytest.raises(InputError, match=r"is 1\.5, and says"):
        checked(share, 1.5)
