"""The trace: one file a turn, written event by event, so that whatever ends the process leaves a readable one.

A trace is a file of JSON lines. Its first line holds the input and the setup, each following line one event, and the last one
the outcome or the failure. Reading puts the passes together again; a step that several passes keep is one object.
"""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from pydantic import TypeAdapter, ValidationError

from heartfelt.errors import InputError
from heartfelt.events import (
    AnyEvent,
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
    Wrote,
)
from heartfelt.files import writing
from heartfelt.records import Alert, Audit, Outcome, Pass, Performance, StepRecord
from heartfelt.setup import Setup

_EVENT: TypeAdapter[Event] = TypeAdapter(AnyEvent)


class TraceWriter:
    """An observer that appends each event to a file as it happens. What the file held before goes when the turn starts."""

    def __init__(self, path: Path):
        self.path = path
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = path.open("ab", buffering=0)

    def __call__(self, event: Event) -> None:
        if isinstance(event, Wrote):  # the pieces of a reply are in the reply
            return
        with writing(self.path):
            if isinstance(event, TurnStarted) and self._size:
                self._file.truncate(0)
            if isinstance(event, Performed) and self._file.closed:  # the turn had ended before
                self._file = self.path.open("ab", buffering=0)
            self._append(event.model_dump_json().encode() + b"\n")
            if isinstance(event, TurnFinished | TurnFailed | Performed):
                os.fsync(self._file.fileno())
                self._file.close()

    def _append(self, line: bytes) -> None:
        """The whole line or, on a disk that fails, nothing of it: what comes after must not hang on to half a line."""
        before = self._size
        try:
            while line:
                line = line[self._file.write(line) :]
        except OSError:
            with suppress(OSError):  # the first failure is the one to tell
                self._file.truncate(before)
            raise

    @property
    def _size(self) -> int:
        return os.fstat(self._file.fileno()).st_size


@dataclass
class Trace:
    """A turn as it was recorded, finished or not. It is itself an observer: feed it events and it grows."""

    started: TurnStarted | None = None
    passes: list[Pass] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    skipped: list[StepSkipped] = field(default_factory=list)
    finished: TurnFinished | None = None
    failed: TurnFailed | None = None
    performance: Performance | None = None
    alert: Alert | None = None
    """What the screen found; none where it was switched off."""
    guarded: Guarded | None = None
    """What was changed in the chosen reply before anybody heard it."""
    events: list[Event] = field(default_factory=list[Event])
    """As they came, but for what only matters while it happens."""

    def __call__(self, event: Event) -> None:
        if not isinstance(event, StepStarted | Wrote):
            self.events.append(event)
        match event:
            case TurnStarted():
                self.started = event
            case Screened(alert=alert):
                self.alert = alert
            case PassStarted():
                self.passes.append(self._opened(event))
            case StepFinished(record=record):
                self._grow(steps=(*self.passes[-1].steps, record))
            case Audited(audit=audit):
                self._grow(audit=audit)
            case Guarded():
                self.guarded = event
                self.passes[event.number] = self.passes[event.number].saying(event.reply)
            case Notice(text=text):
                self.notices.append(text)
            case StepSkipped():
                self.skipped.append(event)
            case TurnFinished():
                self.finished = event
            case TurnFailed():
                self.failed = event
            case Performed(performance=performance):
                self.performance = performance
            case _:
                pass

    @classmethod
    def read(cls, path: Path) -> "Trace":
        """The trace in a file."""
        try:
            return cls.parse(path.read_bytes(), str(path))
        except OSError as error:
            raise InputError(f"The trace {path} cannot be read: {error.strerror}.") from None

    @classmethod
    def parse(cls, data: bytes, name: str) -> "Trace":
        """The trace in these bytes. A last line that was cut short by a kill is left out."""
        lines, trace = data.split(b"\n"), cls()
        for number, line in enumerate(lines, 1):
            if line.strip():
                trace._read_line(line, number, last=number >= len(lines) - 1, name=name)
        if trace.started is None:
            raise InputError(f"{name} is not a trace: its first line must tell how the turn was started.")
        if trace.finished is not None and not 0 <= trace.finished.chosen < len(trace.passes):
            raise InputError(f"{name} is damaged: it chooses a pass that it does not hold.")
        return trace

    def _read_line(self, line: bytes, number: int, *, last: bool, name: str) -> None:
        try:
            event = _EVENT.validate_json(line)
        except ValidationError as error:
            if last:
                return
            raise InputError(f"{name} is not a trace of this release: line {number}: {error.errors()[0]['msg']}.") from None
        if isinstance(event, StepFinished | Audited | Guarded) and not self.passes:
            raise InputError(f"{name} is not a trace: in line {number} a step ends before any pass has begun.")
        self(event)

    @property
    def start(self) -> TurnStarted:
        if self.started is None:
            raise InputError("The trace is empty.")
        return self.started

    @property
    def setup(self) -> Setup:
        try:
            return Setup.model_validate(self.start.setup)
        except ValidationError as error:
            what = ".".join(str(part) for part in error.errors()[0]["loc"])
            raise InputError(
                f"The trace was made by Heartfelt {self.start.version}, whose setup this release cannot read: "
                f"{what}: {error.errors()[0]['msg']}."
            ) from None

    @property
    def best(self) -> Pass:
        """The chosen pass; of an unfinished turn, the last one."""
        if not self.passes:
            raise InputError("The trace holds no step yet, so there is nothing to go on from.")
        return self.passes[self.finished.chosen] if self.finished else self.passes[-1]

    @property
    def outcome(self) -> Outcome | None:
        if self.finished is None:
            return None
        return Outcome(**self.finished.model_dump(exclude={"kind"}), passes=tuple(self.passes), alert=self.alert)

    def _opened(self, event: PassStarted) -> Pass:
        before: tuple[StepRecord, ...] = event.given or (self.passes[-1].steps if self.passes else ())
        kept = tuple(record for record in before if record.step in event.kept)
        return Pass(number=event.number, started_from=event.started_from, instruction=event.instruction, steps=kept)

    def _grow(self, **changes: tuple[StepRecord, ...] | Audit) -> None:
        self.passes[-1] = self.passes[-1].model_copy(update=changes)
