"""goal: what the reply is meant to do, the fourth link of Empatheia's chain of empathy."""

from dataclasses import dataclass
from typing import ClassVar

from heartfelt.agents.agent import Agent, ParsedAnswer
from heartfelt.agents.view import View
from heartfelt.models.seam import Schema, fields, text
from heartfelt.prompts import PromptFolder
from heartfelt.records import Goal, Output


@dataclass(frozen=True, kw_only=True)
class SetGoal(Agent):
    name: ClassVar[str] = "goal"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)

    def schema(self, view: View, *, compact: bool) -> Schema:
        return fields(goal=text(120 if compact else 240, hint=self.folder.hint("goal")))

    def record(self, answer: ParsedAnswer, view: View) -> Output:
        return Goal(goal=answer.value["goal"].strip())
