"""Tasks: what is asked of a system on a corpus, with the gold kept aside and guards against leaks."""

from heartfelt.evaluation.tasks.draw import TASKS, Draw, draw, manifest, rank
from heartfelt.evaluation.tasks.guards import refuse_exemplars, refuse_leaks, refuse_prompt, refuse_protocol
from heartfelt.evaluation.tasks.item import Gold, Item
from heartfelt.evaluation.tasks.protocol import Protocol

__all__ = [
    "TASKS",
    "Draw",
    "Gold",
    "Item",
    "Protocol",
    "draw",
    "manifest",
    "rank",
    "refuse_exemplars",
    "refuse_leaks",
    "refuse_prompt",
    "refuse_protocol",
]
