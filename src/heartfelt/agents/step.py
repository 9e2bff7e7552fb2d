"""A step of a recipe: it sees a view and makes a record. What it says to a model lies in a folder of its own."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from heartfelt.agents.notes import NOTES
from heartfelt.agents.view import View
from heartfelt.errors import UsageError
from heartfelt.prompts import SHARED, PromptFolder
from heartfelt.records import Finding, Output, StepRecord

Brought = TypeVar("Brought", str, PromptFolder)
QUESTIONS: dict[str, str] = {}
"""What an audit asks about each step. Steps without a question are not audited."""
MENDING: dict[str, str] = {}
"""What each step is told where an audit finds it wrong and does not say how to mend it."""


@dataclass(frozen=True, kw_only=True)
class Step(ABC):
    name: ClassVar[str]
    folder: ClassVar[PromptFolder] = SHARED
    """Where its prompt files and its `wording.toml` lie; who is made from another step has that one's."""
    asks_model: ClassVar[bool] = True
    """False for steps that cost no call; they are never left out to save one."""
    alias: str = ""
    """What the published system calls this step."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "folder" in vars(cls):
            _register(cls.name, cls.folder)

    def costs(self, view: View) -> int:
        """How many calls the step makes if every answer is usable."""
        return 1 if self.asks_model else 0

    def stands_alone(self, view: View) -> bool:
        """Whether it stands on the dialogue alone: mending a step before it then leaves it as it is."""
        return False

    def can_run(self, view: View) -> bool:
        """Whether its model is able to do it at all."""
        return True

    def informs(self, view: View) -> bool:
        """Whether anything but the words could stand on it; if not, it is left out where they stand on the dialogue alone."""
        return True

    async def begin(self, view: View, *, whole: bool = True) -> None:
        """What can be begun while it is not sure yet that the person has finished: nobody is told of it. `whole`: they seem to
        have; else they still speak, and there is nothing yet but to read."""
        return

    @abstractmethod
    async def run(self, view: View) -> StepRecord: ...

    def check(self, output: Output, view: View) -> tuple[Finding, ...]:
        """What code can verify, and found wrong."""
        return ()

    def finding(self, what: str, /, **values: Any) -> Finding:
        """Something wrong, in the words of `wording.toml`: the problem, and what to do about it."""
        problem, told = (self.folder.phrase(f"findings.{what}.{part}", **values) for part in ("problem", "instruction"))
        return Finding(step=self.name, problem=problem, instruction=told)


def _register(name: str, folder: PromptFolder) -> None:
    """An audit and the steps after it know a step by its name and its record, so no two folders may speak for the same one."""
    if "audit" in folder.wording:
        question, mending = folder.entry("audit.question"), folder.entry("audit.mending")
        _bring(QUESTIONS, name, question, f"the audit of '{name}'")
        _bring(MENDING, name, mending, f"the audit of '{name}'")
    for kind in folder.wording.get("notes", ()):
        _bring(NOTES, kind, folder, f"the note of '{kind}'")


def _bring(known: dict[str, Brought], name: str, brought: Brought, what: str) -> None:
    if known.setdefault(name, brought) != brought:
        raise UsageError(f"There are words for {what} already. Leave yours out of `wording.toml`, or give it another name.")
