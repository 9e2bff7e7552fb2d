"""`heartfelt evaluate`: run an experiment, go on with one that was stopped, and report it."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from heartfelt.cli.console import err, out
from heartfelt.errors import UsageError

if TYPE_CHECKING:
    from heartfelt.evaluation.experiments.evaluate import RunProgress

EngineName = Literal["local", "ray"]
QUIET = 20.0
"""Seconds between two lines of progress where there is no terminal."""


def evaluate(
    file: Annotated[Path, typer.Argument(help="An experiment, such as `experiments/smoke.yaml`.")],
    *,
    folder: Annotated[
        Path | None, typer.Option("--out", "-o", help="The run's folder; `out/runs/NAME` without it. A stopped run goes on.")
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option("--data", help="CORPUS=FOLDER: where a corpus lies; may be repeated. Or set HEARTFELT_DATA."),
    ] = None,
    slots: Annotated[
        int | None, typer.Option("--slots", min=1, max=256, help="Turns that are answered side by side; usually one a core.")
    ] = None,
    engine: Annotated[EngineName, typer.Option("--engine", help="Where the slots are: `local` or `ray`.")] = "local",
    again: Annotated[bool, typer.Option("--again", help="Ask again for the rows that failed.")] = False,
    report: Annotated[
        bool, typer.Option("--report/--no-report", help="Score the rows and write the report at the end.")
    ] = True,
) -> None:
    """Run an experiment: every system on the same turns, every row written down as it is done."""
    # slow to import, and no other command needs it
    from heartfelt.evaluation.experiments.evaluate import evaluate as run
    from heartfelt.evaluation.experiments.experiment import read_experiment
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.experiments.local import usual_slots

    experiment = read_experiment(file)
    target = RunFolder(folder or Path("out/runs") / experiment.name)
    chosen = slots or usual_slots(experiment.models)
    with _Bars() as bars:
        try:
            done = run(
                experiment,
                target,
                engine=_engine(engine),
                slots=chosen,
                beside=file.parent,
                data=_folders(data),
                again=again,
                told=bars.told,
            )
        except KeyboardInterrupt:
            bars.stop()
            err.print(f"Stopped. What is done is kept in {target.path}; the same command goes on.", soft_wrap=True)
            raise
    failed = f", {done.failed} of them failed (--again asks for those again)" if done.failed else ""
    err.print(f"{done.done} rows{failed}: {target.path}", style="dim", soft_wrap=True, markup=False)
    if report:
        _report(target.path)


def _report(path: Path) -> None:
    from heartfelt.evaluation.experiments.folder import RunFolder
    from heartfelt.evaluation.report.write import write_report
    from heartfelt.evaluation.scoring import score

    folder = RunFolder.existing(path)
    with _Bars() as bars:
        score(folder, only_tables=True, progress=bars.counted("scoring"))
    page = write_report(folder)
    out.print(f"Report: {page}", soft_wrap=True, markup=False)


def _engine(name: EngineName):
    if name == "ray":
        from heartfelt.evaluation.experiments.on_ray import answer_on_ray

        return answer_on_ray
    from heartfelt.evaluation.experiments.local import answer_here

    return answer_here


def _folders(pairs: list[str] | None) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for pair in pairs or []:
        name, equals, folder = pair.partition("=")
        if not equals:
            raise UsageError(f"'{pair}' names no corpus. Write CORPUS=FOLDER, for example --data meld=corpora/meld.")
        found[name] = Path(folder).expanduser()
    return found


class _Bars:
    """Progress with the time that is left, on a terminal; a line now and then elsewhere."""

    def __init__(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(bar_width=28), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Bar(*columns, console=err, transient=True, disable=not err.is_terminal, speed_estimate_period=600)
        self._tasks: dict[str, TaskID] = {}
        self._said = time.monotonic()

    def __enter__(self) -> "_Bars":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self._bar.stop()

    def told(self, progress: "RunProgress") -> None:
        """Rows of a run."""
        failed = f" ({progress.failed} failed)" if progress.failed else ""
        self._show("rows", progress.done, progress.rows, failed)

    def counted(self, what: str) -> Callable[[int, int], None]:
        return lambda done, total: self._show(what, done, total)

    def _show(self, what: str, done: int, total: int, more: str = "") -> None:
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total, completed=done)
        self._bar.update(self._tasks[what], completed=done, total=total, description=f"{what}{more}")
        if not err.is_terminal and time.monotonic() - self._said > QUIET:
            self._said = time.monotonic()
            err.print(f"{what}: {done} of {total}{more}", style="dim")
