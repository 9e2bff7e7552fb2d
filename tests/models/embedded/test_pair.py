"""The two models of the default, the real ones: a whole turn, and what happens where the large one cannot run."""

from pathlib import Path

import pytest

from heartfelt import Dialogue, Listener, Setup, Turn
from heartfelt.agents.respond.brief import OTHERS
from heartfelt.models import embedded, open_model
from heartfelt.models.embedded import EmbeddedModel, EmbeddedPair, machine
from heartfelt.records import Situation

SAID = Dialogue(turns=(Turn(speaker="User", text="my sister packed up her half of the room today. its just a mattress now"),))


@pytest.fixture
def wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEARTFELT_EMBEDDED")


@pytest.mark.xdist_group("large")
@pytest.mark.usefixtures("wanted")
async def test_a_turn_of_both():
    async with Listener(Setup(safety={"on": False})) as listener:
        assert isinstance(listener.model, EmbeddedPair)
        outcome = await listener.answer(SAID)
    kind = outcome.best.output("understand")
    assert isinstance(kind, Situation)
    for odds in (kind.distribution, kind.feelings):
        assert odds and abs(sum(odds.values()) - 1) < 1e-6
    respond = next(record for record in outcome.best.steps if record.step == "respond")
    (call,) = respond.calls
    marks = [draft.mark for draft in call.drafts if draft.mark is not None]
    assert len(marks) == len(call.drafts) in (1, 1 + OTHERS, 2 + OTHERS) and all(0 < mark <= 5 for mark in marks)
    assert outcome.reply == call.raw and call.model.startswith("embedded:words-") and kind.by == "classifier-2"
    assert len(outcome.reply.split()) <= 18, "a few words"


@pytest.mark.usefixtures("wanted")
def test_without_its_weights_or_memory_the_small_one_answers_and_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 4000000 kB\nMemAvailable: 1000000 kB\n")
    monkeypatch.setattr(machine, "_MEMINFO", meminfo)
    model = open_model("embedded:")
    assert isinstance(model, EmbeddedModel) and "2.5 GB of memory, and 1.0 GB are free" in model.instead
    monkeypatch.setattr(machine, "_MEMINFO", tmp_path / "missing")
    assert machine.free_memory() == float("inf")
    monkeypatch.setattr(embedded, "Store", lambda: type("Empty", (), {"has": lambda _self, _name: False})())
    model = open_model("embedded:")
    assert isinstance(model, EmbeddedModel) and model.instead.endswith("heartfelt models pull qwen")


def test_the_small_one_can_be_asked_for():
    assert isinstance(open_model("embedded:small"), EmbeddedModel) and isinstance(open_model("embedded:"), EmbeddedModel)
