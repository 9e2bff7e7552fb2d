"""The tables of a report as Markdown, for documents."""

from collections.abc import Iterator

from heartfelt.evaluation.report import told
from heartfelt.evaluation.report.columns import Heading
from heartfelt.evaluation.report.figures import ConditionLine, FigureCell, Reported, ReportFigures


def markdown(figures: ReportFigures) -> str:
    return "\n".join(_lines(figures)) + "\n"


def _lines(figures: ReportFigures) -> Iterator[str]:
    asked = figures.asked
    yield f"# {figures.experiment}\n"
    if figures.about:
        yield f"{figures.about}\n"
    if not asked.finished:
        yield f"**This run is not finished: {asked.rows} of {asked.planned} rows are done.**\n"
    for table in figures.tables:
        yield from _table(table)
    yield from _groups(figures)
    yield "## What was asked\n"
    for task in asked.tasks:
        size = f"{task.items} items of {task.dialogues} dialogues"
        yield f"- {task.name}: {task.what}, {size}, protocol `{task.digest}`. {task.citation}."
    yield f"- {', '.join(asked.models)}; seeds {', '.join(map(str, asked.seeds))}; Heartfelt {asked.version}"
    yield f"- {asked.rows} of {asked.planned} rows, {asked.failed} without an answer"
    yield "\n```console\n" + "\n".join(f"$ {command}" for command in asked.reproduce) + "\n```"


def _table(table: Reported) -> Iterator[str]:
    yield f"## {table.title}: {table.task}\n"
    heads = [f"{column.name}{_unit(column)}" for column in table.columns]
    yield "| condition | " + " | ".join(map(_safe, heads)) + " |"
    yield "|---|" + "---|" * len(heads)
    for line in table.lines:
        yield f"| {_safe(line.name)} | " + " | ".join(map(_cell, line.cells, table.columns)) + " |"
        yield from _published(table, line)
    yield ""
    if table.against:
        yield f"95 % intervals over dialogues; * differs from {table.against} beyond chance (p < .05, Holm over the table).\n"
    for each in table.published:
        if each.differs:
            yield f"{each.source}, † another protocol: {each.differs}.\n"
    yield from (f"- {note}" for note in table.notes)
    yield ""


def _published(table: Reported, line: ConditionLine) -> Iterator[str]:
    for each in table.published:
        found = [(each.of(line.place.condition, column), column.unit) for column in table.columns]
        if any(value is not None for value, _ in found):
            cells = " | ".join("" if value is None else f"*{told.value(value, unit)}*" for value, unit in found)
            yield f"| *{_safe(each.source)}*{' †' if each.differs else ''} | {cells} |"


def _groups(figures: ReportFigures) -> Iterator[str]:
    if not figures.parts:
        return
    yield "## Groups that are served worse\n"
    for part in figures.parts:
        found = part.slice
        apart = told.difference(found.difference or 0.0, part.unit)
        yield (
            f"- {part.task}, {part.line}, {part.column}: {found.by} {found.name}, {apart} {told.unit_of(part.unit)} "
            f"against the rest (p {told.chance(found.p or 0.0)}, {found.dialogues} dialogues)"
        )
    yield ""


def _cell(cell: FigureCell, column: Heading) -> str:
    if cell.value is None:
        return "–"
    star = "*" if cell.against and cell.against.beyond_chance else ""
    ends = "" if cell.low is None or cell.high is None else f" ({told.ends(cell.low, cell.high, column.unit)})"
    return f"{told.signed(cell.value, column.unit)}{star}{ends}"


def _unit(column: Heading) -> str:
    unit = told.unit_of(column.unit)
    return f", {unit}" if unit and unit != column.name else ""


def _safe(text: str) -> str:
    return text.replace("|", "\\|")
