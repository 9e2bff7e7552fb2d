"""When a break is due: after long talk, or many turns, without one."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from heartfelt.safety.honesty import BREAK
from heartfelt.server.wire import TurnView

LONG, MANY = timedelta(minutes=45), 60
"""Of talk, and turns, after which a break is suggested; and again after as many more."""
REST = timedelta(minutes=15)
"""A silence so long is a break already."""
UNCHECKED = (
    "The check for danger could not run fully for this answer. If somebody may be in danger, do not rely on it: "
    "open Help, or call your local emergency number."
)
"""Stands in the same place where a detector could not look."""


def reminder(before: Sequence[TurnView], turn: TurnView) -> str:
    """What is shown beside the reply to `turn`; empty unless a break is due. The turns themselves are the clock."""
    stretch: list[datetime] = []
    for each in (*before, turn):
        made = datetime.fromisoformat(each.made)
        if stretch and made - stretch[-1] > REST:
            stretch = []
        stretch = [] if each.reminder not in ("", UNCHECKED) else [*stretch, made]
    due = len(stretch) >= MANY or (bool(stretch) and stretch[-1] - stretch[0] >= LONG)
    return BREAK if due else ""
