"""Whom the tests of faces look at: a few always, everybody at night."""

from collections.abc import Iterable
from typing import Any

import pytest

ALWAYS = frozenset({"maya", "omar", "amara"})
"""Long hair, a beard, curls."""


def people(names: Iterable[str]) -> list[Any]:
    """Parameters for a test; those of people who are looked at only at night are slow."""
    return [pytest.param(name, marks=[] if name in ALWAYS else pytest.mark.slow, id=name) for name in names]
