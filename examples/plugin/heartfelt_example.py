"""A recipe, a model back end and a metric that Heartfelt finds once this package is installed."""

from collections.abc import AsyncIterator

import numpy as np

from heartfelt import Recipe
from heartfelt.agents import ForecastEmotion, Respond
from heartfelt.evaluation.metrics import Metric, MetricInfo, MetricTally, Run
from heartfelt.evaluation.metrics.metric import mean_tally
from heartfelt.models import Capabilities, Completion, Model, Request

ONE_SENTENCE = Recipe(
    name="one-sentence",
    summary="the emotion, then one sentence",
    steps=(ForecastEmotion(recognise=True), Respond(sentences=1, words=20)),
)


class Parrot:
    """Says the last line of what it is asked, with a word before it."""

    capabilities = Capabilities(context=4096)

    def __init__(self, word: str):
        self.name, self._word = f"parrot:{word}", word

    async def complete(self, request: Request) -> Completion:
        return Completion(text=f"{self._word} {request.messages[-1].text.splitlines()[-1]}", model=self.name)

    async def stream(self, request: Request) -> AsyncIterator[str | Completion]:
        completion = await self.complete(request)
        yield completion.text
        yield completion

    async def close(self) -> None:
        pass


def open_parrot(rest: str) -> Model:
    """`parrot:Really?` is the address; what stands behind the colon is given here."""
    return Parrot(rest or "So:")


class Asks(Metric):
    @property
    def about(self) -> MetricInfo:
        return MetricInfo(
            name="asks",
            definition="The share of replies that end with a question mark.",
            citation="this package",
            better="neither",
            unit="share",
        )

    def tally(self, run: Run) -> MetricTally:
        asks = np.array([float(reply.rstrip().endswith("?")) for reply in run.replies])
        return mean_tally(run, asks, np.ones(len(run), np.bool_))


ASKS = Asks()
