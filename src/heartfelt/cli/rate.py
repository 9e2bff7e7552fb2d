"""`heartfelt rate`: people rate replies on a blind page on this machine, and what they gave is summed up."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape
from rich.table import Table

from heartfelt.cli import options as o
from heartfelt.cli.console import err, out
from heartfelt.models.seam import canonical

if TYPE_CHECKING:
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.rating import Wish

ModeName = Literal["likert", "ab"]
NAMES = "empathy, coherence, fluency, informativity, consistency, naturalness, overall"


def rate(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs, as `heartfelt evaluate` made them.")],
    *,
    mode: Annotated[
        ModeName, typer.Option("--mode", help="`likert`: mark one reply from 1 to 5; `ab`: choose of two.")
    ] = "likert",
    criterion: Annotated[
        list[str] | None, typer.Option("--criterion", "-c", help=f"What is asked; may be repeated. One of: {NAMES}.")
    ] = None,
    task: Annotated[list[str] | None, typer.Option("--task", help="Only this task; may be repeated.")] = None,
    condition: Annotated[list[str] | None, typer.Option("--condition", help="Only this system; may be repeated.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many turns, the same for all.")] = None,
    raters: Annotated[int | None, typer.Option("--raters", min=1, help="At most so many people.")] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Of the page; 0: any that is free.")] = 0,
    seed: Annotated[int, typer.Option("--seed", help="Which turns, in which order, on which sides.")] = 0,
    summary: Annotated[bool, typer.Option("--summary", help="Print what the ratings amount to, and serve no page.")] = False,
    as_json: o.AsJson = False,
) -> None:
    """Let people rate replies without knowing who wrote them; with --summary, say what they found and whether they agree."""
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.rating import Wish

    folders = [RunFolder.existing(path) for path in runs]
    if summary:
        _sum_up(folders, seed, as_json=as_json)
        return
    tasks, conditions, criteria = (tuple(each or ()) for each in (task, condition, criterion))
    wish = Wish(mode=mode, tasks=tasks, conditions=conditions, criteria=criteria, limit=limit, seed=seed)
    _serve(folders, wish, port, raters)


def _serve(folders: list["RunFolder"], wish: "Wish", port: int, most: int | None) -> None:
    from heartfelt.evaluation.experiments.results import Results
    from heartfelt.evaluation.rating import Desk, criteria_of, serve, units
    from heartfelt.evaluation.rating.serve import require

    require()
    asked = units([Results(folder) for folder in folders], wish)
    with Desk(folders, asked, criteria_of(wish), mode=wish.mode, seed=wish.seed, most=most, told=_told) as desk:

        def ready(url: str) -> None:
            _say(f"The rating page is at {url}")
            for rater in desk.raters:
                _say(f"  {rater.name} goes on at {url}r/{rater.token}")
            err.print(f"{desk.screens} screens a rater. Every mark is on the disk at once. Ctrl-C ends the page.", style="dim")

        serve(desk, port=port, ready=ready)
    err.print(f"What they found: heartfelt rate {' '.join(str(folder.path) for folder in folders)} --summary", style="dim")


def _told(name: str, done: int, of: int) -> None:
    err.print(f"{name}: {done} of {of}" + (", finished" if done == of else ""), style="dim", markup=False)


def _sum_up(folders: list["RunFolder"], seed: int, *, as_json: bool) -> None:
    from heartfelt.evaluation.rating import ratings, summarise

    found = summarise(ratings(folders), seed=seed)
    told = found.model_dump(mode="json")
    print(canonical(told)) if as_json else _tell(told)


# ── in words ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _tell(found: dict[str, Any]) -> None:
    people = len(found["raters"])
    _say(f"{found['ratings']} ratings by {people} {'person' if people == 1 else 'people'}: {', '.join(found['raters'])}")
    if found["means"]:
        out.print(_means(found["means"]))
    if found["wins"]:
        out.print(_wins(found["wins"]))
    for each in found["agreement"]:
        level = "ordinal" if each["mode"] == "likert" else "nominal"
        alpha = f"Krippendorff's alpha ({level}) {_interval(each['alpha'])} on {each['units']} units. " if each["alpha"] else ""
        _say(f"{each['criterion']}: {alpha}{each['words']}")
    _say("Intervals are 95 %: of means and wins over dialogues, of alpha over what was rated.")


def _means(means: list[dict[str, Any]]) -> Table:
    table = _table("criterion", "system", "mean of 1 to 5", "ratings", "raters")
    for each in means:
        mean = _interval(each["interval"]) if each["interval"] else f"{each['mean']:.2f}"
        table.add_row(each["criterion"], escape(each["system"]), mean, str(each["ratings"]), str(each["raters"]))
    return table


def _wins(wins: list[dict[str, Any]]) -> Table:
    table = _table("criterion", "a", "b", "a won", "b won", "ties", "share of a", "p")
    for each in wins:
        result = each["result"]
        share = _interval(result["wins"]) if result["wins"] else "–"
        counts = (str(result[name]) for name in ("a", "b", "ties"))
        table.add_row(result["criterion"], escape(each["a"]), escape(each["b"]), *counts, share, f"{result['p']:.3f}")
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="left" if column in ("criterion", "system", "a", "b") else "right")
    return table


def _interval(found: dict[str, Any]) -> str:
    return f"{found['value']:.2f} [{found['low']:.2f}, {found['high']:.2f}]"


def _say(text: str) -> None:
    out.print(text, markup=False)
