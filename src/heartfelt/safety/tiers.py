"""The order of the tiers, and what follows from it."""

from collections.abc import Iterable
from typing import get_args

from heartfelt.records import Danger, Sign, Tier

TIERS: tuple[Tier, ...] = get_args(Tier)
DANGERS: tuple[Danger, ...] = get_args(Danger)
ALARMS: tuple[Tier, ...] = ("active", "imminent")
"""The tiers at which the reasoning stops and a reviewed reply is given."""


def rank(tier: Tier) -> int:
    return TIERS.index(tier)


def alarms(tier: Tier) -> bool:
    return tier in ALARMS


def gravest(signs: Iterable[Sign]) -> list[Sign]:
    """In falling order; where two are as grave, the one found first."""
    return sorted(signs, key=lambda sign: -rank(sign.tier))
