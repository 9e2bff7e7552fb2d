from pathlib import Path

import numpy as np
import pytest

from heartfelt.expression.persona import persona_named
from heartfelt.expression.proof import grid
from heartfelt.expression.proof.grid import EMOTIONS, SENTENCES, FilmCell, ProofGrid

CLASS = {"neutral": "neutral", "happy": "joy", "sad": "sadness"}


def cell(
    persona: str = "maya", emotion: str = "happy", *, right: bool = True, offset: float = 0.0, rose: float = 1.0
) -> FilmCell:
    seen = CLASS.get(emotion, emotion) if right else "neutral"
    chance = np.random.default_rng(sum(map(ord, persona)))
    return FilmCell(
        persona=persona,
        emotion=emotion,
        sentence=0,
        intensity=1.0,
        intended=CLASS.get(emotion, emotion),
        shares={"neutral": 0.4, seen: 0.6},
        network={"neutral": 0.9, "joy": 0.1},
        wanted={"pitch": 2.0, "rate": 0.1},
        measured={"pitch": rose, "rate": -1.0},
        offset=offset,
        curve=_curve(offset),
        speaker=tuple(np.abs(chance.normal(size=8)).tolist()),
    )


def test_shares_are_counted_over_films_and_over_changes():
    cells = [cell(), cell(right=False), cell("omar", rose=-1.0), cell("omar")]
    assert (grid.face_rate(cells).share, grid.face_rate(cells).count) == (0.75, 4)
    assert (grid.voice_rate(cells).share, grid.voice_rate(cells).count) == (0.75, 4)
    assert grid.network_rate(cells).share == 0


def test_an_interval_holds_its_share_and_is_over_people():
    cells = [cell("maya") for _ in range(10)] + [cell("omar", right=False) for _ in range(10)]
    found = grid.face_rate(cells)
    assert (found.low, found.share, found.high) == (0.0, 0.5, 1.0)


def test_offsets_of_each_film_and_of_all_that_one_says():
    cells = [cell(offset=-0.06), cell(offset=0.06), cell("omar", offset=0.1), cell("omar", offset=0.1)]
    assert grid.film_step_rate(cells).share == 0
    assert (grid.step_rate(cells).share, grid.step_rate(cells).count) == (0.5, 2)
    assert grid.whole_offset(cells[2:]) == pytest.approx(0.1)


def test_voices_of_one_person_are_alike():
    found = grid.likeness([cell("maya"), cell("maya", "sad"), cell("omar"), cell("omar", "sad")])
    assert found.same == pytest.approx(1.0, abs=1e-3) and found.margin > 0


def test_confusion_is_by_intention():
    assert grid.confusion([cell(), cell(right=False)]) == {"joy": {"joy": 1, "neutral": 1}}


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    asked: list[tuple[str, int, str]] = []
    stops = iter([False] * 9 + [True])

    def cells(self: ProofGrid, persona, sentence: int, emotions):
        for emotion in emotions:
            if next(stops, False):
                raise KeyboardInterrupt
            asked.append((persona.name, sentence, emotion))
            yield cell(persona.name, emotion).model_copy(update={"sentence": sentence})

    monkeypatch.setattr(ProofGrid, "__init__", lambda self, folder: self.__dict__.update(folder=folder, intensity=1.0))
    monkeypatch.setattr(ProofGrid, "_cells", cells)
    people = [persona_named("maya"), persona_named("omar")]
    with pytest.raises(KeyboardInterrupt):
        ProofGrid(tmp_path).run(people, lambda _: None)
    with (tmp_path / "cells.jsonl").open("a") as lines:
        lines.write('\n{"persona": "om')  # as a kill leaves it
    found = ProofGrid(tmp_path).run(people, lambda _: None)
    assert len(found) == len(asked) == len(set(asked)) == 2 * len(EMOTIONS) * len(SENTENCES)


def _curve(offset: float) -> tuple[float, ...]:
    return tuple(np.exp(-np.square((np.arange(-20, 21) / 100 - offset) / 0.08)).tolist())
