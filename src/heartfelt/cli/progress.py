"""The steps of a turn in the terminal, as they happen: an observer."""

from rich.console import Console
from rich.status import Status
from rich.text import Text

from heartfelt.cli.words import alert_in_words, audit_in_words, findings_in_words, in_words, performance_in_words
from heartfelt.events import (
    Audited,
    Event,
    Guarded,
    Notice,
    PassStarted,
    Performed,
    Screened,
    StepFinished,
    StepSkipped,
    StepStarted,
    TurnFailed,
    TurnFinished,
    TurnStarted,
)
from heartfelt.pipeline import NOTHING_STANDS_ON_IT
from heartfelt.records import Alert, Audit, Performance, StepRecord

WIDTH = 11


class Progress:
    """Prints one line a step; on a real terminal the running step has a spinner."""

    def __init__(self, console: Console):
        self._console = console
        self._status: Status | None = None

    def __call__(self, event: Event) -> None:
        match event:
            case TurnStarted():
                self._spin(f"waking {event.model}")
            case Screened(alert=alert):
                self._screened(alert)
            case PassStarted() if event.number > 0:
                self._mended(event)
            case StepStarted(step=step):
                self._spin(step)
            case StepFinished(record=record):
                self._step(record)
            case Audited(audit=audit):
                self._audit(audit)
            case StepSkipped(step=step, why=why) if event.number == 0 or why != NOTHING_STANDS_ON_IT:  # the same in every pass
                self._line("–", step, f"left out: {why}", "dim")
            case Guarded(why=why):
                self._line("!", "guard", why, "yellow")
            case Notice(text=text):
                self._line("!", "note", text, "yellow")
            case TurnFinished() | TurnFailed():
                self._rest()
            case Performed(performance=performance):
                self._performed(performance)
            case _:
                pass

    def _step(self, record: StepRecord) -> None:
        marks = " (planted)" if record.planted else " (set by hand)" if record.edited else ""
        self._line("✓" if not record.findings else "✗", record.step, in_words(record.output) + marks, "cyan", record.ms)
        for problem in findings_in_words(record):
            self._line(" ", "", f"check: {problem}", "yellow")
        self._spin("…")

    def _screened(self, alert: Alert) -> None:
        """Where nothing was found there is nothing to tell."""
        if alert.tier != "none":
            grave = alert.tier in ("active", "imminent")
            self._line("!", "screen", alert_in_words(alert), "red" if grave else "yellow", alert.ms)
        for failure in alert.failed:
            self._line("!", "screen", f"{failure}; the others looked", "yellow")

    def _performed(self, made: Performance) -> None:
        ok = "✓" if not made.findings else "✗"
        self._line(ok, "express", performance_in_words(made), "cyan", sum(made.ms.values()))
        for finding in made.findings:
            self._line(" ", "", f"check: {finding.problem}", "yellow")

    def _audit(self, audit: Audit) -> None:
        passed = audit.blamed is None
        self._line("✓" if passed else "✗", "audit", audit_in_words(audit), "green" if passed else "yellow", audit.ms)

    def _mended(self, event: PassStarted) -> None:
        self._line("↺", f"pass {event.number}", f"again from {event.started_from}: {event.instruction}", "magenta")

    def _line(self, mark: str, name: str, words: str, style: str, ms: float | None = None) -> None:
        self._rest()
        line = Text(f"{mark} ", style=style).append(name.ljust(WIDTH), style="bold").append(words, style="default")
        if ms is not None:
            line.append(f"  {ms:,.0f} ms", style="dim")
        self._console.print(line, soft_wrap=not self._console.is_terminal)

    def _spin(self, what: str) -> None:
        self._rest()
        if self._console.is_terminal:
            self._status = self._console.status(Text(what, style="dim"))
            self._status.start()

    def _rest(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None
