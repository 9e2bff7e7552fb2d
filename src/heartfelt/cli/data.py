"""`heartfelt data`: the corpora that systems are measured on. Heartfelt ships none of them; it reads the ones you have.

It also checks the files that words are tuned on: exchanges, ratings, openings.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heartfelt.cli.console import say
from heartfelt.datasets import DATASETS, Dataset, dataset, openings, recognised, write_submission
from heartfelt.datasets.check import Checked, Remark, SplitFound
from heartfelt.datasets.check import check as check_folder
from heartfelt.errors import UsageError
from heartfelt.models.seam import canonical

if TYPE_CHECKING:
    from heartfelt.tuning.words.check import ByTurns, CheckedFile

app = typer.Typer(
    help="Corpora to measure on: which are known, what a folder holds, what a system would see.", no_args_is_help=True
)
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder that holds the corpus, or several of them.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document instead of words.")]
FolderOrFile = Annotated[
    Path,
    typer.Argument(
        metavar="PATH",
        help="The folder that holds the corpus, or several of them; or a file of exchanges, ratings or openings, "
        "or a folder of such files.",
    ),
]
INCOMPLETE, FAULTY = 2, 1
SHOWN = 5
"""Faults of one sort that are shown; the others are counted."""
LISTED = 16
"""Values of a field that are listed, the most frequent first; of writers all."""
EVERYWHERE = 0.01
"""The share of replies from which a beginning is worth a look."""
WIDTH = 110
UNBROKEN = "\N{NO-BREAK SPACE}"
MARKS = {"fine": "  ", "odd": "· ", "broken": "✗ "}


@app.command("list")
def list_(*, as_json: AsJson = False) -> None:
    """The corpora that can be read, with licence and citation."""
    if as_json:
        print(canonical([_described(known) for known in DATASETS.values()]))
        return
    for known in DATASETS.values():
        say(f"{known.name}: {known.about}")
        say(f"  tasks: {', '.join(known.tasks)}; labels: {known.labels}; splits: {', '.join(known.splits)}")
        say(f"  files: {known.expects}")
        say(f"  {known.citation}. {known.home}")
        say(f"  licence: {known.licence}")


@app.command()
def check(
    path: FolderOrFile,
    *,
    split: Annotated[list[str] | None, typer.Option("--split", help="Only this split must be there and whole.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what a folder or a file holds, what is missing or broken, and what is done about it.

    Exit code 2 where a corpus is not whole, 1 where a file of exchanges, ratings or openings has a fault.
    """
    if files := _files_of_words(path):
        _check_files(files, split, as_json=as_json)
        return
    checked = check_folder(path, splits=tuple(split or ()))
    if as_json:
        print(canonical([each.model_dump(mode="json") | {"whole": each.is_whole} for each in checked]))
    else:
        for each in checked:
            _tell(each)
    if not all(each.is_whole for each in checked):
        raise typer.Exit(INCOMPLETE)


@app.command()
def submission(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run that answered AvaMERG.")],
    condition: Annotated[str, typer.Argument(help="The system whose answers are submitted.")],
    *,
    target: Annotated[Path, typer.Option("--out", "-o", help="The file to write.")] = Path("submission.json"),
) -> None:
    """Write a run's answers to AvaMERG in the form of its challenge."""
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.experiments.results import Results
    from heartfelt.evaluation.report.submission import submission as answers

    count = write_submission(target, answers(Results(RunFolder.existing(run)), condition))
    say(f"{count} conversations: {target}")


@app.command()
def show(
    folder: Folder,
    *,
    task: Annotated[str, typer.Option("--task", help="respond, forecast, recognise, strategy or audit.")] = "respond",
    name: Annotated[str | None, typer.Option("--dataset", help="Which corpus, where the folder holds several.")] = None,
    split: Annotated[str | None, typer.Option("--split", help="Without: the one that is scored.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many dialogues.")] = 3,
    seed: Annotated[int, typer.Option("--seed", help="Which ones.")] = 0,
    as_json: AsJson = False,
) -> None:
    """What a system would be asked, and the gold, which it would not see."""
    from heartfelt.evaluation.tasks.draw import draw, manifest
    from heartfelt.evaluation.tasks.protocol import Protocol

    known = dataset(name) if name else _only(folder)
    protocol = Protocol(task=task, dataset=known.name, split=split or known.test, limit=limit, seed=seed)
    drawn = draw(folder, protocol)
    if as_json:
        print(canonical({"manifest": manifest(protocol), "items": [item.model_dump(mode="json") for item in drawn.items]}))
        return
    for item in drawn.items:
        say(f"{item.id}")
        for turn in item.dialogue.turns:
            say(f"  {turn.speaker}: {turn.text}")
        for record in item.done:
            say(f"  [{record.step}] {record.output.model_dump(exclude={'kind'}, exclude_defaults=True)}")
        gold = item.gold.model_dump(exclude_defaults=True)
        say("  gold: " + "; ".join(f"{field} {value}" for field, value in gold.items()))


def _only(folder: Path) -> Dataset:
    found = [known for known, _ in recognised(folder)]
    if len(found) != 1:
        names = ", ".join(known.name for known in found) or "none"
        raise UsageError(
            f"Say which corpus of {folder} with --dataset. Recognised: {names}. See: heartfelt data check {folder}"
        )
    return found[0]


def _files_of_words(path: Path) -> list[Path]:
    """The files that words are tuned on. A folder that holds another corpus is checked as one, whatever else lies there."""
    from heartfelt.tuning.words.check import kind_of

    if path.is_dir():
        here = sorted(each for form in ("*.jsonl", "*.jsonl.gz") for each in path.glob(form) if each.is_file())
        found = [each for each in here if kind_of(each)]
        corpora = [known for known, _ in recognised(path) if known is not openings.DATASET] if found else []
        return [] if corpora else found
    return [path] if path.is_file() and kind_of(path) else []


def _check_files(files: list[Path], split: list[str] | None, *, as_json: bool) -> None:
    from heartfelt.tuning.words.check import check as check_file

    if split:
        raise UsageError(f"{files[0]} has no splits. Leave out --split.")
    checked = [check_file(each) for each in files]
    if as_json:
        print(canonical([each.model_dump(mode="json") | {"whole": each.is_whole} for each in checked]))
    else:
        for each in checked:
            _tell_file(each)
    if not all(each.is_whole for each in checked):
        raise typer.Exit(FAULTY)


def _tell_file(found: "CheckedFile") -> None:
    faults = f"{len(found.faults):,} fault{'s' if len(found.faults) > 1 else ''}" if found.faults else "no fault"
    say(f"{found.path}: {found.count:,} {found.kind}, {faults}")
    _tell_faults(found)
    _tell_near(found)
    if found.count:
        _tell_figures(found)


def _tell_faults(found: "CheckedFile") -> None:
    shown: Counter[str] = Counter()
    for fault in found.faults:
        shown[fault.sort] += 1
        if shown[fault.sort] <= SHOWN:
            named = f" ({fault.id})" if fault.id else ""
            say(f"  {MARKS['broken']}line {fault.line}{named}: {fault.text}")
    for sort, count in shown.items():
        if count > SHOWN:
            say(f"  {MARKS['broken']}and {count - SHOWN:,} more faults of this sort: {sort}. All of them: --json")


def _tell_near(found: "CheckedFile") -> None:
    for near in found.near[:SHOWN]:
        (one, two), (first, second) = near.lines, near.ids
        say(f"  {MARKS['odd']}lines {one} and {two} ({first}, {second}) say nearly the same, {near.alike:.0%} alike: read both")
    if len(found.near) > SHOWN:
        say(f"  {MARKS['odd']}and {len(found.near) - SHOWN:,} more that say nearly the same. All of them: --json")
    first, count = next(iter(found.firsts.items()), ("", 0))
    if found.kind == "exchanges" and count > max(SHOWN, EVERYWHERE * found.count):
        say(f"  {MARKS['odd']}{count / found.count:.1%} of the replies begin with «{first}»: write some of them again")


def _tell_figures(found: "CheckedFile") -> None:
    head = ("turns", found.kind, "share", "person, words", "most", "reply, words", "most", "asks")
    rows = [head, *(_figures(each, found.count) for each in found.by_turns)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    for row in rows:
        say("  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)))
    for name, items in _lists(found).items():
        whole = " ".join(item.replace(" ", UNBROKEN) for item in items)
        for line in wrap(whole, WIDTH, initial_indent=f"  {name:<10}", subsequent_indent=" " * 12, break_long_words=False):
            say(line.replace(UNBROKEN, " "))


def _figures(each: "ByTurns", count: int) -> tuple[str, ...]:
    said, reply = (f"{each.said:g}", f"{each.said_most}"), (f"{each.reply:g}", f"{each.reply_most}")
    return (f"{each.turns or 'all'}", f"{each.count:,}", f"{each.count / count:.0%}", *said, *reply, f"{each.asks:.0%}")


def _lists(found: "CheckedFile") -> dict[str, list[str]]:
    """Under a name, what is printed one after the other; a line is broken only between them."""
    counts = {field: {name: count for name, count in values.items() if name} for field, values in found.counts.items()}
    kinds, openings, writers = sum(counts["message"].values()), counts.get("opening"), counts.get("writer", {})
    lists = {
        "begin": _joined(f"«{first}» {count / found.count:.1%}" for first, count in found.firsts.items()),
        "kinds": [f"{kinds:,} labelled ({kinds / found.count:.0%}):", *_listed(counts["message"])],
        "emotions": [f"{len(counts['emotion'])}:", *_listed(counts["emotion"])],
        "worse": _listed(counts.get("worse", {})),
        "openings": [f"{len(openings):,}, {found.count / len(openings):.1f} replies each on average"] if openings else [],
        "marks": _joined(f"{mark}: {count:,}" for mark, count in counts.get("mark", {}).items()),
        "mean mark": _joined(f"{mark:.2f} ({source})" for source, mark in found.marks.items()),
        "flags": _listed(counts.get("flag", {})),
        "sets": _listed(counts.get("set", {})),
        "writers": [f"{len(writers)}:", *_joined(f"{name} {count:,}" for name, count in writers.items())] if writers else [],
    }
    return {name: items for name, items in lists.items() if items}


def _listed(counts: Mapping[str, int]) -> list[str]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    shown = ranked if len(ranked) <= LISTED else [*ranked[:LISTED], (f"… {ranked[-1][0]}", ranked[-1][1])]
    return _joined(f"{name} {count:,}" for name, count in shown)


def _joined(items: Iterable[str]) -> list[str]:
    """With a comma after each but the last."""
    all_ = list(items)
    return [f"{item}," for item in all_[:-1]] + all_[-1:]


def _tell(found: Checked) -> None:
    say(f"{found.title} in {found.folder}: {'whole' if found.is_whole else 'not whole'}")
    for split in found.splits:
        say(f"  {split.name}: {_counts(split)}, from {', '.join(split.files)}")
        _remarks(split.remarks, "    ")
    _remarks(found.remarks, "  ")
    say(f"  licence: {found.licence}")


def _counts(split: SplitFound) -> str:
    told = [
        _against(split.dialogues, split.published_dialogues, "dialogues"),
        _against(split.turns, split.published_turns, "turns"),
    ]
    return ", ".join([*told, *([f"{split.clips:,} turns with a recording"] if split.clips else [])])


def _against(found: int, published: int | None, what: str) -> str:
    if published is None:
        return f"{found:,} {what}"
    return f"{found:,} {what}" + (" as published" if found == published else f" of {published:,} published")


def _remarks(remarks: tuple[Remark, ...], indent: str) -> None:
    for remark in sorted(remarks, key=lambda each: each.grade):
        done = f": {remark.done}" if remark.done else ""
        say(f"{indent}{MARKS[remark.grade]}{remark.text}{done}")
        if remark.examples:
            say(f"{indent}    such as {'; '.join(remark.examples)}")


def _described(known: Dataset) -> dict[str, Any]:
    fields = (
        "name",
        "title",
        "about",
        "version",
        "citation",
        "licence",
        "home",
        "labels",
        "labelled",
        "tasks",
        "test",
        "memory",
    )
    splits = {name: published._asdict() for name, published in known.splits.items()}
    return {field: getattr(known, field) for field in fields} | {"splits": splits, "expects": known.expects}
