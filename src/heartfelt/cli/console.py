"""Where output goes: answers to standard output, everything else to standard error."""

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from heartfelt.errors import HeartfeltError

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False)


def failure(error: HeartfeltError) -> dict[str, Any]:
    """A failure as JSON."""
    return {"error": {"kind": type(error).__name__, "message": str(error)}}


def complain(error: HeartfeltError) -> None:
    err.print("heartfelt:", style="bold red", end=" ")
    err.print(str(error), markup=False, soft_wrap=True)


def say(text: str) -> None:
    out.print(text, markup=False)


def bare_table(*columns: str, left: tuple[str, ...] = ("criterion", "system", "a", "b")) -> Table:
    """Columns of figures without lines between them; those of names stand to the left."""
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(Text(column), justify="left" if column in left else "right")
    return table


def interval_words(found: dict[str, Any] | None) -> str:
    return f"{found['value']:.2f} [{found['low']:.2f}, {found['high']:.2f}]" if found else "–"
