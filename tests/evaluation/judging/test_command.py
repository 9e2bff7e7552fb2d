"""`heartfelt judge` as it is used."""

import json
from pathlib import Path

import pytest
import typer
from tests.evaluation.judging.runs import run
from typer.testing import CliRunner

from heartfelt.cli.judge import NAMES, judge
from heartfelt.errors import UsageError
from heartfelt.evaluation.judging.criteria import CRITERIA


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "judge.json"
    path.write_text(json.dumps({"judge": [{"reason": "x", "better": "first"}, {"reason": "y", "better": "second"}]}), "utf-8")
    return f"scripted:{path}"


def _invoke(*arguments: str) -> str:
    app = typer.Typer()
    app.command()(judge)
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_it_judges_tells_and_does_not_ask_again(tmp_path: Path, script: str) -> None:
    run(tmp_path / "run", models=("ollama:gemma2",))
    asked = (str(tmp_path / "run"), "warm-system", "cold-system", "--model", script, "-c", "empathy", "--repeats", "2")
    told = _invoke(*asked)
    assert "on 4 pairs, each in both orders" in told and "flip rate" in told and "repeats agree" in told
    assert "cannot be told from the name" in told
    Path(script.removeprefix("scripted:")).write_text('{"judge": ["mute"]}', "utf-8")
    found = json.loads(_invoke(*asked, "--json").splitlines()[-1])
    assert found["answers"] == 16 and not found["failed"]
    assert found["criteria"][0]["stability"] and found["criteria"][0]["first_place"]


def test_failures_are_told(tmp_path: Path, script: str) -> None:
    run(tmp_path / "run")
    Path(script.removeprefix("scripted:")).write_text('{"judge": ["mute"]}', "utf-8")
    told = _invoke(str(tmp_path / "run"), "warm-system", "cold-system", "-m", script, "-c", "fluency", "--at-once", "2")
    assert "8 questions failed" in told and "--again" in told


def test_a_wrong_run_is_said(tmp_path: Path, script: str) -> None:
    with pytest.raises(UsageError, match="There is no run"):
        _invoke(str(tmp_path), "a", "b", "-m", script)


def test_the_help_names_all_criteria() -> None:
    assert NAMES.split(", ") == list(CRITERIA)
