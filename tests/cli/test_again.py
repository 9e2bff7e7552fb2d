"""`heartfelt replay` and `heartfelt show`: a recorded turn again, as it was or changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from heartfelt import Trace
from scripts import FULL, REPLY

from .conftest import SAID, Run, Script, only_document, only_message


@pytest.fixture
def recorded(run: Run, script: Script, tmp_path: Path) -> Path:
    done = run("respond", SAID, "-r", "reflective", "-m", script(), "--memory", "none", "-o", "first")
    assert done.returncode == 0
    return tmp_path / "first" / "trace.jsonl"


def steps(told: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {step["step"]: step for step in told["passes"][told["chosen"]]["steps"]}


def test_a_whole_turn_again_gives_the_same_records(run: Run, recorded: Path):
    done = run("replay", recorded)
    assert done.returncode == 0 and done.stdout == f"{REPLY}\n"
    assert done.stderr.endswith("The records are the same as in the trace.\n")


def test_another_model_may_answer_otherwise(run: Run, recorded: Path, script: Script):
    done = run("replay", recorded, "--model", script(respond="Oh dear."))
    assert done.stdout == "Oh dear.\n" and done.stderr.endswith("The records differ from the trace.\n")


def test_from_a_step_on_what_stands_before_is_kept(run: Run, recorded: Path, script: Script):
    model = script(perceive=" ", forecast=" ", plan=FULL["plan"] | {"tone": "tender"})
    told = only_document(run("replay", recorded, "--from", "plan", "-m", model, "--json"))
    first = Trace.read(recorded).best.model_dump(mode="json")["steps"]
    assert steps(told)["perceive"] == first[0] and steps(told)["forecast"] == first[1]
    assert steps(told)["plan"]["output"]["tone"] == "tender" and told["passes"][0]["started_from"] == "plan"


def test_a_step_that_is_set_stands_and_is_marked(run: Run, recorded: Path, tmp_path: Path):
    done = run("replay", recorded, "--set", "forecast.emotion=lonely", "--json", "-o", "second")
    told = only_document(done)
    forecast = steps(told)["forecast"]
    assert forecast["output"]["emotion"] == "lonely" and forecast["edited"] and not forecast["planted"]
    verdicts = {verdict["step"]: verdict["ok"] for verdict in told["passes"][0]["audit"]["verdicts"]}
    assert verdicts["forecast"], "a person's word stands"
    again = Trace.read(tmp_path / "second" / "trace.jsonl")
    assert again.outcome is not None and json.loads(again.outcome.model_dump_json())["passes"] == told["passes"]
    shown = run("show", tmp_path / "second" / "trace.jsonl")
    assert shown.returncode == 0 and REPLY in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--set", "forecast.mood=x"), "'forecast.mood' cannot be set to 'x': the fields are emotion, labels"),
        (("--set", "perceive.cues.7.quote=x"), "the list has no item of that number; the first is 0"),
        (("--set", "cause.summary=x"), "There is no step 'cause' in the recipe 'reflective'."),
        (("--set", "plan.tone=warm", "--from", "forecast"), "The edit is on 'plan', which '--from forecast' would make again."),
        (("--from", "nowhere"), "There is no step 'nowhere' in this recipe."),
    ],
)
def test_a_change_that_makes_no_sense(run: Run, recorded: Path, arguments: tuple[str, ...], message: str):
    done = run("replay", recorded, *arguments, "--json")
    assert done.returncode == 2 and message in only_message(done) and only_document(done)["error"]


def test_a_turn_that_failed_goes_on_where_it_stopped(run: Run, script: Script, tmp_path: Path):
    broken = run("respond", SAID, "-r", "reflective", "-m", script(plan="no"), "--memory", "none", "-o", "out")
    assert broken.returncode == 3
    done = run("replay", tmp_path / "out" / "trace.jsonl", "--from", "plan", "-m", script(perceive=" ", forecast=" "))
    assert done.returncode == 0 and done.stdout == f"{REPLY}\n"


def test_show_tells_the_turn_and_writes_the_page(run: Run, recorded: Path, tmp_path: Path):
    shown = run("show", recorded)
    assert shown.returncode == 0 and shown.stdout.startswith(f"User: {SAID}\n✓ perceive") and REPLY in shown.stdout
    assert run("show", recorded, "--html", "deep/page.html").returncode == 0
    assert REPLY in (tmp_path / "deep" / "page.html").read_text("utf-8")


def test_a_page_that_cannot_be_written(run: Run, recorded: Path):
    done = run("show", recorded, "--html", f"{recorded}/page.html")
    assert done.returncode == 2 and "page.html cannot be written: a file is in the way." in only_message(done)


@pytest.mark.parametrize("text", ["", "Hello.", '{"kind": "notice", "text": "x"}\n'])
def test_what_is_no_trace_is_refused(run: Run, tmp_path: Path, text: str):
    (tmp_path / "it.jsonl").write_text(text)
    done = run("show", "it.jsonl")
    assert done.returncode == 2 and "it.jsonl is not a trace" in only_message(done)
