"""What the embedded model itself, with the weights that it runs, gets right on the evaluation sets.

Every figure has a 95 % bootstrap interval over its turns. The sets are written by `heartfelt tune examples`, those of the test
split by `heartfelt tune evaluate --split test` alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.labels import project
from heartfelt.models.embedded.engine import Engine
from heartfelt.tuning.batches import cut

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Told = Callable[[str, int, int], object]
BINS = 15
COARSE = (("HIT", "e3rg"), ("six_classes", "trace_fixed"))
"""Coarser classes of the 32, by the maps of E3RG and of TRACE."""


# ── closed choices ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class ClosedChoice:
    """Turns with one closed choice each: the prompts up to it, the options, and the right one."""

    prompts: list[list[int]]
    options: list[list[int]]
    names: tuple[str, ...]
    gold: Ints


def closed_choice(path: Path, turns: int, seed: int) -> ClosedChoice:
    with np.load(path, allow_pickle=False) as data:
        taken = _sample(len(data["gold"]), turns, seed)
        prompts = cut(data["tokens"], data["offsets"])
        return ClosedChoice(
            prompts=[prompts[i] for i in taken],
            options=cut(data["options"], data["option_offsets"]),
            names=tuple(str(name) for name in data["option_names"]),
            gold=data["gold"][taken],
        )


def option_logs(engine: Engine, prompts: list[list[int]], options: list[list[int]], what: str, told: Told) -> Floats:
    """(turns, options) log-probabilities, as a step reads them."""
    rows: list[Floats] = []
    for prompt in prompts:
        rows.append(engine.read(prompt).score(options))
        told(what, len(rows), len(prompts))
    return np.array(rows).reshape(len(prompts), len(options))


def choice_figures(found: Floats, known: ClosedChoice, *, plain: Floats | None = None) -> dict[str, Any]:
    """Accuracy and calibration; of the 32, also in coarser classes, chosen by the sum of their shares."""
    best = found.argmax(1)
    told: dict[str, Any] = {"accuracy": interval(best == known.gold)}
    if len(known.names) == 32:
        for name, mapping in COARSE:
            coarse = [project(label, mapping) for label in known.names]
            classes = sorted(set(coarse))
            member = np.array([[each == one for one in classes] for each in coarse], np.float64)
            right = member.argmax(1)[known.gold]
            told[name] = interval((found @ member).argmax(1) == right)
            told[f"{name}_of_the_one_named"] = interval(member.argmax(1)[best] == right)
    told["calibration_error"] = calibrated_interval(found, known.gold)
    if plain is not None:
        told["calibration_error_before_temperature"] = round(calibration_error(plain, known.gold), 4)
    return told


def chosen(found: Floats, known: ClosedChoice) -> dict[str, Any]:
    """What was chosen for each turn, and how sure it was."""
    best = found.argmax(1)
    return {
        "options": list(known.names),
        "gold": known.gold.tolist(),
        "chosen": best.tolist(),
        "share": [round(float(row[i]), 4) for row, i in zip(found, best, strict=True)],
    }


# ── the audit ───────────────────────────────────────────────────────────────────────────────────────────────────────


def measure_audit(engine: Engine, path: Path, turns: int, seed: int, told: Told) -> dict[str, Any]:
    """Earliest step blamed correctly on faulty passes; false alarms on clean ones. Each verdict follows the ones before."""
    with np.load(path, allow_pickle=False) as data:
        taken = _sample(len(data["gold"]), turns, seed)
        prompts, gold = cut(data["tokens"], data["offsets"]), data["gold"][taken]
        options = cut(data["options"], data["option_offsets"])
        between = [cut(data[f"between_{name}"], data[f"between_{name}_offsets"]) for name in data["recipes"]]
        recipe = data["recipe"][taken]
    right: list[bool] = []
    alarms: list[bool] = []
    for i, place in enumerate(taken):
        first = _blamed(engine, prompts[place], options, between[recipe[i]], int((gold[i] >= 0).sum()))
        if (gold[i] == 1).any():
            right.append(first == int((gold[i] == 1).argmax()))
        else:
            alarms.append(first >= 0)
        told(path.stem.replace("eval_", "").replace("_", " "), i + 1, len(taken))
    return {"earliest_step_blamed_correctly": interval(right), "false_alarms": interval(alarms)}


def _blamed(engine: Engine, prompt: list[int], options: list[list[int]], between: list[list[int]], steps: int) -> int:
    for step in range(steps):
        logs = engine.read(prompt).score(options)
        if logs[1] > logs[0]:
            return step
        if step < len(between):
            prompt = prompt + options[0] + between[step]
    return -1


# ── figures ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def interval(hits: Sequence[bool] | NDArray[Any], *, seed: int = 0, times: int = 2000) -> dict[str, float]:
    """Mean and 95 % bootstrap interval."""
    values = np.asarray(hits, np.float64)
    if not len(values):
        return {"mean": float("nan"), "low": 0.0, "high": 1.0, "n": 0}
    means = np.concatenate([values[drawn].mean(1) for drawn in _draws(len(values), seed, times)])
    low, high = np.quantile(means, (0.025, 0.975))
    return _figure(float(values.mean()), low, high, len(values))


def calibrated_interval(found: Floats, gold: Ints, *, seed: int = 0, times: int = 400) -> dict[str, float]:
    """The calibration error, and where it lies in bootstrap samples. (It is biased upwards in small samples.)"""
    errors = [calibration_error(found[row], gold[row]) for drawn in _draws(len(gold), seed, times) for row in drawn]
    low, high = np.quantile(errors, (0.025, 0.975))
    return _figure(calibration_error(found, gold), low, high, len(gold))


def _figure(mean: float, low: float, high: float, count: int) -> dict[str, float]:
    return {"mean": round(mean, 4), "low": round(float(low), 4), "high": round(float(high), 4), "n": count}


def calibration_error(found: Floats, gold: Ints) -> float:
    """Expected calibration error over 15 bins of equal width."""
    sure, right = found.max(1), found.argmax(1) == gold
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = [
        abs(sure[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean() for b in range(BINS) if (bins == b).any()
    ]
    return float(sum(gaps))


def _draws(count: int, seed: int, times: int) -> list[Ints]:
    random = np.random.default_rng(seed)
    return [random.integers(0, count, (min(100, times - done), count)) for done in range(0, times, 100)]


def _sample(count: int, turns: int, seed: int) -> Ints:
    return np.sort(np.random.default_rng(seed).permutation(count)[:turns])
