"""How well the earliest faulty step is blamed: by the whole audit, by its code checks alone, by the model alone."""

from collections import Counter
from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from heartfelt.evaluation.faults.estimate import Estimate, estimated, share
from heartfelt.evaluation.faults.trial import Trial
from heartfelt.evaluation.metrics.tallies import Finish, Floats, ratio
from heartfelt.records import Record

Judge: TypeAlias = Literal["audit", "code", "model"]
NOBODY = "none"


class Marks(Record):
    """Of blaming a step: how often that was right, how often it was done where it was due, and both in one."""

    precision: Estimate
    recall: Estimate
    f1: Estimate


class Blame(Record):
    by: Judge
    """The whole audit, its code checks alone, or the model alone."""
    steps: dict[str, Marks]
    micro: Marks
    """Over all blame, whichever the step. Its recall is the share of faulty passes whose earliest fault is blamed."""
    macro: Marks
    """The mean over the steps; one that is never blamed has precision 0."""
    exact: Estimate
    """Of all passes, those in which the right step is blamed, or rightly none."""
    false_alarms: Estimate
    """Of clean passes, those in which a step is blamed."""
    kinds: dict[str, Estimate]
    """Of passes whose earliest fault is of the kind, those in which its step is blamed."""
    confusion: dict[str, dict[str, int]]
    """How often each step was to blame (or `none`), by the step that was blamed."""


def blame(trials: list[Trial], by: Judge) -> Blame:
    told = [_blamed(each, by) for each in trials]
    names = [each.dialogue for each in trials]
    steps = _steps(trials)
    due = [each.culprit for each in trials]
    counts = np.stack([_counts(due, told, step) for step in steps], axis=1)  # (passes, steps, three)
    clean = [place for place, each in enumerate(trials) if not each.faulty]
    return Blame(
        by=by,
        steps={step: _marks(names, counts[:, at], _whole) for at, step in enumerate(steps)},
        micro=_marks(names, counts.sum(1), _whole),
        macro=_marks(names, counts.reshape(len(trials), -1), _mean),
        exact=share(names, [one == other for one, other in zip(due, told, strict=True)]),
        false_alarms=share([names[place] for place in clean], [told[place] is not None for place in clean]),
        kinds=_kinds(trials, told),
        confusion=_confusion(due, told, steps),
    )


def _blamed(trial: Trial, by: Judge) -> str | None:
    return {"audit": trial.blamed[0], "code": trial.by_code, "model": trial.by_model}[by]


def _steps(trials: list[Trial]) -> list[str]:
    return list(dict.fromkeys(step for each in trials for step in each.steps))


def _counts(due: list[str | None], told: list[str | None], step: str) -> Floats:
    """(passes, three): blamed rightly, blamed wrongly, wrongly not blamed."""
    pairs = [(one == step, other == step) for one, other in zip(due, told, strict=True)]
    return np.array([(a and b, b and not a, a and not b) for a, b in pairs], np.float64).reshape(-1, 3)


def _marks(names: list[str], counts: Floats, over: Callable[[Finish], Finish]) -> Marks:
    hits, false, missed = counts.reshape(len(names), -1, 3).sum((0, 1)) if len(names) else (0, 0, 0)
    return Marks(
        precision=estimated(names, counts, over(_precision), int(hits + false)),
        recall=estimated(names, counts, over(_recall), int(hits + missed)),
        f1=estimated(names, counts, over(_f1), int(hits + false + missed)),
    )


def _precision(sums: Floats) -> Floats:
    return ratio(sums[..., 0], sums[..., 0] + sums[..., 1])


def _recall(sums: Floats) -> Floats:
    return ratio(sums[..., 0], sums[..., 0] + sums[..., 2])


def _f1(sums: Floats) -> Floats:
    return ratio(2 * sums[..., 0], 2 * sums[..., 0] + sums[..., 1] + sums[..., 2])


def _whole(figure: Finish) -> Finish:
    return figure


def _mean(figure: Finish) -> Finish:
    """Over the steps that were to blame or were blamed; the others are neither right nor wrong."""

    def finish(sums: Floats) -> Floats:
        steps = sums.reshape(*sums.shape[:-1], -1, 3)
        there = steps.sum(-1) > 0
        return ratio(np.nansum(figure(steps), axis=-1), there.sum(-1))

    return finish


def _kinds(trials: list[Trial], told: list[str | None]) -> dict[str, Estimate]:
    places: dict[str, list[int]] = {}
    for place, each in enumerate(trials):
        if each.planted:
            places.setdefault(each.planted[0], []).append(place)
    order = _steps(trials)
    return {
        kind: share([trials[p].dialogue for p in found], [told[p] == trials[p].culprit for p in found])
        for kind, found in sorted(places.items(), key=lambda each: (order.index(each[0].partition(":")[0]), each[0]))
    }


def _confusion(due: list[str | None], told: list[str | None], steps: list[str]) -> dict[str, dict[str, int]]:
    counts = Counter(zip(due, told, strict=True))
    names = {**{step: step for step in steps}, NOBODY: None}
    return {row: {column: counts[one, other] for column, other in names.items()} for row, one in names.items()}
