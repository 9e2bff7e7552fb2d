"""Answers in the form of the AvaMERG challenge."""

from pathlib import Path

import pytest
from tests.evaluation import made_up
from tests.evaluation.experiments.lab import experiment, run

from heartfelt.errors import InputError, UnknownName
from heartfelt.evaluation.experiments import Results
from heartfelt.evaluation.report.submission import submission


def test_a_run_becomes_a_submission(tmp_path: Path):
    made_up.avamerg(tmp_path / "corpus")
    tasks = {
        "test": {
            "task": "respond",
            "dataset": "avamerg",
            "split": "test",
            "turns": "open",
            "memory": "none",
            "folder": str(tmp_path / "corpus"),
        }
    }
    conditions = {"reflective": {"recipe": "reflective"}, "direct": {"recipe": "direct"}}
    results = Results(run(experiment(tmp_path, tasks=tasks, conditions=conditions), tmp_path / "run"))
    answers = submission(results, "reflective")
    assert [each.conversation_id for each in answers] == [7, 8]
    assert {each.emotion for each in answers} == {"sad"}
    item = results.items["test"][results.answered(results.places[0])[0].item]
    assert item.turn_id and item.turn_id in {str(turn.turn_id) for each in answers for turn in each.turns}
    with pytest.raises(InputError, match="names no emotion"):
        submission(results, "direct")
    with pytest.raises(UnknownName, match="AvaMERG"):
        submission(results, "trace")
