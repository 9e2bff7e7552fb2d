"""Where output goes: answers to standard output, everything else to standard error."""

from rich.console import Console

from heartfelt.errors import HeartfeltError

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False)


def complain(error: HeartfeltError) -> None:
    err.print("heartfelt:", style="bold red", end=" ")
    err.print(str(error), markup=False, soft_wrap=True)
