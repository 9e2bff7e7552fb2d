"""`heartfelt rate`: replies are rated blind, on a page or on plain sheets, and what raters gave is summed up."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.markup import escape
from rich.table import Table
from typer.core import TyperGroup

from heartfelt.cli.console import bare_table, err, interval_words, out, say
from heartfelt.errors import UsageError

if TYPE_CHECKING:
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.rating.sheet import SheetRequest
    from heartfelt.evaluation.rating.sheets.summary import SideBySide
    from heartfelt.evaluation.rating.summary import Summary

ModeName = Literal["likert", "ab"]
NAMES = "empathy, coherence, fluency, informativity, consistency, naturalness, overall"


class _PageUnlessSaid(TyperGroup):
    """`heartfelt rate RUN` is `heartfelt rate page RUN`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        said = not args or args[0] in (*self.commands, "--help")
        return super().parse_args(ctx, args if said else ["page", *args])


app = typer.Typer(
    cls=_PageUnlessSaid,
    help="Let replies be rated by those who do not know who wrote them: page, sheet, summary. Without a command: the page.",
    no_args_is_help=True,
)


@app.command()
def page(
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
) -> None:
    """Let people rate the replies of runs on a blind page on this machine."""
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.rating.sheet import SheetRequest

    tasks, conditions, criteria = (tuple(each or ()) for each in (task, condition, criterion))
    wish = SheetRequest(mode=mode, tasks=tasks, conditions=conditions, criteria=criteria, limit=limit, seed=seed)
    _serve([RunFolder.existing(path) for path in runs], wish, port, raters)


@app.command()
def sheet(
    systems: Annotated[
        list[str],
        typer.Argument(metavar="NAME=FILE…", help='Systems with their replies: JSON lines of `{"id", "reply"}`.'),
    ],
    *,
    openings: Annotated[
        Path,
        typer.Option(
            "--openings", help='What was replied to: JSON lines of `{"id", "turns"}`, and `"reference"` if there is one.'
        ),
    ],
    to: Annotated[Path, typer.Option("--to", help="The folder to make.")],
    per: Annotated[int, typer.Option("--per", min=1, help="Openings on a sheet.")] = 25,
    seed: Annotated[int, typer.Option("--seed", help="In which order replies stand.")] = 0,
) -> None:
    """Write plain sheets with several systems' replies to the same openings, shuffled and without names, for any rater."""
    from heartfelt.evaluation.rating.sheets.given import read_openings, read_systems
    from heartfelt.evaluation.rating.sheets.key import lay_out, write_sheets

    asked = read_openings(openings)
    key = lay_out(asked.values(), read_systems(systems, asked), per=per, seed=seed)
    write_sheets(key, to)
    replies = sum(len(item.replies) for item in key.items)
    say(f"{len(key.sheets())} sheets: {len(asked)} openings, {replies} replies of {', '.join(key.systems)}")
    say(f"Give raters {to / 'sheets'}, where brief.md says how to rate and where answers go. Keep {to / 'key.json'} from them.")
    err.print(f"What they found: heartfelt rate summary {to}", style="dim", markup=False)


@app.command()
def summary(
    folders: Annotated[
        list[Path], typer.Argument(metavar="FOLDER…", help="Of sheets, as `rate sheet` made it; or runs rated on the page.")
    ],
    *,
    seed: Annotated[int, typer.Option("--seed", help="Of the resamples that intervals are made of.")] = 0,
    to_json: Annotated[Path | None, typer.Option("--json", help="Also write everything into this file.")] = None,
) -> None:
    """Say what raters found, with intervals, and whether they agree."""
    found = _found(folders, seed)
    if to_json:
        from heartfelt.evaluation.lines import saving

        with saving(to_json):
            to_json.write_text(found.model_dump_json(indent=1), "utf-8")
    told = found.model_dump(mode="json")
    _tell_sheets(told) if "systems" in told else _tell_runs(told)


def _found(folders: list[Path], seed: int) -> "Summary | SideBySide":
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.rating.entries import ratings
    from heartfelt.evaluation.rating.sheets.answers import read_answers
    from heartfelt.evaluation.rating.sheets.key import is_sheets, read_key
    from heartfelt.evaluation.rating.sheets.summary import side_by_side
    from heartfelt.evaluation.rating.summary import summarise

    for folder in folders:
        if not is_sheets(folder) and not (folder / "experiment.json").is_file():
            raise UsageError(
                f"There is nothing to sum up in {folder}. Give a folder that `heartfelt rate sheet` made, or a run."
            )
    if not any(is_sheets(folder) for folder in folders):
        return summarise(ratings([RunFolder.existing(folder) for folder in folders]), seed=seed)
    if len(folders) > 1:
        raise UsageError("Sheets are summed up one folder at a time. Give one.")
    key = read_key(folders[0])
    return side_by_side(key, read_answers(folders[0], key), seed=seed)


def _serve(folders: list["RunFolder"], wish: "SheetRequest", port: int, most: int | None) -> None:
    from heartfelt.evaluation.experiments.results import Results
    from heartfelt.evaluation.rating.desk import Desk
    from heartfelt.evaluation.rating.serve import require, serve
    from heartfelt.evaluation.rating.sheet import criteria_of, units

    require()
    asked = units([Results(folder) for folder in folders], wish)
    with Desk(folders, asked, criteria_of(wish), mode=wish.mode, seed=wish.seed, most=most, told=_told) as desk:

        def ready(url: str) -> None:
            say(f"The rating page is at {url}")
            for rater in desk.raters:
                say(f"  {rater.name} goes on at {url}r/{rater.token}")
            err.print(f"{desk.screens} screens a rater. Every mark is on the disk at once. Ctrl-C ends the page.", style="dim")

        serve(desk, port=port, ready=ready)
    err.print(f"What they found: heartfelt rate summary {' '.join(str(folder.path) for folder in folders)}", style="dim")


def _told(name: str, done: int, of: int) -> None:
    err.print(f"{name}: {done} of {of}" + (", finished" if done == of else ""), style="dim", markup=False)


# ── the page's ratings in words ─────────────────────────────────────────────────────────────────────────────────────


def _tell_runs(found: dict[str, Any]) -> None:
    people = len(found["raters"])
    say(f"{found['ratings']} ratings by {people} {'person' if people == 1 else 'people'}: {', '.join(found['raters'])}")
    if found["means"]:
        out.print(_means(found["means"]))
    if found["wins"]:
        out.print(_wins(found["wins"]))
    for each in found["agreement"]:
        level = "ordinal" if each["mode"] == "likert" else "nominal"
        alpha = (
            f"Krippendorff's alpha ({level}) {interval_words(each['alpha'])} on {each['units']} units. "
            if each["alpha"]
            else ""
        )
        say(f"{each['criterion']}: {alpha}{each['words']}")
    say("Intervals are 95 %: of means and wins over dialogues, of alpha over what was rated.")


def _means(means: list[dict[str, Any]]) -> Table:
    table = bare_table("criterion", "system", "mean of 1 to 5", "ratings", "raters")
    for each in means:
        mean = interval_words(each["interval"]) if each["interval"] else f"{each['mean']:.2f}"
        table.add_row(each["criterion"], escape(each["system"]), mean, str(each["ratings"]), str(each["raters"]))
    return table


def _wins(wins: list[dict[str, Any]]) -> Table:
    table = bare_table("criterion", "a", "b", "a won", "b won", "ties", "share of a", "p")
    for each in wins:
        result = each["result"]
        counts = (str(result[name]) for name in ("a", "b", "ties"))
        names = (escape(each["a"]), escape(each["b"]))
        table.add_row(result["criterion"], *names, *counts, interval_words(result["wins"]), f"{result['p']:.3f}")
    return table


# ── sheets in words ─────────────────────────────────────────────────────────────────────────────────────────────────


def _tell_sheets(found: dict[str, Any]) -> None:
    for each in found["raters"]:
        missing = f", {each['missing']} are missing" if each["missing"] else ""
        say(f"{each['name']}: {each['marks']} marks{missing}")
    if found["unrated"]:
        say(f"Nobody has rated: {', '.join(found['unrated'])}")
    for table in (_systems(found["systems"]), _flags(found["systems"]), _differences(found["differences"])):
        if table.rows:
            out.print(table)
    agreement = found["agreement"]
    if agreement["replies"]:
        say(
            f"{agreement['replies']} replies have two marks or more: the same {interval_words(agreement['same'])}, within one "
            f"{interval_words(agreement['within_one'])}, Krippendorff's alpha (ordinal) {interval_words(agreement['alpha'])}."
        )
    say(agreement["words"])
    say("Intervals are 95 %, over openings; of alpha over replies.")


def _systems(systems: list[dict[str, Any]]) -> Table:
    table = bare_table("system", "openings", "mean of 1–5", "3 or better", "mark 1")
    for each in systems:
        figures = (interval_words(each[name]) for name in ("mean", "acceptable", "worst"))
        table.add_row(escape(each["name"]), str(each["openings"]), *figures)
    return table


def _flags(systems: list[dict[str, Any]]) -> Table:
    from heartfelt.evaluation.rating.sheets.answers import FLAGS

    table = bare_table("system", "marks", *FLAGS.values())
    for each in systems:
        table.add_row(escape(each["name"]), str(each["marks"]), *(str(each["flags"][flag]) for flag in FLAGS))
    return table


def _differences(differences: list[dict[str, Any]]) -> Table:
    table = bare_table("a", "b", "openings", "a − b")
    for each in differences:
        table.add_row(escape(each["a"]), escape(each["b"]), str(each["openings"]), interval_words(each["difference"]))
    return table
