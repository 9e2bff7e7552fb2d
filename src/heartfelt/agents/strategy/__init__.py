"""strategy (TRACE's Strategic Response Planner, SRP): emotional reaction, interpretation or exploration."""

from dataclasses import dataclass
from typing import ClassVar

from heartfelt.agents.agent import Agent, ParsedAnswer
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput
from heartfelt.models.seam import Schema, fields, one_of, text
from heartfelt.prompts import PromptFolder
from heartfelt.records import Output, Strategy

FOLDER = PromptFolder(__file__)
STRATEGIES: dict[str, str] = FOLDER.wording["strategies"]
"""What each is called in words."""


@dataclass(frozen=True, kw_only=True)
class ChooseStrategy(Agent):
    name: ClassVar[str] = "strategy"
    folder: ClassVar[PromptFolder] = FOLDER

    def schema(self, view: View, *, compact: bool) -> Schema:
        choice = one_of(list(STRATEGIES))
        return fields(choice=choice) if compact else fields(why=text(300, hint=self.folder.hint("why")), choice=choice)

    def record(self, answer: ParsedAnswer, view: View) -> Output:
        said = str(answer.value["choice"]).strip()
        spelled = {code.lower(): code for code in STRATEGIES} | {name: code for code, name in STRATEGIES.items()}
        if said.lower() not in spelled:
            raise BadOutput(f"'{said}' is none of {', '.join(STRATEGIES)}.", raw=said)
        return Strategy(choice=spelled[said.lower()], why=str(answer.value.get("why", "")).strip())
