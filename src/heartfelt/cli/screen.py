"""`heartfelt screen`: whether a message tells of danger, and how well that is told from its look-alikes."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartfelt.cli import options as o
from heartfelt.cli.console import err, out
from heartfelt.errors import UsageError
from heartfelt.intake import of_text
from heartfelt.models.seam import canonical
from heartfelt.records import Alert
from heartfelt.safety.detect.reader import usual_reader
from heartfelt.safety.screen import Screen
from heartfelt.safety.settings import Safety

if TYPE_CHECKING:
    from heartfelt.safety.measure import Figures


def screen(
    text: Annotated[str | None, typer.Argument(help="A message.")] = None,
    *,
    measure: Annotated[
        Path | None, typer.Option("--measure", help="Labelled messages (CSV: text, tier, danger, form) to be scored.")
    ] = None,
    dialogues: Annotated[
        Path | None, typer.Option("--dialogues", help="A folder with EmpatheticDialogues: how often ordinary talk alarms.")
    ] = None,
    split: Annotated[str, typer.Option("--split", help="Which split of it.")] = "valid",
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many dialogues of it.")] = 300,
    rules_only: Annotated[bool, typer.Option("--rules-only", help="As if every model had failed.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Print what was missed and what was alarmed wrongly.")] = False,
    as_json: o.AsJson = False,
) -> None:
    """Look for danger in a message, or measure how well that is done, with intervals of 95 %."""
    reader = None if rules_only else usual_reader()
    if measure is not None:
        _measure(measure, rules_only=rules_only, show=show)
    elif dialogues is not None:
        _ordinary(dialogues, split, limit, rules_only=rules_only)
    elif text is None:
        raise UsageError('Give a message, for example: heartfelt screen "I cannot go on." Or say --measure or --dialogues.')
    else:
        alert = asyncio.run(Screen(Safety(), reader).look(of_text(text)))
        print(canonical(alert.model_dump(mode="json"))) if as_json else _print(alert)


def _print(alert: Alert) -> None:
    danger = f" ({alert.danger})" if alert.danger else ""
    out.print(f"{alert.tier}{danger}", style="bold red" if alert.tier in ("active", "imminent") else "bold")
    for sign in alert.signs:
        sure = f" {sign.confidence:.2f}" if sign.confidence is not None else ""
        out.print(f"  {sign.by}{sure}: {sign.tier}, {sign.danger}{f', {sign.why}' if sign.why else ''}", markup=False)
    for failure in alert.failed:
        err.print(f"  {failure}", style="yellow", markup=False)


def _measure(path: Path, *, rules_only: bool, show: bool) -> None:
    from heartfelt.recipes import RECIPES
    from heartfelt.safety.detect.double import ScriptedReader
    from heartfelt.safety.measure import figures, read_labelled, tiers_of
    from heartfelt.safety.tiers import alarms

    messages, reader = read_labelled(path), ScriptedReader() if rules_only else usual_reader()
    for name in RECIPES:
        tiers = asyncio.run(tiers_of(messages, name, reader))
        _figures(name, figures(messages, tiers))
        if show:
            for message, tier in zip(messages, tiers, strict=True):
                if alarms(message.tier) != alarms(tier):
                    out.print(f"  {message.tier} → {tier}: {message.text}", markup=False, highlight=False)
            return


def _figures(name: str, found: "Figures") -> None:
    out.print(f"{name}", style="bold")
    out.print(f"  found of active and imminent   {found.found}", highlight=False)
    out.print(f"  false alarms of look-alikes    {found.false}", highlight=False)
    out.print(f"  false alarms of plain talk     {found.plain}", highlight=False)
    out.print(f"  noticed of concern             {found.concern}", highlight=False)
    for part, share in found.by.items():
        out.print(f"    found, {part:<12} {share}", style="dim", highlight=False)


def _ordinary(folder: Path, split: str, limit: int, *, rules_only: bool) -> None:
    import heapq

    from heartfelt.evaluation.datasets import dataset
    from heartfelt.evaluation.tasks.draw import rank
    from heartfelt.safety.measure import alarmed

    known = dataset("empathetic_dialogues")
    talks = heapq.nsmallest(limit, known.read(folder, known.split_named(split)), key=lambda talk: rank(talk.dialogue.id, 0))
    seen: list[str] = []
    share = asyncio.run(
        alarmed((talk.dialogue for talk in talks), None if rules_only else usual_reader(), lambda one: seen.append(one.id))
    )
    out.print(f"{known.title}, {split}: dialogues with an alarm   {share}", highlight=False)
    if seen:
        out.print(f"  {', '.join(seen)}", style="dim")
