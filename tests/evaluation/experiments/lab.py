"""A small experiment on made-up dialogues with a scripted model, and a run of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heartfelt.evaluation.experiments import RunFolder, evaluate
from heartfelt.evaluation.experiments.answered import Done, WorkUnit
from heartfelt.evaluation.experiments.experiment import Experiment
from heartfelt.evaluation.experiments.workbench import Workbench

SAMPLES = Path(__file__).parents[3] / "samples" / "corpora"
SCRIPT: dict[str, Any] = {
    "perceive": {"cues": [{"source": "words", "quote": "the", "meaning": "sad"}], "summary": "Sad."},
    "forecast": {"why": "It hurts.", "emotion": "sad", "conflict": "none"},
    "plan": {"why": "It fits.", "goal": "comfort", "stance": "friend", "tactic": "reflecting the feeling", "tone": "gentle"},
    "respond": "I am so sorry. That sounds very hard for you.",
    "audit": {
        step: {"ok": "yes", "finding": "none", "instruction": "none"} for step in ("perceive", "forecast", "plan", "respond")
    },
}


def script(folder: Path, **changes: Any) -> Path:
    path = folder / "script.json"
    path.write_text(json.dumps(SCRIPT | changes))
    return path


def experiment(folder: Path, **changes: Any) -> Experiment:
    """Two corpora, two recipes and an ablation; no weights are needed."""
    described = {
        "name": "made-up",
        "tasks": {
            "meld": {"task": "respond", "dataset": "meld", "folder": str(SAMPLES / "meld"), "memory": "none"},
            "ed": {
                "task": "respond",
                "dataset": "empathetic_dialogues",
                "folder": str(SAMPLES / "empathetic_dialogues"),
                "memory": "none",
                "limit": 5,
            },
        },
        "models": [f"scripted:{script(folder)}"],
        "conditions": {
            "direct": {"recipe": "direct"},
            "reflective": {"recipe": "reflective"},
            "without audit": {"recipe": "reflective", "without": ["audit"], "limit": 3},
        },
    }
    return Experiment.model_validate(described | changes)


def answer_in_turn(path: Path, units: list[WorkUnit], _slots: int) -> Iterator[Done]:
    """An engine without processes."""
    import asyncio

    bench = Workbench(path)
    with asyncio.Runner() as runner:
        for unit in units:
            yield runner.run(bench.answer(unit))


def run(plan: Experiment, path: Path, **options: Any) -> RunFolder:
    folder = RunFolder(path)
    evaluate(plan, folder, **{"engine": answer_in_turn, "slots": 1, "beside": path.parent} | options)
    return folder
