"""recall: exemplars from memory for the reply to learn from. No model is asked."""

import time
from dataclasses import dataclass
from typing import ClassVar

from heartfelt.agents.step import Step
from heartfelt.agents.view import View
from heartfelt.labels import label_set, translate
from heartfelt.memory import Guard
from heartfelt.records import Exemplars, Forecast, StepRecord


@dataclass(frozen=True, kw_only=True)
class Recall(Step):
    """Precise search first (same emotion, near in meaning), then fuzzy (near in meaning)."""

    name: ClassVar[str] = "recall"
    asks_model: ClassVar[bool] = False
    top_k: int = 1
    threshold: float = 0.3
    """τ: the least cosine similarity."""

    def informs(self, view: View) -> bool:
        return False

    async def run(self, view: View) -> StepRecord:
        started = time.perf_counter()
        memory, forecast = view.services.memory, view.find(Forecast)
        found = ()
        if memory is not None and self.top_k > 0:
            found = memory.search(
                _words_of(view),
                emotion=_alike(forecast) if forecast else None,
                k=self.top_k,
                threshold=self.threshold,
                guard=Guard.of(view.dialogue, scored=view.services.scored | {view.dialogue.split} - {""}),
            )
        ms = (time.perf_counter() - started) * 1000
        return StepRecord(step=self.name, made_in=view.number, output=Exemplars(found=found), ms=ms)


def _alike(forecast: Forecast) -> frozenset[str]:
    """The label itself, and, where it is from a coarser set than the memory's, the fine labels that it covers."""
    fine = (label for label in label_set("ed32").labels if forecast.labels != "ed32")
    covered = {label for label in fine if translate(label, "ed32", forecast.labels, missing="none") == forecast.emotion}
    return frozenset({forecast.emotion, *covered})


def _words_of(view: View) -> str:
    """What the speaker said so far, the latest last: a live user gives no situation text."""
    speaker = view.dialogue.last.speaker
    return " ".join(turn.text for turn in view.dialogue.turns[-6:] if turn.speaker == speaker)
