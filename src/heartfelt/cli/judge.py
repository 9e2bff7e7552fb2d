"""`heartfelt judge`: a model compares the replies of two systems, and its own reliability is printed beside its verdicts."""

import asyncio
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from heartfelt.cli import options as o
from heartfelt.cli.console import bare_table, err, interval_words, out, say
from heartfelt.models.addresses import refuse_login
from heartfelt.models.seam import canonical

if TYPE_CHECKING:
    from heartfelt.evaluation.judging.judge import Bench, JudgeRequest

NAMES = "empathy, informativity, fluency, consistency, coherence, naturalness, expressiveness, multimodal-consistency, overall"
"""As in `criteria.toml`, which is slow to import here; a test holds the two together."""


def judge(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run, as `heartfelt evaluate` made it.")],
    a: Annotated[str, typer.Argument(metavar="A", help="A condition of the run.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The condition that it is compared with.")],
    *,
    model: Annotated[
        str, typer.Option("--model", "-m", help="Who judges: `embedded:`, `ollama:NAME`, `openai:URL#NAME` or `scripted:FILE`.")
    ],
    task: Annotated[list[str] | None, typer.Option("--task", help="Only this task; may be repeated.")] = None,
    criterion: Annotated[
        list[str] | None, typer.Option("--criterion", "-c", help=f"One of: {NAMES}; may be repeated. Without: all that fit.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="At most so many pairs, drawn by --seed.")] = None,
    repeats: Annotated[int, typer.Option("--repeats", min=1, max=50, help="How often each question is asked.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Which pairs, and the seed of what is drawn by chance.")] = 0,
    tries: o.Tries = 3,
    timeout: o.Timeout = 120.0,
    at_once: Annotated[int, typer.Option("--at-once", min=1, max=64, help="Questions under way at the same time.")] = 1,
    again: Annotated[bool, typer.Option("--again", help="Ask again what failed before.")] = False,
    name: Annotated[str, typer.Option("--name", help="Of the file in RUN/judgements; without: A-vs-B.")] = "",
    as_json: o.AsJson = False,
) -> None:
    """Let a model compare two systems' replies, in both orders. Given again, the command goes on where it was stopped."""
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.judging.judge import JudgeRequest, prepare

    refuse_login(model, "The comparison")
    wish = JudgeRequest(
        a=a,
        b=b,
        judge=model,
        tasks=tuple(task or ()),
        criteria=tuple(criterion or ()),
        limit=limit,
        repeats=repeats,
        seed=seed,
        tries=tries,
        timeout=timeout,
        at_once=at_once,
        again=again,
        name=name,
    )
    bench = prepare(RunFolder.existing(run), wish)
    if bench.head.warning:
        err.print(f"Warning: {bench.head.warning}", style="yellow", markup=False, soft_wrap=True)
    asyncio.run(_ask(bench, wish))
    report = _report(bench, seed)
    print(canonical(report)) if as_json else _tell(report)


async def _ask(bench: "Bench", wish: "JudgeRequest") -> None:
    """Only what is waiting; a finished comparison opens no model."""
    if not bench.waiting:
        return
    from heartfelt.evaluation.judging.judge import judge as ask
    from heartfelt.models import open_model

    model = open_model(wish.judge)
    columns = (TextColumn("judging"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=err, transient=True)
    with bar if err.is_terminal else nullcontext():
        shown = bar.add_task("judging", total=len(bench.questions), completed=len(bench.questions) - len(bench.waiting))
        try:
            await ask(bench, wish, model, lambda _: bar.advance(shown))
        finally:
            await model.close()


def _report(bench: "Bench", seed: int) -> dict[str, Any]:
    from heartfelt.evaluation.judging.rulings import read
    from heartfelt.evaluation.judging.trust import trusted

    found, wanted = read(bench.path), {question.key for question in bench.questions}
    rulings = [each for each in found.rulings if each.key in wanted]
    failures = [each.failed for each in rulings if each.failed]
    return {
        "file": str(bench.path),
        "head": found.head.model_dump(mode="json"),
        "pairs": len(bench.pairs.pairs),
        "unanswered": bench.pairs.unanswered,
        "answers": len(rulings),
        "failed": [each.model_dump(mode="json") for each in failures],
        "criteria": [
            each.model_dump(mode="json") | {"flips_point": each.result.flip_rate, "words": each.words}
            for each in trusted((each.judgement for each in rulings), seed=seed)
        ],
    }


# ── in words ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _tell(report: dict[str, Any]) -> None:
    head = report["head"]
    say(f"{head['a']} against {head['b']}, judged by {head['judge']} on {report['pairs']} pairs, each in both orders")
    out.print(_verdicts(head, report["criteria"]))
    out.print(_trust(report["criteria"]))
    for each in report["criteria"]:
        say(f"{each['result']['criterion']}: {each['words']}")
    if report["unanswered"]:
        say(f"{report['unanswered']} turns were left out: one of the two systems did not reply to them.")
    if report["failed"]:
        say(f"{len(report['failed'])} questions failed and count as abstentions; the first: {report['failed'][0]['message']}")
        say("Ask them again with --again.")
    if head["warning"]:
        say(f"Warning: {head['warning']}")
    say(f"Intervals are 95 % over dialogues; flips, ties and abstentions count half for each side. Written to {report['file']}")


def _verdicts(head: dict[str, Any], criteria: list[dict[str, Any]]) -> Table:
    """Who won."""
    table = bare_table(
        "criterion", head["a"], head["b"], "ties", "flips", "none", f"share of {head['a']}", "p", left=("criterion",)
    )
    for each in criteria:
        result = each["result"]
        counts = (str(result[name]) for name in ("a", "b", "ties", "flips", "abstained"))
        table.add_row(result["criterion"], *counts, interval_words(result["wins"]), f"{result['p']:.3f}")
    return table


def _trust(criteria: list[dict[str, Any]]) -> Table:
    """What the verdicts are worth."""
    table = bare_table("criterion", "flip rate", "first place won", "repeats agree")
    for each in criteria:
        trust = (interval_words(each[name]) for name in ("flip_rate", "first_place", "stability"))
        table.add_row(each["result"]["criterion"], *trust)
    return table
