"""What a person who has set steps by hand wants of the words: that they fit these, and are others than before."""

from dataclasses import dataclass
from typing import Self

from heartfelt.agents.plan import DIMENSIONS
from heartfelt.agents.plan.shown import shows
from heartfelt.agents.view import View
from heartfelt.records import Forecast, Plan


@dataclass(frozen=True)
class WantedReply:
    feeling: str = ""
    choices: tuple[str, ...] = ()
    """Of a plan."""
    instead_of: str = ""

    @classmethod
    def of(cls, view: View) -> Self:
        """Of a plan, what is set now counts; of one that was set earlier, all of it."""
        forecast, plan = view.set_by_hand(Forecast), view.set_by_hand(Plan)
        chosen = {name: getattr(plan, name) for name in DIMENSIONS} if plan else {}
        now = {edit.path[0] for edit in view.edits if edit.path[0] in chosen and edit.value == chosen[edit.path[0]]}
        choices = tuple(choice for name, choice in chosen.items() if name in now or not now)
        return cls(forecast.emotion if forecast else "", choices, view.instead_of)

    def met(self, reply: str, feelings: frozenset[str]) -> tuple[int, bool]:
        """How far a reply that is for these feelings fits; and, where it fits at all, whether it is another one."""
        fits = (self.feeling in feelings) + sum(shows(reply, choice) for choice in self.choices)
        return fits, not fits or reply != self.instead_of


NO_WISH = WantedReply()
