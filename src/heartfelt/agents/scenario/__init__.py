"""scenario: the event behind the words, the first link of Empatheia's chain of empathy."""

from dataclasses import dataclass
from typing import ClassVar

from heartfelt.agents.agent import Agent, ParsedAnswer
from heartfelt.agents.view import View
from heartfelt.models.seam import Schema, fields, text
from heartfelt.prompts import PromptFolder
from heartfelt.records import Output, Scenario


@dataclass(frozen=True, kw_only=True)
class TellScenario(Agent):
    name: ClassVar[str] = "scenario"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)

    def schema(self, view: View, *, compact: bool) -> Schema:
        return fields(event=text(120 if compact else 240, hint=self.folder.hint("event")))

    def record(self, answer: ParsedAnswer, view: View) -> Output:
        return Scenario(event=answer.value["event"].strip())
