"""vote (E3RG): the emotion decided by several voters, models where there are several, else samples of one."""

import asyncio
import time
from dataclasses import dataclass
from typing import ClassVar, Literal

from heartfelt.agents.agent import finished
from heartfelt.agents.forecast import ForecastEmotion
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput
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
        voters = [view.model_for(self.name), *view.services.voters]
        ballots = [(model, sample) for sample in range(self.samples if len(voters) == 1 else 1) for model in voters]
        asked = await asyncio.gather(*(self._ballot(view, model, sample) for model, sample in ballots))
        votes = [vote for vote, _ in asked]
        if all(vote.ballot is None for vote in votes):
            raise BadOutput("No voter named an emotion. Try again or use a more capable model with --model.")
        order = label_set(self.labels).labels
        tally = (weighted if self.rule == "weighted" else majority)(votes, label_order=order)
        calls = [call for _, made in asked for call in made]
        decided = self._decide(tally, votes)
        return finished(self.name, view, decided, calls, self.check(decided, view), started)

    async def _ballot(self, view: View, model: Model, sample: int) -> tuple[Vote, list[Call]]:
        """A voter that gives no usable answer casts no vote; the others still decide."""
        calls: list[Call] = []
        try:
            output = await self.asked(view, model, calls, seed=sample + 1)
        except BadOutput:
            return Vote(voter=f"{model.name} #{sample + 1}", ballot=None), calls
        assert isinstance(output, Forecast)
        return Vote(voter=f"{model.name} #{sample + 1}", ballot=output.emotion), calls

    def _decide(self, tally: Tally, votes: list[Vote]) -> Forecast:
        split = disagreement(votes)
        others = ", ".join(f"{cast.voter}: {cast.label}" for cast in tally.cast if cast.label != tally.winner)
        counted = f"{sum(cast.label == tally.winner for cast in tally.cast)} of {len(tally.cast)} voters"
        return Forecast(
            emotion=tally.winner,
            labels=self.labels,
            confidence=tally.scores[tally.winner],
            distribution=dict(tally.scores),
            conflict=others if split.score > SURE else "",
            why=f"{counted}, {self.rule}; tie rule: {tally.tie}",
        )
