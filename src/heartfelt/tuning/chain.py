"""The forecast as the default recipe makes it: after the cues that the model itself has read."""

import asyncio
from pathlib import Path

import numpy as np

from heartfelt.agents import ForecastEmotion, Perceive, Services, View
from heartfelt.budget import Budget, Meter
from heartfelt.labels import label_set
from heartfelt.models.seam import Model
from heartfelt.records import Dialogue, Forecast
from heartfelt.tuning import corpora
from heartfelt.tuning.measure import ClosedChoice, Floats, Told
from heartfelt.tuning.replies import CORPUS, felt, last_turns

LABELS = label_set("ed32").labels


def after_cues(model: Model, data: Path, *, split: str, turns: int, seed: int, told: Told) -> tuple[Floats, ClosedChoice]:
    """The shares of the 32 emotions for last turns of EmpatheticDialogues, and the true ones."""
    talks = corpora.held_out(CORPUS, data, split)
    asked = last_turns(talks, turns, seed)
    found = asyncio.run(_forecasts(model, asked, f"{split} after cues", told))
    return as_choices(found, felt(talks, asked))


def as_choices(found: list[Forecast], gold: list[str]) -> tuple[Floats, ClosedChoice]:
    """Forecasts as choices among the 32; a model that gives no probabilities is sure of what it says."""
    shares = np.array([[(each.distribution or {each.emotion: 1.0}).get(label, 0.0) for label in LABELS] for each in found])
    right = np.array([LABELS.index(emotion) for emotion in gold])
    return shares, ClosedChoice(prompts=[], options=[], names=LABELS, gold=right)


async def _forecasts(model: Model, asked: list[Dialogue], what: str, told: Told) -> list[Forecast]:
    found: list[Forecast] = []
    for dialogue in asked:
        services = Services(model=model, emit=lambda _event: None, meter=Meter(Budget()))
        seen = await Perceive().run(View(dialogue=dialogue, services=services))
        forecast = await ForecastEmotion().run(View(dialogue=dialogue, services=services, done=(seen,)))
        assert isinstance(forecast.output, Forecast)
        found.append(forecast.output)
        told(what, len(found), len(asked))
    return found
