"""understand: what happened, what it means to the person, and of what kind the message is: what the reply stands on."""

import asyncio
import time
from dataclasses import dataclass, replace
from typing import ClassVar

from heartfelt.agents.agent import Agent, ParsedAnswer, finished
from heartfelt.agents.classifier import FEELINGS
from heartfelt.agents.kinds import KINDS
from heartfelt.agents.respond import Respond
from heartfelt.agents.view import View, classified
from heartfelt.errors import BadOutput
from heartfelt.labels import label_set
from heartfelt.models.seam import Model, Schema, fields, one_of, text
from heartfelt.prompts import Prompt, PromptFolder
from heartfelt.records import Output, Situation, StepRecord

LONGEST = 240
"""Characters of a meaning: one sentence. A small model is not asked for it: its replies are hardly better, and later."""


@dataclass(frozen=True, kw_only=True)
class Understand(Agent):
    name: ClassVar[str] = "understand"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)

    def stands_alone(self, view: View) -> bool:
        return classified(view, self.name) or view.model_for(self.name).capabilities.marks

    def costs(self, view: View) -> int:
        return 0 if classified(view, self.name) else 1

    def can_run(self, view: View) -> bool:
        """Whoever can mark a reply has understood what it answers; so has any model that follows instructions."""
        able = view.model_for(self.name).capabilities
        return able.marks or able.profile == "full" or classified(view, self.name)

    async def run(self, view: View) -> StepRecord:
        classifier = view.services.classifier
        if classifier is None or not classified(view, self.name):
            return await super().run(view)
        started = time.perf_counter()
        kinds, feelings = await asyncio.to_thread(classifier.classify, view.dialogue)
        kind = max(kinds, key=lambda each: kinds[each])
        found = Situation(message=kind, confidence=kinds[kind], distribution=kinds, feelings=feelings, by=classifier.name)
        return finished(self.name, view, found, [], self.check(found, view), started)

    def prompt(self, view: View, model: Model, schema: Schema | None) -> Prompt:
        """A model that marks replies is asked in the very words in which it will be asked for one: it reads them once."""
        if model.capabilities.marks:
            return Respond().prompt(replace(view, done=(), instruction=""), model, None)
        return super().prompt(view, model, schema)

    def schema(self, view: View, *, compact: bool) -> Schema:
        kind = one_of(tuple(KINDS))
        if compact:
            return fields(kind=kind, feeling=one_of(label_set(FEELINGS).labels))
        return fields(meaning=text(LONGEST, hint=self.folder.hint("meaning")), kind=kind)

    def values(self, view: View) -> dict[str, dict[str, str]]:
        return {"kinds": KINDS}

    def record(self, answer: ParsedAnswer, view: View) -> Output:
        said = str(answer.value["kind"]).strip().lower()
        if said not in KINDS:
            raise BadOutput(f"'{said}' is no kind of message. Choose one of: {', '.join(KINDS)}.", raw=said)
        odds = answer.probabilities.get("kind")
        meaning = str(answer.value.get("meaning", "")).strip()
        feelings = answer.probabilities.get("feeling")
        confidence = odds[said] if odds else None
        return Situation(message=said, meaning=meaning, confidence=confidence, distribution=odds, feelings=feelings)
