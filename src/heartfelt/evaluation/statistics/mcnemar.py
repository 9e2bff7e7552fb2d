"""McNemar's test: two runs on the same rows, each right or wrong. Only the rows on which they differ tell anything."""

from math import comb

import numpy as np

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics.run import NONE, Run
from heartfelt.records import Record


class McNemar(Record):
    both: int
    """Rows that both runs have right."""
    only_a: int
    only_b: int
    neither: int
    p: float
    """Exact, two-sided."""
    mid_p: float
    """The exact test is cautious; the mid-p is nearer to its level (Fagerland et al., BMC 2013)."""
    rows: int
    dialogues: int

    @property
    def independent(self) -> bool:
        """Whether each row is a dialogue of its own, as the test takes for granted. If not, believe `compare` instead."""
        return self.rows == self.dialogues


def mcnemar(a: Run, b: Run) -> McNemar:
    """Whether two runs name the right emotion equally often, on the rows that have a right one."""
    places = {name: place for place, name in enumerate(b.ids)}
    if places.keys() != set(a.ids):
        raise InputError("McNemar's test needs the same rows in both runs, by their ids. Compare the rows that both have.")
    order = np.array([places[name] for name in a.ids], np.int64)
    scored = a.emotion.gold != NONE
    if not scored.any():
        raise InputError("McNemar's test found no row with a right label. Score runs that have them.")
    if (a.emotion.gold != b.emotion.gold[order]).any():
        raise InputError("The runs have different right labels for the same rows. Score both against the same data.")
    one = (a.emotion.chosen == a.emotion.gold)[scored]
    other = (b.emotion.chosen == b.emotion.gold)[order][scored]
    only_a, only_b = int((one & ~other).sum()), int((other & ~one).sum())
    p, mid_p = even_chances(only_a, only_a + only_b)
    return McNemar(
        both=int((one & other).sum()),
        only_a=only_a,
        only_b=only_b,
        neither=int((~one & ~other).sum()),
        p=p,
        mid_p=mid_p,
        rows=len(one),
        dialogues=len(np.unique(a.dialogue.codes[scored])),
    )


def even_chances(hits: int, of: int) -> tuple[float, float]:
    """Two-sided binomial test against one half: exact, and mid-p. Where nothing differs, both are 1."""
    if of == 0:
        return 1.0, 1.0
    fewer = min(hits, of - hits)
    tail = sum(comb(of, k) for k in range(fewer + 1)) / 2**of
    if 2 * hits == of:
        return 1.0, 1.0 - comb(of, fewer) / 2 ** (of + 1)
    return min(1.0, 2 * tail), 2 * tail - comb(of, fewer) / 2**of
