"""A figure by parts of a run: by emotion, speaker, length of the dialogue, or profile. Which parts are worse beyond chance?"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError, UnknownName
from heartfelt.evaluation.metrics.metric import Metric, defined
from heartfelt.evaluation.metrics.run import NONE, Floats, Run
from heartfelt.evaluation.metrics.tallies import MetricTally
from heartfelt.evaluation.statistics.draws import resamples
from heartfelt.evaluation.statistics.interval import _NORMAL, TIMES, Interval, interval_of
from heartfelt.evaluation.statistics.paired import holm
from heartfelt.records import Record

FEWEST = 10
"""Dialogues of a slice, and of the rest, from which on it is tested: the normal approximation needs them."""
ALPHA = 0.05
LENGTHS = (1, 2, 4, 6, 10)
"""Where bins of dialogue lengths begin, in turns."""


class Slice(Record):
    by: str
    name: str
    value: float | None
    """None where the metric has no value on this slice."""
    rows: int
    dialogues: int
    interval: Interval | None
    """None below two dialogues."""
    difference: float | None
    """From the rest of the run."""
    p: float | None
    """One-sided: how often chance makes it so much worse than the rest, after Holm's correction; None where it was not
    tested."""
    worse: bool
    note: str = ""
    """Why it was not tested."""


def sliced(
    metric: Metric,
    run: Run,
    by: str,
    *,
    lengths: Sequence[int] = LENGTHS,
    fewest: int = FEWEST,
    times: int = TIMES,
    seed: int = 0,
) -> list[Slice]:
    """The figure on each slice, largest first. `by`: emotion, turns, speaker, age, gender or timbre."""
    defined(metric, run)
    slices = [_slice(metric, run, by, name, rows, fewest, times, seed) for name, rows in _members(run, by, lengths)]
    tested = iter(holm([each.p for each in slices if each.p is not None]))
    corrected = [
        each if each.p is None else each.model_copy(update={"p": (p := next(tested)), "worse": p < ALPHA}) for each in slices
    ]
    return sorted(corrected, key=lambda each: (-each.rows, each.name))


def _slice(
    metric: Metric, run: Run, by: str, name: str, wanted: NDArray[np.bool_], fewest: int, times: int, seed: int
) -> Slice:
    inside, outside = metric.tally(run.where(wanted)), metric.tally(run.where(~wanted))
    value, rest = _value(inside), _value(outside)
    dialogues = int(np.count_nonzero(inside.rows))
    note = _untested(metric, value, rest, dialogues, int(np.count_nonzero(outside.rows)), fewest)
    return Slice(
        by=by,
        name=name,
        value=value,
        rows=int(inside.rows.sum()),
        dialogues=dialogues,
        interval=_interval(inside, metric.name, value, times, seed),
        difference=None if value is None or rest is None else value - rest,
        p=None if note else _worse(metric, inside, outside, times, seed),
        worse=False,
        note=note,
    )


def _untested(metric: Metric, value: float | None, rest: float | None, inside: int, outside: int, fewest: int) -> str:
    if metric.about.better == "neither":
        return "neither more nor less is better"
    if metric.about.grows_with_text:
        return "it changes with the amount of text, so a part cannot be compared with the rest"
    if value is None or rest is None:
        return "it has no value here, or none on the rest"
    return "" if min(inside, outside) >= fewest else f"fewer than {fewest} dialogues, here or in the rest"


def _value(tally: MetricTally) -> float | None:
    value = tally.whole() if tally.rows.any() else float("nan")
    return value if np.isfinite(value) else None


def _interval(tally: MetricTally, name: str, value: float | None, times: int, seed: int) -> Interval | None:
    if value is None or np.count_nonzero(tally.rows) < 2:
        return None
    try:
        return interval_of(tally, name, value, times=times, seed=seed)
    except InputError:  # most resamples have no value: there is no interval to show
        return None


def _worse(metric: Metric, inside: MetricTally, outside: MetricTally, times: int, seed: int) -> float:
    """The same dialogues drawn for slice and rest, because a dialogue may have rows in both."""
    used = np.flatnonzero(inside.rows + outside.rows)
    batches = resamples(used, len(inside.rows), times, seed)
    drawn = np.concatenate([inside.values(batch) - outside.values(batch) for batch in batches])
    return _tail(inside.whole() - outside.whole(), drawn[np.isfinite(drawn)], metric.about.better == "lower")


def _tail(difference: float, drawn: Floats, lower_is_better: bool) -> float:
    spread = float(drawn.std(ddof=1)) if len(drawn) > 1 else 0.0
    gain = -difference if lower_is_better else difference
    if spread == 0:
        return 1.0 if gain >= 0 else 0.0
    return _NORMAL.cdf(gain / spread)


def _members(run: Run, by: str, lengths: Sequence[int]) -> list[tuple[str, NDArray[np.bool_]]]:
    """Each slice that has rows, in its order; rows that lack the property are in none."""
    if by == "emotion":
        names = run.emotion.labels.labels if run.emotion.labels else ()
        codes = run.emotion.gold
    elif by == "turns":
        names, codes = _length_names(lengths), _length_codes(run, lengths)
    elif by in run.groups:
        names, codes = run.groups[by].names, run.groups[by].codes
    else:
        raise UnknownName("slice", by, ["emotion", "turns", *run.groups])
    found = [(name, codes == code) for code, name in enumerate(names) if name and (codes == code).any()]
    if not found:
        raise InputError(f"No row of this run can be sliced by '{by}': none has it. Slice by another property.")
    return found


def _length_names(lengths: Sequence[int]) -> tuple[str, ...]:
    if list(lengths) != sorted(set(lengths)) or not lengths:
        raise InputError("Bins of dialogue lengths begin at increasing numbers of turns, such as 1, 2, 4.")
    names = [f"{low}" if high - low == 1 else f"{low}–{high - 1}" for low, high in pairwise(lengths)]
    return (*names, f"{lengths[-1]} and more")


def _length_codes(run: Run, lengths: Sequence[int]) -> NDArray[np.int64]:
    places = np.searchsorted(np.asarray(lengths), run.turns, side="right") - 1
    return np.where(places < 0, NONE, places)
