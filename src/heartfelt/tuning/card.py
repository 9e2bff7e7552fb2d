"""The card of an adapter, written from what its run has recorded: nothing in it is typed by hand."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from heartfelt.tuning.corpora import CORPORA
from heartfelt.tuning.folder import Folder

SPLIT_NAMES = {"valid": "validation", "test": "test"}
ABOUT = {"model", "split", "seed", "turns", "about", "chosen"}
"""What a report says about itself."""


def card(folder: Folder, *, calibrated: bool, measured: list[str], pictures: Iterable[tuple[str, Path]] = ()) -> str:
    """Markdown. `measured` are the splits on which this very adapter was evaluated; the last one is in the pictures."""
    counts = _json(folder.counts)
    parts = [
        f"# {folder.name}",
        _head(folder),
        "**What it is for.** The steps of Heartfelt's recipes with the compact prompts: reading and forecasting an emotion, "
        "pointing at cues and causes, planning, replying in a sentence or two, auditing a pass. In the language of its data.",
        "**What it must not be used for.** Crisis support, therapy, diagnosis, decisions about people, or the claim that a "
        "person feels what it says they feel. It reads text; it does not know anyone.",
        f"**Licence.** {folder.settings.licence}, as whoever trained it says. The data below decides what it may be used for. "
        "The base model is Apache-2.0.",
        "## Data",
        _data(counts),
        "## Training",
        _training(folder),
        "## Results",
        *(_results(folder, split) for split in measured),
        *(f"![{words}]({path.name})" for words, path in pictures),
        "" if measured else "This adapter has not been measured. Do it with: `heartfelt tune evaluate`",
        "## Calibration",
        _calibration(folder) if calibrated else "Its probabilities have not been calibrated.",
        "## Limits",
        _limits(folder, counts, measured),
        "## Made with",
        ", ".join(f"{name} {version}" for name, version in folder.record.versions.items()) + ".",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def rows(report: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(task, figure, value) of a report: tasks hold figures, a figure is a number, a text or a mean with its interval."""
    for task, figures in report.items():
        if task in ABOUT:
            continue
        if isinstance(figures, dict) and not _is_interval(figures):
            yield from ((task, _told(name), _value(value)) for name, value in figures.items() if _shown(value))
        elif _shown(figures):
            yield "", _told(task), _value(figures)


def _head(folder: Folder) -> str:
    size = folder.adapter.stat().st_size / 1e6
    small = " **A toy: it was made with `--small` to see the way, and is of no use.**" if folder.settings.small else ""
    return (
        f"An adapter for Heartfelt's embedded model, SmolLM2-135M-Instruct: {size:.1f} MB, a LoRA on every matrix. "
        f"Use it with `--model embedded:{folder.adapter.name}`.{small}"
    )


def _data(counts: dict[str, Any]) -> str:
    lines = [
        (
            CORPORA[name].citation,
            f"{count:,}",
            f"{counts['talks']['valid'].get(name, 0):,}",
            CORPORA[name].licence,
        )
        for name, count in counts["talks"]["train"].items()
    ]
    train, valid = counts["train"], counts["valid"]
    return (
        _table(("corpus", "dialogues learnt from", "for validation", "licence"), lines)
        + f"\n\n{train['examples']:,} examples of {train['tokens']:,} tokens, of which {train['learnt_tokens']:,} are learnt; "
        f"{valid['examples']:,} examples for validation. Drawn with seed {counts['seed']}. No test split was opened to train "
        "or to choose anything. Emotions are those of the data; cues, causes, strategies and plans are weak labels by stated "
        "rules, and faults for the audit are planted.\n\nExamples of each task: "
        + ", ".join(f"{task} {count:,}" for task, count in train["tasks"].items())
        + "."
    )


def _training(folder: Folder) -> str:
    recipe, made = _json(folder.training / "recipe.json"), folder.record.stages["train"].told or {}
    teachers = folder.record.stages["teach"].told if folder.settings.teachers else None
    taught = f"{teachers['words'].capitalize()}. " if teachers else "No teachers. "
    shown = {name: value for name, value in recipe.items() if value not in (None, {}, [], [0, 0])}
    if not teachers:
        shown.pop("taught", None)
    plan = ", ".join(f"{name.replace('_', ' ')} {_value(value)}" for name, value in shown.items())
    return (
        f"{made['steps']:,} steps on a {made['device']} in {made['seconds'] / 60:,.1f} minutes; last loss {made['loss']}. "
        f"{taught}{plan}.\n\n![Loss over the steps]({folder.loss.name})\n\n{_agreement(folder)}"
    )


def _agreement(folder: Folder) -> str:
    found = _json(folder.agreement)
    return (
        f"The exported file holds what was trained: no number is off by more than {found['largest_number']:.2g}. "
        f"The embedded engine with the merged eight-bit weights chooses as the trained network on {found['same']} of "
        f"{found['prompts']} validation prompts; their probabilities are at most {found['largest']} apart."
    )


def _results(folder: Folder, split: str) -> str:
    report = _json(folder.evaluation(split))
    turns = folder.record.stages[f"evaluate-{split}"].inputs["turns"]
    return (
        f"In the runtime itself, on at most {turns:,} random turns of each set of the {SPLIT_NAMES[split]} split, seed "
        f"{folder.settings.seed}; 95 % intervals in brackets.\n\n" + _table(("task", "figure", "value"), rows(report))
    )


def _calibration(folder: Folder) -> str:
    found = list(rows(_json(folder.calibration)["sets"]))
    if not found:
        return "There were too few turns to calibrate its probabilities."
    told = "Temperatures, fitted on the validation split, on turns that were not learnt from; the engine applies them."
    return f"{told}\n\n" + _table(("set", "figure", "value"), found)


def _limits(folder: Folder, counts: dict[str, Any], measured: list[str]) -> str:
    points = [
        "135 million parameters: its replies are short and plain, and it is often wrong about a feeling.",
        "It has learnt how the people of its data felt and wrote, with their biases, and the labels of whoever labelled them.",
        "Weak labels teach the rules that made them: the audit finds planted faults better than real ones.",
        "" if "test" in measured else "It was not measured on a test split; figures of the validation split flatter it.",
        "" if counts["train"]["examples"] > 50_000 else "It has learnt from few examples, and may repeat them word for word.",
    ]
    return "\n".join(f"- {point}" for point in points if point)


def _is_interval(value: dict[str, Any]) -> bool:
    return {"low", "high"} <= set(value)


def _shown(value: Any) -> bool:
    return isinstance(value, str | int | float) or (isinstance(value, dict) and _is_interval(value))


def _value(value: Any) -> str:
    if isinstance(value, dict) and _is_interval(value):
        middle = next((value[name] for name in ("mean", "value", "accuracy") if name in value), None)
        count = f", n = {value['n']:,}" if "n" in value else ""
        return f"{'' if middle is None else f'{middle:.3f} '}[{value['low']:.3f}, {value['high']:.3f}]{count}"
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _told(name: str) -> str:
    return name.replace("_", " ")


def _table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    names = list(head)
    told = [names, ["---"] * len(names), *(list(line) for line in lines)]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in told)


def _json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))
