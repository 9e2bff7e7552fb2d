"""`heartfelt respond`: what goes in, what comes out, what is written."""

import json
from pathlib import Path

import pytest

from heartfelt import Trace
from heartfelt.recipes import RECIPES
from scripts import FULL, REPLY

from .conftest import FINE, SAID, Run, Script, only_document

ASHAMED = {"ok": "no", "finding": "It is shame, not loneliness.", "instruction": "Choose another feeling."}


# ── what goes in ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_reply_alone_is_on_standard_output(run: Run, script: Script):
    done = run("respond", SAID, "--model", script(), "--memory", "none", "--recipe", "reflective")
    assert done.returncode == 0 and done.stdout == f"{REPLY}\n"
    assert [line.split()[1] for line in done.stderr.splitlines() if line.startswith("✓")] == [
        "perceive",
        "forecast",
        "plan",
        "recall",
        "respond",
        "audit",
    ]


@pytest.mark.parametrize("way", ["text", "plain file", "dialogue file", "standard input", "a dash", "JSON on standard input"])
def test_every_way_of_saying_it(run: Run, script: Script, tmp_path: Path, way: str):
    dialogue = json.dumps({"turns": [{"speaker": "Ana", "text": SAID}, {"speaker": "Listener", "text": "Oh."}]})
    (tmp_path / "said.txt").write_text(f"{SAID}\n", "utf-8")
    (tmp_path / "said.json").write_text(dialogue, "utf-8")
    arguments, given = {
        "text": ([SAID], ""),
        "plain file": (["--file", "said.txt"], ""),
        "dialogue file": (["-f", "said.json"], ""),
        "standard input": ([], SAID),
        "a dash": (["-"], f"{SAID}\n"),
        "JSON on standard input": (["-"], dialogue),
    }[way]
    done = run("respond", *arguments, "-r", "direct", "-m", script(), "--out", "out", said=given)
    assert done.returncode == 0 and done.stdout == f"{REPLY}\n"
    last = Trace.read(tmp_path / "out" / "trace.jsonl").start.dialogue.last
    assert (last.text, last.speaker) == (SAID, "Ana" if "JSON" in way or "dialogue" in way else "User")


def test_settings_come_from_the_environment_and_options_win(run: Run, script: Script):
    env = {"HEARTFELT_MODEL": script(), "HEARTFELT_RECIPE": "direct"}
    assert run("respond", SAID, env=env).stdout == f"{REPLY}\n"
    assert run("respond", SAID, "--model", script(respond="Oh dear."), env=env).stdout == "Oh dear.\n"


def test_a_recipe_of_ones_own_is_known(run: Run, script: Script, tmp_path: Path):
    (tmp_path / "mine.py").write_text(
        "from heartfelt.agents import ForecastEmotion, Respond\nfrom heartfelt.recipes import Recipe, register\n"
        "register(Recipe(name='short', summary='two steps', steps=(ForecastEmotion(), Respond())))\n"
    )
    done = run("respond", SAID, "-r", "short", "--json", "-m", script(), env={"HEARTFELT_RECIPES": "mine"})
    assert [step["step"] for step in only_document(done)["passes"][0]["steps"]] == ["forecast", "respond"]


# ── what comes out ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_answers_with_one_json_document(run: Run, script: Script, recipe: str):
    done = run("respond", SAID, "--json", "-r", recipe, "-m", script(), "--memory", "none")
    told = only_document(done)
    assert done.returncode == 0 and done.stderr == ""
    assert told["recipe"] == recipe and told["reply"] == REPLY and told["chosen"] == 0 and told["notices"] == []
    assert tuple(step["step"] for step in told["passes"][0]["steps"]) == RECIPES[recipe].step_names
    assert (told["passes"][0]["audit"] is not None) == (RECIPES[recipe].audit is not None)


def test_a_mended_turn_tells_both_passes(run: Run, script: Script):
    fine = dict.fromkeys(FULL, FINE)
    model = script(
        forecast=[FULL["forecast"] | {"emotion": "lonely"}, FULL["forecast"]],
        audit=[fine | {"forecast": ASHAMED}, fine],
    )
    told = only_document(run("respond", SAID, "-r", "reflective", "-m", model, "--memory", "none", "--json"))
    assert told["chosen"] == 1 and [made["started_from"] for made in told["passes"]] == ["perceive", "forecast"]
    assert told["passes"][1]["instruction"] == "Choose another feeling."
    assert told["passes"][1]["steps"][0] == told["passes"][0]["steps"][0]


@pytest.mark.parametrize("json_", [True, False])
def test_out_gets_the_reply_the_trace_and_the_page(run: Run, script: Script, tmp_path: Path, json_: bool):
    done = run("respond", SAID, "-r", "reflective", "-m", script(), "--memory", "none", "-o", "a/b", *["--json"] * json_)
    folder = tmp_path / "a" / "b"
    assert done.returncode == 0 and sorted(path.name for path in folder.iterdir()) == ["reply.txt", "trace.html", "trace.jsonl"]
    assert (folder / "reply.txt").read_text("utf-8") == f"{REPLY}\n"
    assert REPLY in (folder / "trace.html").read_text("utf-8")
    outcome = Trace.read(folder / "trace.jsonl").outcome
    assert outcome is not None and outcome.reply == REPLY
    if json_:
        told = only_document(done)
        assert told["passes"] == json.loads(outcome.model_dump_json())["passes"]


def test_a_budget_of_one_call_still_answers_and_says_what_was_left_out(run: Run, script: Script):
    told = only_document(run("respond", SAID, "--json", "-m", script(), "--memory", "none", "--max-calls", "1"))
    assert told["reply"] == REPLY and "forecast" in told["left_out"]


def test_exemplars_are_recalled_from_the_starter_memory(run: Run, script: Script):
    told = only_document(run("respond", SAID, "--json", "-r", "reflective", "-m", script()))
    recalled = next(step for step in told["passes"][0]["steps"] if step["step"] == "recall")
    assert len(recalled["output"]["found"]) <= 1 and told["reply"] == REPLY


def test_a_planted_fault_is_marked(run: Run, script: Script):
    told = only_document(
        run("respond", SAID, "--json", "-r", "reflective", "-m", script(), "--memory", "none", "--plant", "plan.tone=playful")
    )
    plan = next(step for step in told["passes"][0]["steps"] if step["step"] == "plan")
    assert (
        plan["planted"]
        and not plan["edited"]
        and told["passes"][0]["audit"]["verdicts"][2]
        == {
            "step": "plan",
            "ok": False,
            "confidence": None,
        }
    )
    assert told["chosen"] == 1
