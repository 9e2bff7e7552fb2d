"""Each reply is scored once, whatever stops the run in between."""

from pathlib import Path

import pytest
from tests.evaluation.made import row as metric_row

from heartfelt.errors import InputError
from heartfelt.evaluation.experiments.answered import AnsweredRow, Failed, GridPlace
from heartfelt.evaluation.experiments.folder import DrawnItem, RunFolder
from heartfelt.evaluation.experiments.results import Scored
from heartfelt.evaluation.lines import Lines
from heartfelt.evaluation.metrics import measure, metric_named
from heartfelt.evaluation.metrics.rows import Likelihood
from heartfelt.evaluation.scoring import score
from heartfelt.evaluation.scoring.brain import Brain
from heartfelt.evaluation.scoring.score import ByBrain, ByRule, Likelihoods, score_with
from heartfelt.evaluation.tasks.item import Gold, Item
from heartfelt.records import Dialogue, Turn

REPLIES = {"a": "I am so sorry.", "b": "I am so sorry.", "c": "What happened then?", "d": ""}


def folder_with(path: Path, *, model: str = "embedded:", said: str = "My kite is gone.") -> RunFolder:
    """A run of two items and four conditions; one of them said nothing."""
    path.mkdir(exist_ok=True)
    items = [
        Item(
            id=f"talk{n}#0",
            place=0,
            dialogue=Dialogue(id=f"talk{n}", turns=(Turn(speaker="Ana", text=f"{said} {n}"),)),
            gold=Gold(),
        )
        for n in range(2)
    ]
    (path / "items.jsonl").write_text("".join(DrawnItem(task="t", item=item).model_dump_json() + "\n" for item in items))
    rows = [
        AnsweredRow(place=GridPlace(task="t", model=model, seed=0, condition=name), item=item.id, reply=reply)
        for item in items
        for name, reply in REPLIES.items()
    ]
    broken = rows[0].model_copy(update={"item": "talk0#0", "failed": Failed(error="BadOutput", message="No.")})
    (path / "rows.jsonl").write_text("".join(row.model_dump_json() + "\n" for row in (*rows, broken)))
    return RunFolder(path)


def _dialogue(name: str, said: str) -> Dialogue:
    return Dialogue(id=name, turns=(Turn(speaker="Ana", text=said),))


class Counting:
    """Marks a reply by its length, and counts how often it is asked."""

    names = ("length",)

    def __init__(self, stops_after: int = 99):
        self.asked, self._left = list[str](), stops_after

    def scores(self, dialogue: Dialogue, reply: str) -> Scored:
        if not self._left:
            raise KeyboardInterrupt
        self._left -= 1
        self.asked.append(f"{dialogue.id}: {reply}")
        return Scored(id="", judged={"length": float(len(reply))})

    def close(self) -> None: ...


def scores(folder: RunFolder) -> list[Scored]:
    return list(Lines(folder.path / "scores.jsonl", Scored))


def test_the_same_words_are_scored_once(tmp_path: Path):
    folder, counting, told = folder_with(tmp_path), Counting(), list[tuple[int, int]]()
    score_with(folder, [counting], lambda done, of: told.append((done, of)))
    assert len(counting.asked) == 4 == len(set(counting.asked))
    assert {each.id: each.judged["length"] for each in scores(folder)} == {
        f"t/embedded:/0/{name}/talk{n}#0": len(reply) for n in range(2) for name, reply in REPLIES.items() if reply
    }
    assert told[-1] == (6, 6)
    score_with(folder, [counting])
    assert len(counting.asked) == 4 and len(scores(folder)) == 6


def test_a_killed_run_goes_on(tmp_path: Path):
    folder = folder_with(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        score_with(folder, [Counting(stops_after=2)])
    assert len(scores(folder)) == 3
    with (tmp_path / "scores.jsonl").open("a") as file:
        file.write('{"id": "torn')
    counting = Counting()
    score_with(folder, [counting])
    assert len(counting.asked) == 2 and len(scores(folder)) == 6


def test_more_scores_join_those_that_are_there(tmp_path: Path):
    folder = folder_with(tmp_path)
    score_with(folder, [Counting()])

    class Other(Counting):
        names = ("other",)

        def scores(self, dialogue: Dialogue, reply: str) -> Scored:
            return Scored(id="", judged={"other": 1.0})

    score_with(folder, [Other()])
    last = {each.id: each for each in scores(folder)}
    assert all(set(each.judged) == {"length", "other"} for each in last.values())


def test_a_model_is_no_judge_of_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    likely = Scored(id="", likelihoods={name: Likelihood(log_probability=-1, tokens=1) for name in Likelihoods().names})
    monkeypatch.setattr(Likelihoods, "scores", lambda *_: likely)
    for model, held in (("embedded:base", 0), ("ollama:other", 6)):
        folder = folder_with(tmp_path / model.partition(":")[0], model=model)
        score_with(folder, [Likelihoods()])
        assert sum(bool(each.likelihoods) for each in scores(folder)) == held


def test_words_that_the_model_cannot_hold_get_no_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def too_long(*_: object) -> None:
        raise InputError("The prompt has 9999 tokens.")

    monkeypatch.setattr(Brain, "presence", too_long)
    folder = folder_with(tmp_path)
    score_with(folder, [ByRule(), ByBrain()])
    assert all(set(each.judged) == set(ByRule().names) for each in scores(folder))


@pytest.mark.embedded
@pytest.mark.xdist_group("embedded")
def test_a_run_is_scored_by_the_embedded_models(tmp_path: Path):
    folder = folder_with(tmp_path)
    score(folder)
    found = scores(folder)
    assert len(found) == 6
    for each in found:
        assert set(each.likelihoods) == {"smollm2-135m/response-only", "smollm2-135m/after-context"}
        assert len(each.judged) == 6 and all(0 <= mark <= 1 for mark in each.judged.values())
        brain = {name: mark for name, mark in each.judged.items() if "/brain/" in name}
        assert sum(brain.values()) >= 0.999 and set(brain.values()) != {0.0}
    rows = [metric_row(i, likelihoods=each.likelihoods) for i, each in enumerate(found)]
    for name in Likelihoods().names:
        assert all(1 < measure(metric_named(f"{kind}/{name}"), rows).value < 10_000 for kind in ("ppl_corpus", "ppl_response"))
