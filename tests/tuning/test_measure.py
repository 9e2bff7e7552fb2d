"""Figures of closed choices, of the audit and of replies, on an engine whose answers are known."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.labels import label_set
from heartfelt.models.embedded import EmbeddedModel
from heartfelt.models.embedded.calibration import Fitted, Temperatures
from heartfelt.tuning import calibrate as calibrating
from heartfelt.tuning.calibrate import calibrate
from heartfelt.tuning.evaluate import Measure
from heartfelt.tuning.measure import calibration_error, interval
from heartfelt.tuning.replies import distinct, plain

ED32, MELD = label_set("ed32").labels, label_set("meld").labels


class Known:
    """An engine and a cursor: the last token of a prompt is the option that it prefers, by `margin` nats."""

    def __init__(self, margin: float):
        self.margin, self._wish = margin, 0

    def read(self, prompt: list[int]) -> "Known":
        self._wish = prompt[-1]
        return self

    def score(self, options: list[list[int]]) -> NDArray[np.float64]:
        return np.array([self.margin if i == self._wish else 0.0 for i in range(len(options))])

    def tokens(self, text: str) -> list[int]:
        return list(text.encode())


class Model:
    name = "embedded:known"

    def __init__(self, margin: float, calibrated: Temperatures = Temperatures()):
        self.engine, self.calibrated = Known(margin), calibrated

    def load(self) -> Known:
        return self.engine


def write_choices(path: Path, labels: tuple[str, ...], right: float, *, turns: int = 200) -> None:
    """Turns of which the engine gets a share right."""
    gold = np.arange(turns) % len(labels)
    wish = np.where(np.arange(turns) < right * turns, gold, (gold + 1) % len(labels))
    tokens = np.stack([np.full(turns, 99), wish], 1).reshape(-1).astype(np.uint16)
    np.savez(
        path,
        tokens=tokens,
        offsets=np.arange(0, 2 * turns + 1, 2),
        options=np.arange(len(labels), dtype=np.uint16),
        option_offsets=np.arange(len(labels) + 1),
        option_names=np.array(labels),
        gold=gold,
    )


def write_audit(path: Path) -> None:
    """Two steps a pass. Option 0 is «right», 1 «wrong»; what stands between two verdicts ends with the next wish."""
    gold = np.array([[0, 0], [1, 0], [0, 1], [0, 0]])
    prompts = [[9, 0], [9, 1], [9, 0], [9, 1]]  # blames the first step of the second pass rightly, of the fourth wrongly
    np.savez(
        path,
        tokens=np.array([token for prompt in prompts for token in prompt], np.uint16),
        offsets=np.arange(0, 9, 2),
        options=np.array([0, 1], np.uint16),
        option_offsets=np.array([0, 1, 2]),
        gold=gold,
        recipe=np.zeros(4, np.uint8),
        recipes=np.array(["two"]),
        between_two=np.array([1], np.uint16),
        between_two_offsets=np.array([0, 1]),
    )


def quiet(*_: object) -> None:
    pass


def measured(folder: Path, model: Model, *, about: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    given: dict[str, Any] = {"split": "valid", "turns": 1000, "seed": 0, "told": quiet} | more
    return Measure(cast(EmbeddedModel, model), folder, folder / "report.json", **given).go(about or {"given": repr(given)})


def test_closed_choices_are_counted_in_fine_and_in_coarse_classes(tmp_path: Path):
    write_choices(tmp_path / "eval_valid_ed32.npz", ED32, 0.75)
    report = measured(tmp_path, Model(3.0))
    figures = report["ed32"]
    assert figures["accuracy"]["mean"] == 0.75 and figures["accuracy"]["n"] == 200
    assert figures["accuracy"]["low"] < 0.75 < figures["accuracy"]["high"]
    assert figures["HIT"]["mean"] >= 0.75 and figures["six_classes"]["mean"] >= 0.75, "a near miss may be the same class"
    assert report["chosen"]["ed32"]["options"] == list(ED32) and len(report["chosen"]["ed32"]["share"]) == 200


def test_the_temperature_changes_how_sure_it_is_not_what_it_chooses(tmp_path: Path):
    write_choices(tmp_path / "eval_valid_meld.npz", MELD, 0.6)
    cool = Fitted(options=MELD, temperature=3.0, turns=9, error_before=0.3, error_after=0.0)
    plain_, cooled = (measured(tmp_path, Model(6.0, Temperatures(sets=sets)))["meld"] for sets in ({}, {"meld": cool}))
    assert plain_["accuracy"] == cooled["accuracy"]
    assert cooled["calibration_error"]["mean"] < plain_["calibration_error"]["mean"]
    assert cooled["calibration_error_before_temperature"] == plain_["calibration_error"]["mean"]


def test_the_audit_is_scored_by_the_earliest_step_blamed(tmp_path: Path):
    write_audit(tmp_path / "eval_valid_audit.npz")
    figures = measured(tmp_path, Model(1.0))["audit"]
    # pass 1 is clean, but the second verdict says wrong; pass 2 and 3 are blamed rightly; pass 4 wrongly
    assert figures["earliest_step_blamed_correctly"]["mean"] == 1.0 and figures["false_alarms"]["mean"] == 1.0


def test_only_so_many_turns_are_measured_and_the_same_ones_again(tmp_path: Path):
    write_choices(tmp_path / "eval_test_meld.npz", MELD, 0.5)
    first, again, other = (measured(tmp_path, Model(2.0), split="test", turns=50, seed=seed)["chosen"] for seed in (0, 0, 1))
    assert len(first["meld"]["gold"]) == 50 and first == again != other


def test_an_interrupted_measure_goes_on(tmp_path: Path):
    write_choices(tmp_path / "eval_valid_ed32.npz", ED32, 0.5)
    write_choices(tmp_path / "eval_valid_meld.npz", MELD, 0.5)
    seen: list[str] = []

    def interrupts(what: str, _done: int, _total: int) -> None:
        seen.append(what)
        if "meld" in what:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measured(tmp_path, Model(2.0), told=interrupts, about={"a": 1})
    seen.clear()
    report = measured(tmp_path, Model(2.0), told=lambda what, _done, _total: seen.append(what), about={"a": 1})
    assert {*seen} == {"valid meld"}, "what was measured is kept"
    assert {"ed32", "meld"} <= set(report["chosen"]) and not (tmp_path / "report.partial.json").exists()
    measured(tmp_path, Model(2.0), told=lambda what, _done, _total: seen.append(what), about={"a": 2})
    assert "valid ed32" in seen, "of something else, everything is measured again"


def test_no_set_of_the_split_is_said(tmp_path: Path):
    with pytest.raises(InputError, match="no evaluation set of the test split"):
        measured(tmp_path, Model(1.0), split="test")


def test_calibrating_makes_a_sure_model_modest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write_choices(tmp_path / "eval_valid_ed32.npz", ED32, 0.5)
    write_choices(tmp_path / "eval_valid_meld.npz", MELD, 0.9)
    np.savez(tmp_path / "valid.npz", tokens=np.zeros(2, np.uint16), mask=np.array([0, 1], np.uint8), offsets=np.array([0, 2]),
             task=np.zeros(1, np.uint8), talk=np.zeros(1, np.uint32), tasks=np.array(["respond"]))  # fmt: skip
    monkeypatch.setattr(calibrating, "EmbeddedModel", lambda *, adapter: Model(8.0))  # pyright: ignore[reportUnknownLambdaType]
    path = calibrate(tmp_path / "a.gguf", tmp_path, tmp_path / "a.calibration.json", turns=500, told=quiet)
    found = Temperatures.model_validate_json(path.read_text()).sets
    assert set(found) == {"ed32", "meld"}, "the sets that have turns"
    assert found["ed32"].temperature > found["meld"].temperature > 1
    assert found["ed32"].error_after < 0.03 < found["ed32"].error_before


def test_too_few_turns_calibrate_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write_choices(tmp_path / "eval_valid_ed32.npz", ED32, 0.5, turns=20)
    np.savez(tmp_path / "valid.npz", tokens=np.zeros(2, np.uint16), mask=np.array([0, 1], np.uint8), offsets=np.array([0, 2]),
             task=np.zeros(1, np.uint8), talk=np.zeros(1, np.uint32), tasks=np.array(["respond"]))  # fmt: skip
    monkeypatch.setattr(calibrating, "EmbeddedModel", lambda *, adapter: Model(8.0))  # pyright: ignore[reportUnknownLambdaType]
    path = calibrate(tmp_path / "a.gguf", tmp_path, tmp_path / "a.json", turns=500, told=quiet)
    assert Temperatures.model_validate_json(path.read_text()) == Temperatures()


def test_a_perfectly_honest_model_has_no_calibration_error():
    found = np.tile([0.75, 0.25], (400, 1))
    gold = np.array(([0] * 3 + [1]) * 100)
    assert calibration_error(found, gold) == pytest.approx(0)
    assert calibration_error(np.tile([1.0, 0.0], (400, 1)), gold) == pytest.approx(0.25)


def test_an_interval_narrows_with_more_turns():
    few, many = interval([True, False] * 20), interval([True, False] * 500)
    assert few["high"] - few["low"] > 3 * (many["high"] - many["low"])
    assert interval([])["n"] == 0


def test_distinct_counts_over_all_replies_together():
    assert distinct(["I am sorry", "I am sorry"], 2) == 0.5
    assert distinct(["a b", "c d"], 1) == 1.0
    assert distinct([], 2) == 0.0


def test_replies_are_compared_without_their_marks_and_capitals():
    assert plain("I'm so sorry!!") == plain("Im so sorry.")
