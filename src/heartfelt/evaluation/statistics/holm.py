"""Holm's correction: of many comparisons some look striking by chance alone."""

from collections.abc import Sequence

import numpy as np

from heartfelt.errors import InputError
from heartfelt.evaluation.statistics.paired import Compared


def holm(values: Sequence[float]) -> list[float]:
    """Each p-value, corrected for how many there are (Holm 1979). None gets smaller, and their order stays."""
    p = np.asarray(values, np.float64)
    if p.size and not ((p >= 0) & (p <= 1)).all():
        raise InputError("Holm's correction takes p-values between 0 and 1.")
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected.tolist()


def corrected(table: Sequence[Compared]) -> list[Compared]:
    """The comparisons of one table, with their corrected p-values."""
    adjusted = holm([each.p for each in table])
    return [each.model_copy(update={"adjusted_p": p}) for each, p in zip(table, adjusted, strict=True)]
