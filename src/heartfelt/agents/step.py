"""A step of a recipe: it sees a view and makes a record."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from heartfelt.agents.view import View
from heartfelt.records import Finding, Output, StepRecord


@dataclass(frozen=True, kw_only=True)
class Step(ABC):
    name: ClassVar[str]
    asks_model: ClassVar[bool] = True
    """False for steps that cost no call; they are never left out to save one."""
    alias: str = ""
    """What the published system calls this step."""

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

    @abstractmethod
    async def run(self, view: View) -> StepRecord: ...

    def check(self, output: Output, view: View) -> tuple[Finding, ...]:
        """What code can verify, and found wrong."""
        return ()
