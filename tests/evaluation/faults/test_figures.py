"""Figures by hand."""

from io import StringIO

import pytest
from rich.console import Console

from heartfelt.errors import InputError
from heartfelt.evaluation.experiments.answered import Failed
from heartfelt.evaluation.faults.estimate import Estimate, share
from heartfelt.evaluation.faults.figures import figures
from heartfelt.evaluation.faults.tables import tables, words
from heartfelt.evaluation.faults.trial import Trial

STEPS = ("perceive", "forecast", "plan", "respond")


def made(number: int, due: str | None, blamed: str | None, **more: object) -> Trial:
    planted = {"faulty": (due,), "planted": (f"{due}: somehow",)} if due else {}
    told = {"item": f"talk{number}#0", "dialogue": f"talk{number}", "steps": STEPS, "blamed": (blamed,)}
    return Trial.model_validate(told | planted | more)


def test_blame_by_hand():
    told = figures(
        [
            made(0, "plan", "plan", by_code="plan"),
            made(1, "plan", "forecast", by_model="forecast"),
            made(2, "respond", None),
            made(3, None, "plan", by_model="plan"),
            made(4, None, None),
        ]
    )
    audit, code, model = told.blame
    plan = audit.steps["plan"]
    assert (plan.precision.value, plan.recall.value, plan.f1.value) == (0.5, 0.5, 0.5)
    assert (plan.precision.cases, plan.recall.cases) == (2, 2)
    assert audit.micro.precision.value == audit.micro.recall.value == pytest.approx(1 / 3)
    assert audit.macro.f1.value == pytest.approx((0 + 0.5 + 0) / 3)  # forecast, plan, respond; nobody thought of perceive
    assert audit.steps["perceive"].f1 == Estimate()
    assert audit.exact.value == 2 / 5 and audit.false_alarms.value == 1 / 2
    assert audit.kinds["plan: somehow"].value == 0.5 and list(audit.kinds) == ["plan: somehow", "respond: somehow"]
    assert audit.confusion["plan"] == {"perceive": 0, "forecast": 1, "plan": 1, "respond": 0, "none": 0}
    assert audit.confusion["none"] == {"perceive": 0, "forecast": 0, "plan": 1, "respond": 0, "none": 1}
    assert code.micro.precision.value == 1 and code.false_alarms.value == 0 and code.exact.value == 3 / 5
    assert model.micro.precision.value == 0 and model.exact.value == 1 / 5


def test_repairs_by_hand():
    right, wrong = {"after": {"plan": True}}, {"after": {"plan": False}}
    told = figures(
        [
            made(0, "plan", "plan", gone=("plan",), changed=("plan",), **right),
            made(1, "plan", "plan", gone=("plan",), changed=("plan",), **wrong),
            made(
                2, "plan", "perceive", gone=("plan",), changed=("plan",), before={"perceive": True}, after={"perceive": False}
            ),
            made(3, "plan", None, **right),
            made(4, None, "plan", changed=("plan",), before={"plan": True}, **right),
            made(5, None, "plan", changed=("plan",), before={"plan": True}, **wrong),
            made(6, None, None, before={"plan": True}, **right),
            made(7, None, None, before={"plan": False}, **wrong),
        ]
    )
    assert told.gone.value == 3 / 4 and told.repaired.value == 1 / 4
    assert told.repaired_of_blamed.value == 1 / 2 and told.repaired_of_blamed.cases == 2
    assert told.repaired_steps["plan"].value == 1 / 4 and told.worse_faulty.value == 1 / 4
    assert told.changed.value == 2 / 4 and told.worse.value == 1 / 4
    assert told.named == Estimate()


def test_both_faults_of_a_pass_must_be_repaired():
    both = {"faulty": ("forecast", "plan"), "planted": ("forecast: far", "plan: of the opposite"), "after": {"forecast": True}}
    half = made(0, None, "forecast", **both, gone=("forecast",))
    assert half.culprit == "forecast" and half.blamed_rightly and not half.repaired


def test_failures_count_nowhere():
    failed = made(0, "plan", None, failed=Failed(error="ModelTimeout", message="Too slow."))
    told = figures([failed, made(1, "plan", "plan")])
    assert (told.trials, told.failed, told.faulty) == (1, 1, 1) and told.blame[0].exact.value == 1
    with pytest.raises(InputError, match="Too slow"):
        figures([failed])


def test_intervals_are_over_dialogues():
    alone = share([f"talk{n}" for n in range(20)], [n % 2 == 0 for n in range(20)])
    alike = share([f"talk{n // 10}" for n in range(20)], [n < 10 for n in range(20)])
    assert alone.value == alike.value == 0.5
    assert alone.low is not None and alone.low > 0.2
    assert (alike.low, alike.high) == (0, 1)
    assert share(["talk0"], [True]) == Estimate(value=1, cases=1)
    assert share([], []) == Estimate()


def test_tables_can_be_printed():
    console = Console(width=200, record=True, file=StringIO())
    for table in tables(figures([made(0, "plan", "plan"), made(1, None, None)])):
        console.print(table)
    text = console.export_text()
    assert "code checks alone" in text and "plan: somehow" in text and "clean: made worse" in text
    assert words(Estimate()) == "·"
    assert words(Estimate(value=0.5, low=0.25, high=0.75, cases=4)) == "0.50 (0.25–0.75) of 4"
