"""plan (A3, the Pragmatic Strategy Planner): goal, stance, tactic and tone of the reply.

The four vocabularies are closed, so that plans can be counted, compared and checked against the emotion.
"""

from dataclasses import dataclass
from typing import ClassVar

from heartfelt.agents.agent import Agent, ParsedAnswer
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput
from heartfelt.labels.leaning import leaning
from heartfelt.models.seam import Schema, fields, one_of, text
from heartfelt.prompts import PromptFolder
from heartfelt.records import Finding, Forecast, Output, Plan

GOALS = ("comfort", "reassure", "validate", "encourage", "celebrate", "explore", "calm", "connect")
STANCES = ("friend", "ally", "witness", "companion", "admirer", "coach", "peer", "confidant")
TACTICS = (
    "reflecting the feeling",
    "asking an open question",
    "naming what was hard",
    "affirming a strength",
    "sharing the joy",
    "normalising the reaction",
    "offering a perspective",
    "thanking for the trust",
)
TONES = ("gentle", "warm", "calm", "steady", "tender", "bright", "playful", "sincere")
DIMENSIONS = {"goal": GOALS, "stance": STANCES, "tactic": TACTICS, "tone": TONES}

UNFIT_FOR_PAIN = {
    ("goal", "celebrate"),
    ("stance", "admirer"),
    ("tactic", "sharing the joy"),
    ("tone", "bright"),
    ("tone", "playful"),
}
UNFIT_FOR_JOY = {("goal", "comfort"), ("goal", "calm"), ("tactic", "naming what was hard")}
ASKS = {"goal": ("explore",), "tactic": ("asking an open question",)}
"""What a person needs whose face says one thing and whose words say another: to be asked, not to be told how they feel."""


@dataclass(frozen=True, kw_only=True)
class MakePlan(Agent):
    name: ClassVar[str] = "plan"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)

    def informs(self, view: View) -> bool:
        return False

    def schema(self, view: View, *, compact: bool) -> Schema:
        chosen = {dimension: one_of(self._options(dimension, view, compact=compact)) for dimension in DIMENSIONS}
        return fields(**chosen) if compact else fields(why=text(300, hint=self.folder.hint("why")), **chosen)

    def _options(self, dimension: str, view: View, *, compact: bool) -> tuple[str, ...]:
        """All of them; a small model that mends its plan cannot choose again what does not fit."""
        options = DIMENSIONS[dimension]
        if compact and _contradicted(view) and dimension in ASKS:
            return ASKS[dimension]
        if not (compact and view.instruction):
            return options
        unfit = _unfit(view)
        return tuple(option for option in options if (dimension, option) not in unfit)

    def record(self, answer: ParsedAnswer, view: View) -> Output:
        chosen: dict[str, str] = {}
        for dimension, options in DIMENSIONS.items():
            said = str(answer.value[dimension]).strip().lower()
            if said not in options:
                raise BadOutput(f"'{said}' is no {dimension}. Choose one of: {', '.join(options)}.", raw=said)
            chosen[dimension] = said
        return Plan.model_validate({**chosen, "why": str(answer.value.get("why", "")).strip()})

    def check(self, output: Output, view: View) -> tuple[Finding, ...]:
        assert isinstance(output, Plan)
        forecast, unfit = view.find(Forecast), _unfit(view)
        wrong = [getattr(output, dimension) for dimension in DIMENSIONS if (dimension, getattr(output, dimension)) in unfit]
        if forecast is None or not wrong:
            return ()
        return (self.finding("unfit", wrong=wrong, emotion=forecast.emotion),)


def _contradicted(view: View) -> bool:
    """The senses contradict each other."""
    readings = view.dialogue.last.readings
    return bool(readings and readings.conflict)


def _unfit(view: View) -> set[tuple[str, str]]:
    """The choices that the forecast emotion rules out."""
    forecast = view.find(Forecast)
    leans = leaning(forecast.emotion) if forecast else 0
    return {-1: UNFIT_FOR_PAIN, 0: set[tuple[str, str]](), 1: UNFIT_FOR_JOY}[leans]
