"""A run can be stopped anywhere and goes on; a folder holds trials of one thing only."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.evaluation.faults.auditors import COMPACT, Auditor, made_up, oracle
from tests.evaluation.made_up import empathetic, meld
from typer import Typer
from typer.testing import CliRunner

from heartfelt.cli.faults import faults
from heartfelt.errors import ModelTimeout, UsageError
from heartfelt.evaluation.faults.figures import figures
from heartfelt.evaluation.faults.passes import Passes, passes
from heartfelt.evaluation.faults.run import FaultsFolder, run
from heartfelt.evaluation.faults.trial import Trial
from heartfelt.evaluation.tasks import Protocol
from heartfelt.listener import Listener
from heartfelt.models import Scripted
from heartfelt.setup import Setup


def carried_out(folder: Path, found: Passes, listener: Listener) -> list[Trial]:
    return asyncio.run(run(FaultsFolder(folder), found, listener))


def test_a_killed_run_goes_on(tmp_path: Path):
    found = made_up(tmp_path / "data", limit=6)
    auditor = Auditor(found, oracle)
    first = carried_out(tmp_path / "out", found, auditor.listener)
    file = tmp_path / "out" / "trials.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:4]) + lines[4][:30])
    asked = auditor.model.calls.copy()
    told: list[tuple[int, int]] = []
    again = asyncio.run(
        run(FaultsFolder(tmp_path / "out"), found, auditor.listener, lambda _trial, done, of, _left: told.append((done, of)))
    )
    assert [t.model_copy(update={"ms": 0}) for t in again] == [t.model_copy(update={"ms": 0}) for t in first]
    assert told == [(5, 6), (6, 6)] and auditor.model.calls["audit"] > asked["audit"]
    assert len(file.read_bytes().splitlines()) == 6
    FaultsFolder(tmp_path / "out").finish(figures(again))
    assert json.loads((tmp_path / "out" / "faults.json").read_text())["figures"]["trials"] == 6


def test_more_of_the_same_is_added_and_something_else_is_refused(tmp_path: Path):
    few, more = made_up(tmp_path / "data", limit=3), made_up(tmp_path / "data", limit=5)
    carried_out(tmp_path / "out", few, Auditor(few, oracle).listener)
    auditor = Auditor(more, oracle)
    assert len(carried_out(tmp_path / "out", more, auditor.listener)) == 5
    other = few._replace(protocol=few.protocol.model_copy(update={"seed": 1}))
    with pytest.raises(UsageError, match="other passes settings"):
        carried_out(tmp_path / "out", other, auditor.listener)
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        carried_out(file, few, auditor.listener)


def test_what_failed_is_tried_again(tmp_path: Path):
    found = made_up(tmp_path / "data", limit=2)
    broken = Scripted({"audit": ModelTimeout("Too slow.")}, capabilities=COMPACT)
    first = carried_out(tmp_path / "out", found, Listener(Setup(memory="none"), model=broken))
    assert any(each.failed for each in first)
    assert not any(each.failed for each in carried_out(tmp_path / "out", found, Auditor(found, oracle).listener))


def test_corpora_with_other_emotions_take_part_with_what_has_a_word(tmp_path: Path):
    protocol = Protocol(task="audit", dataset="meld", split="dev", recipe="reflective", turns="all")
    found = passes(meld(tmp_path), protocol)
    assert not found.exact and found.items
    assert {item.gold.emotion for item in found.items} <= {"angry", "joyful", "sad", "surprised", "disgusted", "afraid"}
    assert all(turn.emotion is None for item in found.items for turn in item.dialogue.turns)
    assert passes(tmp_path, protocol.model_copy(update={"limit": 1})).items[0] in found.items


def test_the_command(tmp_path: Path):
    fine = {"ok": "yes", "finding": "none", "instruction": "none"}
    steps = ("perceive", "forecast", "plan", "respond")
    script = tmp_path / "script.json"
    script.write_text(
        json.dumps(
            {
                "audit": dict.fromkeys(steps, fine),
                "perceive": {"cues": [{"source": "words", "quote": "walrus", "meaning": "tired"}], "summary": "Tired."},
                "forecast": {"why": "So it is.", "emotion": "sad", "conflict": "none"},
                "plan": {"why": "It fits.", "goal": "validate", "stance": "friend", "tactic": "reflecting the feeling"}
                | {"tone": "warm"},
                "respond": "That must have been a lot for one day.",
            }
        )
    )
    app = Typer()
    app.command()(faults)
    data, out = str(empathetic(tmp_path / "data")), str(tmp_path / "out")
    options = ["--dataset", "empathetic_dialogues", "--split", "valid", "--recipe", "reflective", "--limit", "6"]
    options += ["--model", f"scripted:{script}", "--memory", "none", "--out", out]
    shown = CliRunner().invoke(app, [data, *options], catch_exceptions=False)
    assert shown.exit_code == 0 and "code checks alone" in shown.stdout and "6 passes" in shown.stdout
    told = json.loads(CliRunner().invoke(app, [data, *options, "--json"], catch_exceptions=False).stdout)
    assert told["trials"] == 6 and [each["by"] for each in told["blame"]] == ["audit", "code", "model"]
