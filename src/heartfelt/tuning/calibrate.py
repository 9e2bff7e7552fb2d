"""Fits a temperature to each label set, on turns of the validation split, in the embedded runtime itself."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.labels import label_set
from heartfelt.models.embedded import EmbeddedModel
from heartfelt.models.embedded.calibration import Fitted, Temperatures
from heartfelt.models.embedded.engine import Engine
from heartfelt.models.embedded.guided import softmax
from heartfelt.tuning.batches import Examples
from heartfelt.tuning.chain import after_cues
from heartfelt.tuning.measure import Floats, Told, calibration_error, closed_choice, option_logs
from heartfelt.tuning.replies import CORPUS
from heartfelt.voting.calibration import fit

SETS = (("ed32", ("ed32", "own"), ""), ("meld", ("meld",), ""), ("meld", ("meld_forecast",), "forecast"))
"""Label sets, the evaluation sets in which they are chosen from, and the prompt where it is a matter of its own."""
SMALLER = ("ekman", "mead", "iemocap")
"""Label sets that have no evaluation set: the validation examples of their own task must do."""
FEWEST = 40
"""Turns from which a temperature may be fitted."""
TINY = 1e-12
SEED = 1
"""Drawn otherwise than the turns that are measured on the same split."""


def calibrate(adapter: Path, examples: Path, target: Path, *, turns: int, told: Told, data: Path | None = None) -> Path:
    """Write the temperatures of an adapter. What the model chooses stays the same; how sure it is of it does not.

    Label sets with too few turns are left out, and their probabilities stay as the model gives them. With the `data`, the
    forecast after cues gets a temperature of its own: it agrees with cues that it has read itself, and so is too sure.
    """
    model = EmbeddedModel(adapter=adapter)
    model.calibrated = Temperatures()
    engine = model.load()
    found: dict[str, Fitted] = {}
    for name, sets, prompt in SETS:
        parts = [_of_set(engine, path, turns, told) for each in sets if (path := examples / f"eval_valid_{each}.npz").exists()]
        _add(found, name, parts, prompt=prompt)
    for name in SMALLER:
        _add(found, name, [_of_examples(engine, examples / "valid.npz", name, turns, told)])
    if data and (data / CORPUS).exists():
        found_after, known = after_cues(model, data, split="valid", turns=turns, seed=SEED, told=told)
        _add(found, "ed32", [_Scored(np.log(np.maximum(found_after, TINY)), known.gold)], prompt="forecast")
    target.write_text(Temperatures(sets=found).model_dump_json(indent=1) + "\n", "utf-8")
    return target


@dataclass(frozen=True)
class _Scored:
    logs: Floats
    gold: NDArray[np.int64]


def _of_set(engine: Engine, path: Path, turns: int, told: Told) -> _Scored:
    known = closed_choice(path, turns, SEED)
    return _Scored(option_logs(engine, known.prompts, known.options, path.stem, told), known.gold)


def _of_examples(engine: Engine, path: Path, name: str, turns: int, told: Told) -> _Scored:
    examples, labels = Examples.load(path), label_set(name).labels
    task = f"recognise_{name}"
    chosen = np.flatnonzero(examples.task == examples.tasks.index(task))[:turns] if task in examples.tasks else []
    options = [engine.tokens(f'{label}"') for label in labels]
    prompts: list[list[int]] = []
    gold: list[int] = []
    for at in chosen:
        first, end = int(examples.first[at]), int(examples.offsets[at + 1])
        prompts.append(examples.tokens[examples.offsets[at] : first].astype(int).tolist())
        said = examples.tokens[first:end].astype(int).tolist()
        gold.append(next(i for i, option in enumerate(options) if said[: len(option)] == option))
    return _Scored(option_logs(engine, prompts, options, task, told), np.array(gold, np.int64))


def _add(found: dict[str, Fitted], name: str, parts: list[_Scored], *, prompt: str = "") -> None:
    labels = label_set(name).labels
    parts = [part for part in parts if len(part.gold)]
    if sum(len(part.gold) for part in parts) < FEWEST:
        return
    logs, gold = np.concatenate([part.logs for part in parts]), np.concatenate([part.gold for part in parts])
    plain = softmax(logs)
    answers = [(dict(zip(labels, row.tolist(), strict=True)), labels[truth]) for row, truth in zip(plain, gold, strict=True)]
    temperature = fit({"embedded": answers}, labels=labels).of("embedded").temperature
    found[f"{name} {prompt}".strip()] = Fitted(
        options=labels,
        prompt=prompt,
        temperature=round(temperature, 4),
        turns=len(gold),
        error_before=round(calibration_error(plain, gold), 4),
        error_after=round(calibration_error(softmax(logs / temperature), gold), 4),
    )
