"""The card of a network of the senses, written from what its run has recorded: nothing in it is typed by hand."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from heartfelt.tuning.senses import runs

READS = {
    "face": "An expression in a grey picture of a face, 48 by 48",
    "voice": "The feeling that is acted in an utterance, from what the inner layers of a speech recogniser (Whisper base) hear",
}
BY = {
    "face": "Faces of the web, found with a search engine and labelled by few people each, often wrongly. An expression is not "
    "a feeling. Ages, skin colours and ways to show a feeling are not covered evenly.",
    "voice": "Actors who speak given sentences, in English and in German, with a feeling that they were told to show. Real "
    "speech is subtler, and other languages sound otherwise. What is claimed of ordinary speech is wrong more often than of "
    "actors.",
}


def card(run: Path, sense: str, *, citation: str, licence: str) -> str:
    recipe, report = runs.read(run / "recipe.json"), runs.read(run / "report.json")
    agreed, told = runs.read(run / "agreement.json"), runs.read(run / f"{sense}.json")
    parts = [
        f"# The {sense} network",
        f"{READS[sense]}, as one of {len(told['labels'])}: {', '.join(told['labels'])}. {agreed['megabytes']} MB, "
        f"{agreed['milliseconds_on_one_thread']} ms on one thread of the machine that exported it.",
        "**What it must not be used for.** Diagnosis, decisions about people, surveillance, or the claim that a person feels "
        "what it says they feel.",
        f"**Licence.** {licence}. **Data.** {citation}; {report['learnt_from']:,} examples were learnt from.",
        "## Training",
        ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in recipe.items() if value is not None) + ".",
        f"The exported file chooses as the trained network on {agreed['same_choice']:.1%} of {agreed['inputs']} inputs; no "
        f"share is off by more than {agreed['largest_gap_of_a_share']:.2g}.",
        *_balance(run),
        "## Results",
        f"Measured: {report['measured']}. 95 % bootstrap intervals in brackets.",
        *_sets(report),
        *_before(run, report),
        "## Calibration",
        f"Scores are divided by {told['temperature']} before the softmax.{_silence(told['least'])}",
        "## Limits",
        BY[sense],
    ]
    return "\n\n".join(parts) + "\n"


def _balance(run: Path) -> Iterator[str]:
    """How much of the labels' frequency was put back, and what it would have cost to put back more or less."""
    if (run / "prior.json").exists():
        chosen = runs.read(run / "prior.json")
        yield (
            "The scores are learnt as if all labels were equally frequent (logit adjustment, Menon et al., 2021). Of their "
            f"frequency among the pictures, {chosen['kept']:.0%} was put back: on the validation fold, the largest mean recall "
            "that costs at most a point of accuracy."
        )
        lines = [(f"{each['kept']:.0%}", f"{each['accuracy']:.3f}", f"{each['recall']:.3f}") for each in chosen["tried"]]
        yield _table(("put back", "accuracy", "mean recall"), lines)


def _before(run: Path, report: dict[str, Any]) -> Iterator[str]:
    """The same tests, read by the network that shipped until now."""
    if (run / "before.json").exists():
        yield "## Before"
        yield "The network that shipped until then, on the same tests: accuracy, mean recall, and the recall of each label."
        before = runs.read(run / "before.json")
        named = [(name, found) for name, found in report.items() if _is_set(found) and name in before]
        lines = [
            (name.replace("_", " "), when, *_main_figures(found))
            for name, now in named
            for when, found in (("before", before[name]), ("now", now))
        ]
        yield _table(("measured on", "", "accuracy", "mean recall", *report["public_test"]["labels"]), lines)


def _main_figures(found: dict[str, Any]) -> Iterator[str]:
    recalls = (found["recall"].get(label) for label in found["labels"])  # a small set may be without one
    for figure in (found["accuracy"], found["unweighted_recall"], *recalls):
        yield f"{figure['mean']:.3f}" if figure else ""


def _is_set(found: Any) -> bool:
    return isinstance(found, dict) and "confusion" in found


def _sets(report: dict[str, Any]) -> Iterator[str]:
    for name, found in report.items():
        if isinstance(found, dict):
            title = name.replace("_", " ")
            yield f"### {title[0].upper()}{title[1:]}"
            lines = [(key.replace("_", " "), _value(value)) for key, value in found.items() if not _is_table(value)]
            lines += [(f"recall of {label}", _value(value)) for label, value in found.get("recall", {}).items()]
            yield _table(("figure", "value"), lines)
        if isinstance(found, dict) and "confusion" in found:
            rows = zip(found["labels"], found["confusion"], strict=True)
            yield _table(("true ↓ said →", *found["labels"]), ((label, *map(str, row)) for label, row in rows))


def _silence(least: dict[str, float]) -> str:
    shares = ", ".join(f"{label} {share}" for label, share in least.items())
    return f" A label is claimed from its least share on, and is a mere guess below: {shares}." if least else ""


def _is_table(value: Any) -> bool:
    return isinstance(value, list) or (isinstance(value, dict) and "mean" not in value)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value['mean']:.3f} [{value['low']:.3f}, {value['high']:.3f}], n = {value['n']:,}"
    return f"{value:.3f}"


def _table(head: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    names = list(head)
    return "\n".join("| " + " | ".join(line) + " |" for line in [names, ["---"] * len(names), *map(list, lines)])
