"""Blind rating: a page on this machine, plain sheets for any rater, and what the marks amount to."""

from heartfelt.evaluation.rating.desk import Desk
from heartfelt.evaluation.rating.entries import Entry, ratings
from heartfelt.evaluation.rating.serve import serve
from heartfelt.evaluation.rating.sheet import SheetRequest, criteria_of, units
from heartfelt.evaluation.rating.sheets import (
    SideBySide,
    is_sheets,
    lay_out,
    read_answers,
    read_key,
    read_openings,
    read_systems,
    side_by_side,
    write_sheets,
)
from heartfelt.evaluation.rating.summary import Summary, summarise

__all__ = [
    "Desk",
    "Entry",
    "SheetRequest",
    "SideBySide",
    "Summary",
    "criteria_of",
    "is_sheets",
    "lay_out",
    "ratings",
    "read_answers",
    "read_key",
    "read_openings",
    "read_systems",
    "serve",
    "side_by_side",
    "summarise",
    "units",
    "write_sheets",
]
