"""The project's own openings, as a corpus."""

import json
from pathlib import Path

import pytest

from heartfelt.datasets import DatasetNotes, dataset
from heartfelt.errors import UnknownName

OPENINGS = dataset("openings")
SAMPLES = Path(__file__).parents[2] / "samples" / "exchanges"


def test_an_opening_is_answered_by_the_reply_of_a_good_listener():
    found = list(OPENINGS.read(SAMPLES, "everyday"))
    assert len(found) == OPENINGS.splits["everyday"].dialogues
    assert all(len(talk.dialogue.turns) % 2 == 0 and talk.dialogue.turns[-1].speaker == "Listener" for talk in found)


def test_the_set_for_one_last_look_is_read_by_no_experiment():
    with pytest.raises(UnknownName, match="look"):
        list(OPENINGS.read(SAMPLES, "look"))


def test_what_is_broken_is_noted_and_the_rest_is_read(tmp_path: Path):
    rows = [
        {"id": "a", "set": "choose", "turns": ["My dog died."], "reference": "I'm so sorry.", "emotion": "sad"},
        {"id": "b", "set": "choose", "turns": ["Hi.", "Hello."], "reference": "What happened?"},
        {"id": "c", "set": "choose", "turns": ["It rains."], "reference": "Again?", "emotion": "wet"},
        {"id": "d", "set": "choose"},
        {"id": "e", "set": "look", "turns": ["Guess."], "reference": "No."},
    ]
    (tmp_path / "openings.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    notes = DatasetNotes()
    read = list(OPENINGS.read(tmp_path, "choose", notes))
    assert [(talk.dialogue.id, talk.dialogue.turns[0].emotion) for talk in read] == [("a", "sad"), ("c", None)]
    assert notes.counts == {"row": 2, "label": 1}
