"""`heartfelt screen`: whether a message tells of danger, and how well that is told from its look-alikes."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from heartfelt.cli import options as o
from heartfelt.cli.console import err, out
from heartfelt.errors import ModelError, UsageError
from heartfelt.intake import of_text
from heartfelt.models.seam import canonical
from heartfelt.records import Alert, Dialogue
from heartfelt.safety.detect.reader import Reader
from heartfelt.safety.detect.readers import open_reader
from heartfelt.safety.screen import Screen
from heartfelt.safety.settings import Safety

if TYPE_CHECKING:
    from heartfelt.evaluation.screening import Ordinary, ScreenFigures, TurnLabel


def screen(
    text: Annotated[str | None, typer.Argument(help="A message.")] = None,
    *,
    measure: Annotated[
        Path | None, typer.Option("--measure", help="Labelled messages (CSV: text, tier, danger, form) to be scored.")
    ] = None,
    talks: Annotated[
        Path | None, typer.Option("--talks", help="Ordinary talks (JSON lines: turns): how often they are disturbed.")
    ] = None,
    followed: Annotated[
        Path | None,
        typer.Option("--followed", help="Talks labelled turn by turn (JSON lines: turns): how well a danger is followed."),
    ] = None,
    acts: Annotated[
        Path | None, typer.Option("--acts", help="Messages and what they do (CSV: text, act, asked): how well that is told.")
    ] = None,
    dialogues: Annotated[
        Path | None, typer.Option("--dialogues", help="A folder with EmpatheticDialogues: how often ordinary talk alarms.")
    ] = None,
    split: Annotated[str, typer.Option("--split", help="Which split of it.")] = "valid",
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many dialogues of it.")] = 300,
    rules_only: Annotated[bool, typer.Option("--rules-only", help="As if every model had failed.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="With the quick reader alone, as on a small machine.")] = False,
    show: Annotated[bool, typer.Option("--show", help="Print what was missed and what was alarmed wrongly.")] = False,
    as_json: o.AsJson = False,
) -> None:
    """Look for danger in a message, or measure how well that is done, with intervals of 95 %."""
    reader = None if rules_only else open_reader("embedded:quick" if quick else "embedded:", patient=True)
    if measure is not None:
        _measure(measure, reader, show=show)
    elif talks is not None:
        _talks(talks, reader, show=show)
    elif followed is not None:
        _followed(followed, reader, show=show)
    elif acts is not None:
        _acts(acts, reader)
    elif dialogues is not None:
        _ordinary(dialogues, split, limit, reader)
    elif text is None:
        raise UsageError(
            'Give a message, for example: heartfelt screen "I cannot go on." '
            "Or say --measure, --talks, --followed, --acts or --dialogues."
        )
    else:
        alert = asyncio.run(Screen(Safety(), reader).look(of_text(text)))
        print(canonical(alert.model_dump(mode="json"))) if as_json else _print(alert)


def _print(alert: Alert) -> None:
    whose = {"self": ", the person", "other": ", somebody else", None: ""}[alert.who]
    danger = f" ({alert.danger}{whose})" if alert.danger else ""
    out.print(f"{alert.tier}{danger}", style="bold red" if alert.tier in ("active", "imminent") else "bold")
    for sign in alert.signs:
        sure = f" {sign.confidence:.2f}" if sign.confidence is not None else ""
        out.print(f"  {sign.by}{sure}: {sign.tier}, {sign.danger}{f', {sign.why}' if sign.why else ''}", markup=False)
    for failure in alert.failed:
        err.print(f"  {failure}", style="yellow", markup=False)


def _measure(path: Path, reader: Reader | None, *, show: bool) -> None:
    from heartfelt.evaluation.screening import alerts_of, figures, read_labelled
    from heartfelt.recipes import RECIPES
    from heartfelt.safety.detect.double import ScriptedReader
    from heartfelt.safety.tiers import alarms

    messages, failing = read_labelled(path), ScriptedReader(fails=ModelError("Switched off."))
    first, *others = RECIPES
    alerts = asyncio.run(alerts_of(messages, first, reader or failing))
    _figures(first, figures(messages, alerts))
    for message, alert in zip(messages, alerts, strict=True) if show else ():
        if alarms(message.tier) != alarms(alert.tier):
            out.print(f"  {message.tier} → {alert.tier}: {message.text}", markup=False, highlight=False)
    for name in others:
        found = asyncio.run(alerts_of(messages, name, reader or failing))
        same = [alert.tier for alert in found] == [alert.tier for alert in alerts]
        out.print(f"{name}: {'the same' if same else 'OTHER ALERTS'}", highlight=False)


def _figures(name: str, found: "ScreenFigures") -> None:
    out.print(f"{name}", style="bold")
    out.print(f"  found of active and imminent   {found.found}", highlight=False)
    out.print(f"  false alarms of look-alikes    {found.false}", highlight=False)
    if found.plain.of:
        out.print(f"  false alarms of plain talk     {found.plain}", highlight=False)
    if found.concern.of:
        out.print(f"  noticed of concern             {found.concern}", highlight=False)
    out.print(f"  told right who is in danger    {found.who}", highlight=False)
    for part, share in found.by.items():
        out.print(f"    found, {part:<12} {share}", style="dim", highlight=False)


def _ordinary(folder: Path, split: str, limit: int, reader: Reader | None) -> None:
    import heapq

    from heartfelt.datasets import dataset
    from heartfelt.evaluation.screening import disturbed
    from heartfelt.evaluation.tasks.draw import rank
    from heartfelt.safety.tiers import alarms

    known = dataset("empathetic_dialogues")
    talks = heapq.nsmallest(limit, known.read(folder, known.split_named(split)), key=lambda talk: rank(talk.dialogue.id, 0))
    seen: dict[str, None] = {}

    def told(dialogue: Dialogue, alert: Alert) -> None:
        if alarms(alert.tier):
            seen[dialogue.id] = None

    found = asyncio.run(disturbed((talk.dialogue for talk in talks), reader, told))
    out.print(f"{known.title}, {split}", highlight=False)
    _disturbed(found)
    if seen:
        out.print(f"  {', '.join(seen)}", style="dim")


def _talks(path: Path, reader: Reader | None, *, show: bool) -> None:
    from heartfelt.evaluation.screening import disturbed, read_talks

    def told(dialogue: Dialogue, alert: Alert) -> None:
        if show:
            out.print(f"  {alert.tier}, {alert.danger}: {dialogue.last.text}", markup=False, highlight=False)

    _disturbed(asyncio.run(disturbed(read_talks(path), reader, told)))


def _followed(path: Path, reader: Reader | None, *, show: bool) -> None:
    from heartfelt.evaluation.screening import followed_through, read_labelled_talks

    def told(said: str, label: "TurnLabel", alert: Alert) -> None:
        if show:
            out.print(f"  {'/'.join(label)} → {alert.tier}/{alert.danger}: {said}", markup=False, highlight=False)

    found = asyncio.run(followed_through(read_labelled_talks(path), reader, told))
    out.print(f"  found of active and imminent   {found.found}", highlight=False)
    out.print(f"  found of imminent              {found.imminent}", highlight=False)
    out.print(f"  noticed of concern             {found.concern}", highlight=False)
    out.print(f"  false alarms without danger    {found.false}", highlight=False)
    out.print(f"  … where nothing was before     {found.before}", highlight=False)
    out.print(f"  told right which danger        {found.danger}", highlight=False)
    out.print(f"  told right who is in danger    {found.who}", highlight=False)


def _acts(path: Path, reader: Reader | None) -> None:
    from heartfelt.evaluation.screening import acted

    if reader is None:
        raise UsageError("What a message does is told by the reader: leave out --rules-only.")
    found = asyncio.run(acted(path, reader))
    out.print(f"  told what is done              {found.told}", highlight=False)
    out.print(f"  of those, right                {found.right}", highlight=False)
    out.print(f"  danger taken back, heard       {found.lowered}", highlight=False)
    out.print(f"  heard without being said       {found.lowered_wrongly}", highlight=False)


def _disturbed(found: "Ordinary") -> None:
    out.print(f"  messages with an alarm         {found.alarmed}", highlight=False)
    out.print(f"  answered by a reviewed text    {found.asked}", highlight=False)
    out.print(f"  talks with an alarm            {found.talks}", highlight=False)
