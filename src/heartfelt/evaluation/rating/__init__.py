"""Rating by people: a blind page on this machine, and what its marks amount to."""

from heartfelt.evaluation.rating.desk import Desk
from heartfelt.evaluation.rating.entries import Entry, ratings
from heartfelt.evaluation.rating.serve import serve
from heartfelt.evaluation.rating.sheet import Wish, criteria_of, units
from heartfelt.evaluation.rating.summary import Summary, summarise

__all__ = ["Desk", "Entry", "Summary", "Wish", "criteria_of", "ratings", "serve", "summarise", "units"]
