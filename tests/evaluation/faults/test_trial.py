"""Auditors of known skill get the figures that they deserve."""

import asyncio
from pathlib import Path

import pytest
from tests.evaluation.faults.auditors import COMPACT, Auditor, Wrong, blind, given, made_up, oracle, suspicious

from heartfelt.errors import ModelTimeout, UnknownName
from heartfelt.evaluation.faults.figures import figures
from heartfelt.evaluation.faults.passes import Passes
from heartfelt.evaluation.faults.trial import Trial, trial
from heartfelt.listener import Listener
from heartfelt.models import Scripted
from heartfelt.setup import Setup


def trials(found: Passes, wrong: Wrong, recipe: str = "heartfelt") -> list[Trial]:
    auditor = Auditor(found, wrong, recipe=recipe)

    async def all_of_them() -> list[Trial]:
        return [await trial(auditor.listener, item) for item in found.items]

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("recipe", ["heartfelt", "reflective"])
def test_an_oracle_is_right_everywhere(tmp_path: Path, recipe: str):
    found = made_up(tmp_path, recipe=recipe)
    told = figures(trials(found, oracle, recipe))
    assert told.failed == 0 and told.faulty > 5 and told.clean > 5
    audit, _, model = told.blame
    for each in (audit, model):
        assert each.exact.value == each.micro.f1.value == each.macro.f1.value == 1
        assert each.false_alarms.value == 0
        assert {kind.value for kind in each.kinds.values()} == {1}
    assert told.repaired.value == told.repaired_of_blamed.value == told.gone.value == told.named.value == 1
    assert told.changed.value == told.worse.value == told.worse_faulty.value == 0
    assert (audit.exact.low, audit.exact.high) == (1, 1)


def test_one_who_blames_nobody_leaves_it_to_the_code_checks(tmp_path: Path):
    found = made_up(tmp_path)
    told = figures(trials(found, blind))
    audit, code, model = told.blame
    assert model.micro.recall.value == 0 and model.micro.precision.value is None
    assert model.exact.value == told.clean / told.trials
    assert audit == code.model_copy(update={"by": "audit"})
    assert 0 < (audit.micro.recall.value or 0) < 1
    assert model.confusion["none"]["none"] == told.clean


def test_one_who_blames_everybody_blames_the_first_step(tmp_path: Path):
    found = made_up(tmp_path)
    told = figures(trials(found, suspicious))
    audit = told.blame[0]
    firsts = sum(item.gold.blamed == "perceive" for item in found.items)
    assert audit.false_alarms.value == 1
    assert audit.steps["perceive"].recall.value == 1
    assert audit.steps["perceive"].precision.value == pytest.approx(firsts / len(found.items))
    assert audit.steps["plan"].recall.value == 0


def test_a_clean_pass_can_be_made_worse(tmp_path: Path):
    found = made_up(tmp_path)
    item = next(item for item in found.items if not item.gold.planted)
    auditor = Auditor(found, lambda item, shown: {"forecast"} if given(item, "forecast") in shown else set())
    opposite = "joyful" if item.gold.emotion in ("sad", "afraid", "angry") else "sad"
    auditor.model._answers["forecast"] = [{"emotion": opposite}]  # pyright: ignore
    made = asyncio.run(trial(auditor.listener, item))
    assert made.blamed == ("forecast", None) and made.chosen == 1
    assert made.culprit is None and not made.blamed_rightly and not made.repaired
    assert "forecast" in made.changed and made.before["forecast"] and not made.after["forecast"]
    assert made.worse and made.named is False


def test_the_model_is_asked_on_its_own_where_code_saved_the_call(tmp_path: Path):
    found = made_up(tmp_path)
    item = next(item for item in found.items if item.gold.planted[:1] == ("perceive: ungrounded",))
    auditor = Auditor(found, blind)
    made = asyncio.run(trial(auditor.listener, item))
    assert made.by_code == made.blamed[0] == "perceive" and made.by_model is None
    assert auditor.model.calls["audit"] == len(made.blamed)  # the first audit asked no model, so it was asked once more


def test_a_fault_can_be_carried_on(tmp_path: Path):
    found = made_up(tmp_path)
    item = next(item for item in found.items if item.gold.blamed == "forecast")
    auditor = Auditor(found, oracle)
    made = asyncio.run(trial(auditor.listener, item, carried=True))
    assert made.faulty == ("forecast",) and len(made.planted) == 1 and made.repaired
    plans = [request.messages[-1].text for request in auditor.model.asked("plan")]
    assert given(item, "forecast") in plans[0] and given(item, "forecast") not in plans[1]  # on the fault, then mended
    last = next(item for item in found.items if item.gold.blamed == "respond")
    assert asyncio.run(trial(auditor.listener, last, carried=True)).repaired
    with pytest.raises(UnknownName):
        asyncio.run(auditor.listener.carried_on(item.dialogue, item.done, after="sing"))


def test_a_turn_that_fails_is_a_trial_that_says_why(tmp_path: Path):
    found = made_up(tmp_path, limit=3)
    model = Scripted({"audit": ModelTimeout("Too slow.")}, capabilities=COMPACT)
    made = asyncio.run(trial(Listener(Setup(memory="none"), model=model), found.items[0]))
    assert made.failed and (made.failed.error, made.failed.message) == ("ModelTimeout", "Too slow.")
