"""forecast (A2, the Consistency-Aware Emotion Forecaster): the emotion that should guide the reply, and how sure.

With `recognise=True` it asks for the emotion that the speaker feels now instead, as TRACE, Empatheia and E3RG do.
"""

import time
from dataclasses import dataclass
from typing import Any, ClassVar

from heartfelt.agents.agent import Agent, ParsedAnswer, finished
from heartfelt.agents.classifier import FEELINGS
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput
from heartfelt.labels import fold, label_set
from heartfelt.models.seam import Schema, fields, one_of, text
from heartfelt.prompts import PromptFolder
from heartfelt.records import Finding, Forecast, Output, Scores, Situation, StepRecord

HARDLY = 0.02
"""Beside the likeliest feeling, the share below which one is wrong."""


@dataclass(frozen=True, kw_only=True)
class ForecastEmotion(Agent):
    name: ClassVar[str] = "forecast"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)
    labels: str = "ed32"
    recognise: bool = False

    @property
    def prompt_file(self) -> str:
        return "recognise" if self.recognise else "forecast"

    async def run(self, view: View) -> StepRecord:
        """What was understood already is not asked a second time."""
        if (feelings := self._felt(view)) is None:
            return await super().run(view)
        started = time.perf_counter()
        answer = ParsedAnswer({"emotion": max(feelings, key=lambda each: feelings[each])}, {"emotion": feelings})
        forecast = self.record(answer, view)
        return finished(self.name, view, forecast, [], self.check(forecast, view), started)

    def costs(self, view: View) -> int:
        return super().costs(view) if self._felt(view) is None else 0

    def _felt(self, view: View) -> Scores | None:
        """How likely each feeling is, where whoever understood the message has told; without one that was refused."""
        understood = view.find(Situation)
        if understood is None or not understood.feelings or self.recognise or self.labels != FEELINGS:
            return None
        left = {each: share for each, share in understood.feelings.items() if each != _refused(view)}
        total = sum(left.values())
        return {each: share / total for each, share in left.items()}

    def values(self, view: View) -> dict[str, Any]:
        """The compact prompt names the set where it is not the usual one: the options alone would come too late."""
        return {"labels": "" if self.labels == "ed32" else self.labels}

    def schema(self, view: View, *, compact: bool) -> Schema:
        options = list(label_set(self.labels).labels)
        if compact:
            return fields(emotion=one_of([option for option in options if option != _refused(view)]))
        return fields(
            why=text(400, hint=self.folder.hint("why")),
            emotion=one_of(options),
            conflict=text(200, hint=self.folder.hint("conflict")),
        )

    def record(self, answer: ParsedAnswer, view: View) -> Output:
        word = str(answer.value["emotion"])
        folded = fold(word, self.labels)
        if folded.label is None:
            raise BadOutput(f"'{word}' is none of the emotions asked for.", raw=word)
        emotion, distribution = folded.label, answer.probabilities.get("emotion")
        said = str(answer.value.get("conflict", "")).strip()
        conflict = "" if said.lower().rstrip(".") in ("none", "no", "no conflict", "n/a") else said
        readings = view.dialogue.last.readings
        if not conflict and readings and readings.conflict:
            conflict = readings.conflict.text
        return Forecast(
            emotion=emotion,
            labels=self.labels,
            confidence=distribution.get(emotion) if distribution else None,
            distribution=distribution,
            conflict=conflict,
            why=str(answer.value.get("why", "")).strip(),
        )

    def check(self, output: Output, view: View) -> tuple[Finding, ...]:
        assert isinstance(output, Forecast)
        if output.emotion in label_set(output.labels).labels:
            return self._beside(output, view.find(Situation))
        return (self.finding("unknown", forecast=output, labels=label_set(output.labels).labels),)

    def _beside(self, forecast: Forecast, understood: Situation | None) -> tuple[Finding, ...]:
        """A feeling that whoever understood the message thinks hardly possible is wrong, whoever forecast it."""
        odds = understood.feelings if understood and forecast.labels == FEELINGS else None
        if not odds or odds.get(forecast.emotion, 0.0) >= HARDLY * max(odds.values()):
            return ()
        likely = max(odds, key=lambda each: odds[each])
        return (self.finding("unlikely", emotion=forecast.emotion, likely=likely),)


def _refused(view: View) -> str | None:
    """The emotion that an audit has just refused: a small model that is told so must not be able to say it again."""
    return view.previous.emotion if view.instruction and isinstance(view.previous, Forecast) else None
