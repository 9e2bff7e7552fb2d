"""Counted by hand, and F1 label by label as its definition says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.evaluation.made import named, row

from heartfelt.errors import InputError, UnknownName
from heartfelt.evaluation.metrics import measure, read_run
from heartfelt.evaluation.metrics.recognition import Accuracy, Hit, HitShares, MacroF1, WeightedF1, confusion
from heartfelt.labels import emotion_maps, label_set

EKMAN = label_set("ekman").labels
PAIRS: list[tuple[str | None, str | None]] = [
    ("happy", "happy"), ("happy", "sad"), ("sad", "sad"), ("sad", "sad"), ("sad", "fear"), ("anger", "fear"),
]  # fmt: skip


def test_accuracy_by_hand():
    assert measure(Accuracy("ekman"), named(PAIRS)).value == pytest.approx(3 / 6)


def test_naming_nothing_is_wrong_and_a_row_without_a_right_label_is_left_out():
    figure = measure(Accuracy("ekman"), named([("sad", "sad"), ("sad", None), (None, "sad")]))
    assert (figure.value, figure.rows, figure.left_out) == (0.5, 2, 1)


def test_f1_by_hand():
    # happy 2·1/(2+1), sad 2·2/(3+3), anger 0, fear 0; disgust and surprise do not occur
    assert measure(MacroF1("ekman"), named(PAIRS)).value == pytest.approx((2 / 3 + 2 / 3) / 4)
    assert measure(WeightedF1("ekman"), named(PAIRS)).value == pytest.approx((2 * 2 / 3 + 3 * 2 / 3) / 6)


def test_the_table():
    table = confusion(named([*PAIRS, ("sad", None)]), "ekman")
    sad, happy, anger, fear = (EKMAN.index(each) for each in ("sad", "happy", "anger", "fear"))
    assert table.table[sad][sad] == 2
    assert table.table[sad][-1] == 1
    assert sum(map(sum, table.table)) == 7
    assert table.recall[sad] == pytest.approx(2 / 4)
    assert table.precision[sad] == pytest.approx(2 / 3)
    assert table.precision[anger] is None
    assert table.recall[fear] is None
    assert table.f1[happy] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("mapping", "value", "rows"),
    # anxious named afraid, devastated named sad, prepared named joyful, sad named none
    [("trace", 2 / 3, 3), ("trace_fixed", 3 / 4, 4), ("e3rg", 2 / 4, 4), ("e3rg_face", 1 / 4, 4),
     ("avamerg", 1 / 4, 4), ("empathyear", 0, 4)],
)  # fmt: skip
def test_hit_changes_with_the_map(mapping: str, value: float, rows: int):
    run = named([("anxious", "afraid"), ("devastated", "sad"), ("prepared", "joyful"), ("sad", None)], labels="ed32")
    figure = measure(Hit(mapping), run)
    assert figure.value == pytest.approx(value)
    assert figure.rows == rows


def test_hit_by_summed_shares():
    # «angry» alone is likeliest, but afraid and terrified together outweigh it
    shares = {"angry": 0.4, "afraid": 0.35, "terrified": 0.25}
    run = read_run([row(0, emotion="apprehensive", predicted="angry", labels="ed32", distribution=shares)])
    assert measure(Hit("e3rg"), run).value == 0
    assert measure(HitShares("e3rg"), run).value == 1


def test_a_metric_of_another_set_says_so():
    with pytest.raises(InputError, match=r"labels are of 'ekman' and the metric's of 'meld'"):
        measure(Accuracy("meld"), named(PAIRS))
    with pytest.raises(UnknownName):
        named([("sad", "blue")])
    with pytest.raises(InputError, match=r"no label set"):
        read_run([row(0, emotion="sad")])
    with pytest.raises(InputError, match=r"'ekman' and 'meld'"):
        read_run([row(0, emotion="sad", labels="ekman"), row(1, emotion="joy", labels="meld")])


def test_without_labels_there_is_no_figure():
    for metric in (Accuracy("ed32"), MacroF1("ed32"), WeightedF1("ed32"), Hit("e3rg"), HitShares("e3rg")):
        with pytest.raises(InputError, match=r"no row with"):
            measure(metric, read_run([row(0)]))


ed32 = st.sampled_from(label_set("ed32").labels)


@given(st.lists(st.tuples(ed32, ed32), min_size=1, max_size=30))
@settings(max_examples=40, deadline=None)
def test_ranges_and_order(pairs: list[tuple[str, str]]):
    run, turned = named(pairs, labels="ed32"), named(pairs[::-1], labels="ed32")
    exact = measure(Accuracy("ed32"), run).value
    for metric in (Accuracy("ed32"), MacroF1("ed32"), WeightedF1("ed32"), *map(Hit, set(emotion_maps()) - {"trace"})):
        value = measure(metric, run).value
        assert 0 <= value <= 1
        assert value == pytest.approx(measure(metric, turned).value)
        if isinstance(metric, Hit):
            assert value >= exact


@given(st.lists(st.tuples(st.sampled_from(EKMAN), st.sampled_from(EKMAN)), min_size=1, max_size=25))
@settings(max_examples=40, deadline=None)
def test_f1_as_counted_label_by_label(pairs: list[tuple[str, str]]):
    scores = {}
    for label in {each for pair in pairs for each in pair}:
        hits = sum(pair == (label, label) for pair in pairs)
        right, told = sum(gold == label for gold, _ in pairs), sum(chosen == label for _, chosen in pairs)
        precision, recall = hits / told if told else 0, hits / right if right else 0
        scores[label] = 2 * precision * recall / (precision + recall) if hits else 0, right
    macro = sum(score for score, _ in scores.values()) / len(scores)
    weighted = sum(score * right for score, right in scores.values()) / len(pairs)
    assert measure(MacroF1("ekman"), named(pairs)).value == pytest.approx(macro)
    assert measure(WeightedF1("ekman"), named(pairs)).value == pytest.approx(weighted)
