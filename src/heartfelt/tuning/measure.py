"""What the embedded model itself, with the weights that it runs, gets right on the exported evaluation sets.

    python -m heartfelt.tuning.measure DATA --split test --turns 800 [--model embedded:base]

Every figure has a 95 % bootstrap interval over its turns. The sets are made by `heartfelt.tuning.examples --scored`.
"""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.labels import project
from heartfelt.models import open_model
from heartfelt.models.embedded import EmbeddedModel
from heartfelt.models.embedded.engine import Engine
from heartfelt.prompts import digest
from heartfelt.tuning.batches import cut

Floats = NDArray[np.float64]
BINS = 15


def shares(engine: Engine, prompts: list[list[int]], options: list[list[int]], told: Callable[[int], None]) -> Floats:
    """The probability of each option after each prompt, as a step would read it."""
    rows: list[Floats] = []
    for i, prompt in enumerate(prompts):
        logs = engine.read(prompt).score(options)
        rows.append(np.exp(logs - logs.max()) / np.exp(logs - logs.max()).sum())
        told(i + 1)
    return np.array(rows)


def interval(hits: Floats, *, seed: int = 0, times: int = 2000) -> str:
    """Mean and 95 % bootstrap interval."""
    draws = np.random.default_rng(seed).integers(0, len(hits), (times, len(hits)))
    low, high = np.quantile(hits[draws].mean(1), (0.025, 0.975))
    return f"{hits.mean():.3f} [{low:.3f}, {high:.3f}] n={len(hits)}"


def calibration_error(found: Floats, gold: NDArray[np.int64]) -> float:
    """Expected calibration error over 15 bins of equal width."""
    sure, right = found.max(1), found.argmax(1) == gold
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    gaps = [
        abs(sure[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean() for b in range(BINS) if (bins == b).any()
    ]
    return float(sum(gaps))


def measure_choices(engine: Engine, path: Path, turns: int, seed: int) -> dict[str, Any]:
    with np.load(path, allow_pickle=False) as data:
        chosen = _sample(len(data["gold"]), turns, seed)
        prompts = [cut(data["tokens"], data["offsets"])[i] for i in chosen]
        options, names, gold = (
            cut(data["options"], data["option_offsets"]),
            [str(n) for n in data["option_names"]],
            data["gold"][chosen],
        )
    found = shares(engine, prompts, options, _progress(path.stem, len(prompts)))
    told: dict[str, Any] = {"accuracy": interval((found.argmax(1) == gold).astype(float))}
    told["calibration error, 15 bins"] = round(calibration_error(found, gold), 4)
    if "ed32" in path.stem:
        for name, mapping in (("HIT, E3RG's map", "e3rg"), ("six classes, TRACE's map", "trace_fixed")):
            same = [
                project(names[a], mapping) == project(names[b], mapping) for a, b in zip(found.argmax(1), gold, strict=True)
            ]
            told[name] = interval(np.array(same, float))
    return told


def measure_audit(engine: Engine, path: Path, turns: int, seed: int) -> dict[str, Any]:
    """Earliest step blamed correctly on faulty passes; false alarms on clean ones. Each verdict follows the ones before."""
    with np.load(path, allow_pickle=False) as data:
        chosen = _sample(len(data["gold"]), turns, seed)
        prompts, gold = [cut(data["tokens"], data["offsets"])[i] for i in chosen], data["gold"][chosen]
        options = cut(data["options"], data["option_offsets"])
        between = [cut(data[f"between_{name}"], data[f"between_{name}_offsets"]) for name in data["recipes"]]
        recipe = data["recipe"][chosen]
    tell, right, alarms = _progress(path.stem, len(prompts)), list[float](), list[float]()
    for i, prompt in enumerate(prompts):
        first = _blamed(engine, prompt, options, between[recipe[i]], int((gold[i] >= 0).sum()))
        true = int((gold[i] == 1).argmax()) if (gold[i] == 1).any() else -1
        (right if true >= 0 else alarms).append(float(first == true) if true >= 0 else float(first >= 0))
        tell(i + 1)
    return {"earliest step blamed correctly": interval(np.array(right)), "false alarms": interval(np.array(alarms))}


def _blamed(engine: Engine, prompt: list[int], options: list[list[int]], between: list[list[int]], steps: int) -> int:
    for step in range(steps):
        logs = engine.read(prompt).score(options)
        if logs[1] > logs[0]:
            return step
        if step < len(between):
            prompt = prompt + options[0] + between[step]
    return -1


def _sample(count: int, turns: int, seed: int) -> NDArray[np.int64]:
    return np.sort(np.random.default_rng(seed).permutation(count)[:turns])


def _progress(what: str, total: int) -> Callable[[int], None]:
    def tell(done: int) -> None:
        if done % 50 == 0 or done == total:
            sys.stderr.write(f"\r{what}: {done}/{total} ")
            sys.stderr.flush()

    return tell


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--split", choices=("valid", "test"), default="valid")
    parser.add_argument("--turns", type=int, default=800)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", default="embedded:")
    options = parser.parse_args()
    model = open_model(options.model)
    assert isinstance(model, EmbeddedModel), "only the embedded model can be measured here"
    engine = model.load()
    told: dict[str, Any] = {
        "model": model.name,
        "split": options.split,
        "seed": options.seed,
        "run": digest(str(vars(options))),
    }
    for task in ("ed32", "meld", "meld_forecast"):
        told[task] = measure_choices(engine, options.data / f"eval_{options.split}_{task}.npz", options.turns, options.seed)
    told["audit"] = measure_audit(engine, options.data / f"eval_{options.split}_audit.npz", options.turns, options.seed)
    print(json.dumps(told, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
