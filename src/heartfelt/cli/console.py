"""Where output goes: answers to standard output, everything else to standard error."""

from typing import Any

from rich.console import Console

from heartfelt.errors import HeartfeltError

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False)


def failure(error: HeartfeltError) -> dict[str, Any]:
    """A failure as JSON."""
    return {"error": {"kind": type(error).__name__, "message": str(error)}}


def complain(error: HeartfeltError) -> None:
    err.print("heartfelt:", style="bold red", end=" ")
    err.print(str(error), markup=False, soft_wrap=True)
