"""`heartfelt data`: the corpora that systems are measured on. Heartfelt ships none of them; it reads the ones you have."""

from pathlib import Path
from typing import Annotated, Any

import typer

from heartfelt.cli.console import out
from heartfelt.errors import UsageError
from heartfelt.evaluation.datasets import DATASETS, Dataset, dataset, recognised, write_submission
from heartfelt.evaluation.datasets.check import Checked, Remark, SplitFound
from heartfelt.evaluation.datasets.check import check as check_folder
from heartfelt.models.seam import canonical

app = typer.Typer(
    help="Corpora to measure on: which are known, what a folder holds, what a system would see.", no_args_is_help=True
)
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder that holds the corpus, or several of them.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document instead of words.")]
INCOMPLETE = 2
MARKS = {"fine": "  ", "odd": "· ", "broken": "✗ "}


@app.command("list")
def list_(*, as_json: AsJson = False) -> None:
    """The corpora that can be read, with licence and citation."""
    if as_json:
        print(canonical([_described(known) for known in DATASETS.values()]))
        return
    for known in DATASETS.values():
        _say(f"{known.name}: {known.about}")
        _say(f"  tasks: {', '.join(known.tasks)}; labels: {known.labels}; splits: {', '.join(known.splits)}")
        _say(f"  files: {known.expects}")
        _say(f"  {known.citation}. {known.home}")
        _say(f"  licence: {known.licence}")


@app.command()
def check(
    folder: Folder,
    *,
    split: Annotated[list[str] | None, typer.Option("--split", help="Only this split must be there and whole.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what a folder holds, what is missing or broken, and what is done about it. Exit code 2 where something is."""
    checked = check_folder(folder, splits=tuple(split or ()))
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
    from heartfelt.evaluation.experiments import Results, RunFolder
    from heartfelt.evaluation.report.submission import submission as answers

    count = write_submission(target, answers(Results(RunFolder.existing(run)), condition))
    _say(f"{count} conversations: {target}")


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
    from heartfelt.evaluation.tasks import Protocol, draw, manifest

    known = dataset(name) if name else _only(folder)
    protocol = Protocol(task=task, dataset=known.name, split=split or known.test, limit=limit, seed=seed)
    drawn = draw(folder, protocol)
    if as_json:
        print(canonical({"manifest": manifest(protocol), "items": [item.model_dump(mode="json") for item in drawn.items]}))
        return
    for item in drawn.items:
        _say(f"{item.id}")
        for turn in item.dialogue.turns:
            _say(f"  {turn.speaker}: {turn.text}")
        for record in item.done:
            _say(f"  [{record.step}] {record.output.model_dump(exclude={'kind'}, exclude_defaults=True)}")
        gold = item.gold.model_dump(exclude_defaults=True)
        _say("  gold: " + "; ".join(f"{field} {value}" for field, value in gold.items()))


def _only(folder: Path) -> Dataset:
    found = [known for known, _ in recognised(folder)]
    if len(found) != 1:
        names = ", ".join(known.name for known in found) or "none"
        raise UsageError(
            f"Say which corpus of {folder} with --dataset. Recognised: {names}. See: heartfelt data check {folder}"
        )
    return found[0]


def _tell(found: Checked) -> None:
    _say(f"{found.title} in {found.folder}: {'whole' if found.is_whole else 'not whole'}")
    for split in found.splits:
        _say(f"  {split.name}: {_counts(split)}, from {', '.join(split.files)}")
        _remarks(split.remarks, "    ")
    _remarks(found.remarks, "  ")
    _say(f"  licence: {found.licence}")


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
        _say(f"{indent}{MARKS[remark.grade]}{remark.text}{done}")
        if remark.examples:
            _say(f"{indent}    such as {'; '.join(remark.examples)}")


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


def _say(text: str) -> None:
    out.print(text, markup=False)
