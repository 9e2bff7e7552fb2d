"""What a network gets right, with 95 % bootstrap intervals: accuracy, recall of each label and their mean, calibration."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.tuning.measure import calibrated_interval, calibration_error, interval
from heartfelt.tuning.senses.recall import recall
from heartfelt.tuning.senses.temperature import shares, surprise

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def figures(
    scores: Floats,
    gold: Ints,
    names: tuple[str, ...],
    *,
    temperature: float | Floats,
    groups: Ints | None = None,
) -> dict[str, Any]:
    """Everything about one set. `temperature` is one number, or one a row (a column); `groups` are drawn whole where given."""
    warm = scores / temperature
    found = shares(warm)
    best = found.argmax(1)
    return {
        "accuracy": interval(best == gold),
        "unweighted_recall": recall_interval(best, gold, groups),
        "calibration_error": calibrated_interval(found, gold),
        "calibration_error_before_temperature": round(calibration_error(shares(scores), gold), 4),
        "surprise": round(surprise(warm, gold), 4),
        "recall": {name: interval((best == gold)[gold == at]) for at, name in enumerate(names) if (gold == at).any()},
        "confusion": confusion(best, gold, len(names)).tolist(),
        "labels": list(names),
    }


def recall_interval(
    best: Ints, gold: Ints, groups: Ints | None = None, *, seed: int = 0, times: int = 1000
) -> dict[str, float]:
    """With `groups`, such as speakers, whole groups are drawn: what the next speaker brings is the larger doubt."""
    known = np.arange(len(gold)) if groups is None else groups
    members = [np.flatnonzero(known == group) for group in np.unique(known)]
    random = np.random.default_rng(seed)
    drawn = [np.concatenate([members[i] for i in random.integers(0, len(members), len(members))]) for _ in range(times)]
    low, high = np.quantile([recall(best[rows], gold[rows]) for rows in drawn], (0.025, 0.975))
    told = {"mean": recall(best, gold), "low": float(low), "high": float(high)}
    return {name: round(value, 4) for name, value in told.items()} | {"n": len(gold)}


def confusion(best: Ints, gold: Ints, classes: int) -> Ints:
    """(true, said) counts."""
    table = np.zeros((classes, classes), np.int64)
    np.add.at(table, (gold, best), 1)
    return table


def chosen(found: dict[str, Any]) -> dict[str, Any]:
    """What `plots.confusion_plot` draws: one pair for each that the confusion counts."""
    table = np.array(found["confusion"])
    gold, best = (np.repeat(index, table.ravel()).tolist() for index in np.indices(table.shape).reshape(2, -1))
    return {"options": found["labels"], "gold": gold, "chosen": best}
