"""A folder of exchanges, openings and ratings becomes lessons; of writers left out nothing is learnt."""

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from heartfelt.errors import InputError
from heartfelt.tuning.words.corpus import WordsCorpus
from heartfelt.tuning.words.lessons import WordsLesson, WordsLessons

from .test_teach import EXCHANGE, Letters

OPENING = {"id": "rate-v1-a01", "set": "rate", "turns": ["My tea is cold."], "reference": "Oh no.", "message": "nuisance"}


def _written(folder: Path, **files: list[dict[str, Any]]) -> Path:
    for name, rows in files.items():
        (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    return folder


def _answers(lessons: list[WordsLesson]) -> list[str]:
    return [bytes(t for t in lesson.tokens[lesson.asked :] if t < 256).decode() for lesson in lessons]


def test_what_a_writer_left_out_wrote_is_only_looked_at(tmp_path: Path):
    openings = [
        {**OPENING, "close": "Your tea is cold. How annoying!"},
        {**OPENING, "id": "rate-v8-a01", "close": "It is cold, your tea."},
        {**OPENING, "id": "choose-001", "set": "choose", "close": "Never taught."},
    ]
    rated = {"turns": ["My tea is cold."], "mark": 2, "source": "bank"}
    ratings = [{**rated, "opening": "v1-a01", "reply": "Go on."}, {**rated, "opening": "v8-a01", "reply": "I see."}]
    folder = _written(tmp_path, exchanges=[EXCHANGE.model_dump(mode="json")], openings=openings, ratings=ratings)
    learnt, looked = WordsCorpus.read(folder).lessons(WordsLessons(Letters()), Random(0), ("v8",))
    assert {EXCHANGE.close, "Your tea is cold. How annoying!", '{"kind": "nuisance"', "Go on."} <= set(_answers(learnt))
    assert sorted(_answers(looked)) == ["I see.", "It is cold, your tea.", '{"kind": "nuisance"']
    assert [lesson.mark for lesson in looked if lesson.mark] == [2]


def test_a_message_of_a_talk_is_answered_after_what_was_really_said(tmp_path: Path):
    _written(tmp_path, exchanges=[], openings=[], ratings=[])
    turn = {"p": "Hello", "kind": "chat", "good": "Hello! How are you?", "said": "Oh dear."}
    talk = {"id": "e1-01", "turns": [turn, {**turn, "p": "What is wrong?", "good": "Nothing, sorry."}]}
    _written(tmp_path, talk=[talk])
    learnt, _ = WordsCorpus.read(tmp_path, [tmp_path / "talk.jsonl.gz"]).lessons(WordsLessons(Letters()), Random(0))
    last = next(lesson for lesson in learnt if _answers([lesson]) == ["Nothing, sorry."])
    asked = bytes(t for t in last.tokens[: last.asked] if t < 256).decode()
    assert "Oh dear." in asked and "Hello! How" not in asked and "What is wrong?" in asked


def test_a_folder_without_one_of_the_files_is_named(tmp_path: Path):
    with pytest.raises(InputError, match=r"There is no exchanges\.jsonl\.gz in"):
        WordsCorpus.read(tmp_path)


def test_what_nobody_answered_in_a_few_words_is_left_to_the_model_turn_by_turn(tmp_path: Path):
    first, *_, last = EXCHANGE.turns
    brief = {"id": "w00-001", "writer": "w00", "turns": [first], "brief": "Oh, that's a change."}
    left = EXCHANGE.model_copy(update={"id": "w05-001", "writer": "w05", "turns": ("I sold my car.",)})
    exchanges = [exchange.model_dump(mode="json") for exchange in (EXCHANGE, EXCHANGE, left)]
    corpus = WordsCorpus.read(_written(tmp_path, exchanges=exchanges, openings=[], ratings=[], brief=[brief]))
    (found,) = corpus.unanswered()
    assert found.turns[0].text == first and found.last.text == last
    assert [dialogue.last.text for dialogue in corpus.unanswered(left_out=())] == [last, "I sold my car."]


def test_of_two_answers_the_one_that_raters_preferred_comes_first(tmp_path: Path):
    def row(reply: str, mark: float, opening: str = "v1-a01", **more: object) -> dict[str, Any]:
        return {
            "opening": opening,
            "turns": ["My tea is cold."],
            "reply": reply,
            "mark": mark,
            "source": "x",
            "brief": True,
            **more,
        }

    ratings = [
        row("Oh no.", 4),
        row("Oh no.", 3),
        row("Lovely!", 1),
        row("Hm.", 3),
        row("Ha.", 2),
        row("Long.", 1, brief=False),
        row("Oh no, poor you!", 5, source="short"),
    ]
    ratings += [{**row("Left out.", 1, "v8-a01"), "turns": ["Hi."]}, {**row("Hello!", 5, "v8-a01"), "turns": ["Hi."]}]
    short = {"id": "t-1", "writer": "t", "turns": ["My tea is cold."], "brief": "Cold tea, what a shame."}
    folder = _written(tmp_path, exchanges=[], openings=[], ratings=ratings, brief=[short])
    pairs = list(WordsCorpus.read(folder).preferences(Random(0), ("v8",)))
    written = [pair for pair in pairs if pair.better == short["brief"]]
    assert len(pairs) <= 4 and written and "Long." not in {pair.worse for pair in pairs}
    assert all(pair.turns == ("My tea is cold.",) and pair.by >= 1 for pair in pairs)
    assert pairs[0].worse == "Lovely!" and not {"Lovely!", "Oh no, poor you!"} & {pair.better for pair in pairs}
