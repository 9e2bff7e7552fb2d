import numpy as np
import pytest
from tests.evaluation.made import named, row

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics import Run, measure, read_run
from heartfelt.evaluation.metrics.calibration import Brier, CalibrationError
from heartfelt.tuning.measure import calibration_error


def sure(shares: list[dict[str, float]], gold: list[str]) -> Run:
    return read_run(
        row(i, emotion=right, predicted=max(each, key=each.__getitem__), labels="ekman", distribution=each)
        for i, (each, right) in enumerate(zip(shares, gold, strict=True))
    )


def test_by_hand():
    run = sure([{"sad": 0.9, "fear": 0.1}, {"sad": 0.92, "fear": 0.08}, {"sad": 0.6, "fear": 0.4}], ["sad", "fear", "sad"])
    # 0.9 and 0.92 share the bin from 13/15 to 14/15: mean .91 against 1/2; 0.6 is alone: .6 against 1
    assert measure(CalibrationError("ekman"), run).value == pytest.approx(2 / 3 * (0.91 - 0.5) + 1 / 3 * 0.4)
    assert measure(Brier("ekman"), run).value == pytest.approx((2 * 0.1**2 + 2 * 0.92**2 + 2 * 0.4**2) / 3)


def test_certain_and_right_is_perfect_and_certain_and_wrong_is_worst():
    assert measure(CalibrationError("ekman"), sure([{"sad": 1.0}], ["sad"])).value == 0
    assert measure(Brier("ekman"), sure([{"sad": 1.0}], ["sad"])).value == 0
    assert measure(CalibrationError("ekman"), sure([{"sad": 1.0}], ["fear"])).value == 1
    assert measure(Brier("ekman"), sure([{"sad": 1.0}], ["fear"])).value == 2


def test_as_the_tuning_measures_it():
    random = np.random.default_rng(3)
    names = ("happy", "surprise", "anger", "fear", "sad", "disgust")
    found, gold = random.dirichlet(np.ones(6) * 0.4, 200), random.integers(0, 6, 200)
    run = sure([dict(zip(names, line.tolist(), strict=True)) for line in found], [names[each] for each in gold])
    assert measure(CalibrationError("ekman"), run).value == pytest.approx(calibration_error(found, gold))


def test_without_distributions_there_is_no_figure():
    for metric in (CalibrationError("ekman"), Brier("ekman")):
        with pytest.raises(InputError, match=r"a right label and a distribution"):
            measure(metric, named([("sad", "sad")]))
