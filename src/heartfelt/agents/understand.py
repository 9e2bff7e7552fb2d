"""understand: what happened, what it means to the person, and of what kind the message is: what the reply stands on."""

import csv
import time
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import ClassVar

from heartfelt.agents.agent import Agent, Answer, finished
from heartfelt.agents.bank import KINDS
from heartfelt.agents.respond import Respond
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput
from heartfelt.models.seam import Model, Schema, fields, one_of, text
from heartfelt.prompts import Prompt
from heartfelt.records import Forecast, Output, Situation, StepRecord

UNCLEAR = 2
"""Words up to which nobody can know what is meant."""
LONGEST = 240
"""Characters of a meaning: one sentence. A small model is not asked for it: its replies are hardly better, and later."""


@dataclass(frozen=True, kw_only=True)
class Understand(Agent):
    name: ClassVar[str] = "understand"

    async def run(self, view: View) -> StepRecord:
        if _understands(view.model_for(self.name)):
            return await super().run(view)
        started = time.perf_counter()
        return finished(self.name, view, _by_feeling(view), [], (), started)

    def prompt(self, view: View, model: Model, schema: Schema | None) -> Prompt:
        """A model that marks replies is asked in the very words in which it will be asked for one: it reads them once."""
        if model.capabilities.marks:
            return Respond().prompt(replace(view, done=(), instruction=""), model, None)
        return super().prompt(view, model, schema)

    def schema(self, view: View, *, compact: bool) -> Schema:
        kind = one_of(tuple(KINDS))
        if compact:
            return fields(kind=kind)
        return fields(meaning=text(LONGEST, hint="what happened and what it means to them, in one plain sentence"), kind=kind)

    def values(self, view: View) -> dict[str, dict[str, str]]:
        return {"kinds": KINDS}

    def record(self, answer: Answer, view: View) -> Output:
        said = str(answer.value["kind"]).strip().lower()
        if said not in KINDS:
            raise BadOutput(f"'{said}' is no kind of message. Choose one of: {', '.join(KINDS)}.", raw=said)
        odds = answer.probabilities.get("kind")
        meaning = str(answer.value.get("meaning", "")).strip()
        return Situation(message=said, meaning=meaning, confidence=odds[said] if odds else None, distribution=odds)


def _understands(model: Model) -> bool:
    """Whoever can mark a reply has understood what it answers; so has any model that follows instructions."""
    return model.capabilities.marks or model.capabilities.profile == "full"


def _by_feeling(view: View) -> Situation:
    """For a model that is too small to tell: what kinds of messages people with such feelings write."""
    forecast = view.find(Forecast)
    if len(view.dialogue.last.text.split()) <= UNCLEAR or forecast is None:
        return Situation(message="unclear")
    feelings = forecast.distribution or {forecast.emotion: 1.0}
    known = {feeling: share for feeling, share in feelings.items() if feeling in kinds_of_feelings()}
    odds = {kind: sum(share * kinds_of_feelings()[feeling][kind] for feeling, share in known.items()) for kind in KINDS}
    total = sum(odds.values())
    if not total:
        return Situation(message="unclear")
    odds = {kind: share / total for kind, share in odds.items()}
    likeliest = max(odds, key=lambda kind: odds[kind])
    return Situation(message=likeliest, confidence=odds[likeliest], distribution=odds)


@cache
def kinds_of_feelings() -> dict[str, dict[str, float]]:
    """How often a message of somebody who feels so is of each kind, in the exchanges that were written for Heartfelt."""
    text = files("heartfelt.agents").joinpath("kinds.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return {row["feeling"]: {kind: float(row[kind]) for kind in KINDS} for row in rows}
