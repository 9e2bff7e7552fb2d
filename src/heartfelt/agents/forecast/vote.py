"""vote (E3RG): the emotion decided by several voters, models where there are several, else samples of one."""

import asyncio
import time
from dataclasses import dataclass
from typing import ClassVar, Literal

from heartfelt.agents.agent import finished
from heartfelt.agents.forecast import ForecastEmotion
from heartfelt.agents.view import View
from heartfelt.errors import ModelError
from heartfelt.labels import label_set
from heartfelt.models.seam import Model
from heartfelt.records import Call, Forecast, StepRecord
from heartfelt.voting import Tally, Vote, disagreement, majority, weighted

SURE = 0.6
"""Disagreement above this is reported as a conflict."""


@dataclass(frozen=True, kw_only=True)
class VoteOnEmotion(ForecastEmotion):
    """The forecast step, asked several times. `weighted` pools distributions, `majority` counts first choices."""

    name: ClassVar[str] = "forecast"
    recognise: bool = True
    samples: int = 3
    temperature: float = 0.7
    rule: Literal["majority", "weighted"] = "weighted"

    async def run(self, view: View) -> StepRecord:
        started = time.perf_counter()
        asked = await asyncio.gather(*(self._ballot(view, model, sample) for model, sample in self._ballots(view)))
        votes = [vote for vote, _, _ in asked]
        if all(vote.ballot is None for vote in votes):
            raise next(error for _, _, error in asked if error is not None)
        order = label_set(self.labels).labels
        tally = (weighted if self.rule == "weighted" else majority)(votes, label_order=order)
        calls = [call for _, made, _ in asked for call in made]
        decided = self._decide(tally, votes)
        return finished(self.name, view, decided, calls, self.check(decided, view), started)

    def costs(self, view: View) -> int:
        return len(self._ballots(view))

    def _ballots(self, view: View) -> list[tuple[Model, int]]:
        """Who is asked, and which sample it is."""
        voters = [view.model_for(self.name), *view.services.voters]
        return [(model, sample) for sample in range(self.samples if len(voters) == 1 else 1) for model in voters]

    async def _ballot(self, view: View, model: Model, sample: int) -> tuple[Vote, list[Call], ModelError | None]:
        """A voter that cannot be reached or gives no usable answer casts no vote; the others still decide."""
        calls, voter = list[Call](), f"{model.name} #{sample + 1}"
        try:
            output = await self.asked(view, model, calls, seed=sample + 1)
        except ModelError as error:
            return Vote(voter=voter, ballot=None), calls, error
        assert isinstance(output, Forecast)
        return Vote(voter=voter, ballot=output.distribution or output.emotion), calls, None

    def _decide(self, tally: Tally, votes: list[Vote]) -> Forecast:
        split = disagreement(votes)
        others = ", ".join(f"{cast.voter}: {cast.label}" for cast in tally.cast if cast.label != tally.winner)
        counted = f"{sum(cast.label == tally.winner for cast in tally.cast)} of {len(tally.cast)} voters"
        silent = f"; no vote from {', '.join(tally.silent)}" if tally.silent else ""
        return Forecast(
            emotion=tally.winner,
            labels=self.labels,
            confidence=tally.scores[tally.winner],
            distribution=dict(tally.scores),
            conflict=others if split.score > SURE else "",
            why=f"{counted}, {self.rule}; tie rule: {tally.tie}{silent}",
        )
