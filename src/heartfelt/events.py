"""One stream of events feeds the terminal, the trace, the log and telemetry. Observers watch and change nothing."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from heartfelt.records import Alert, Audit, Dialogue, Outcome, Performance, Record, StepRecord, Stopped


class TurnStarted(Record):
    kind: Literal["turn started"] = "turn started"
    version: str
    """The release of Heartfelt that made the trace."""
    setup: dict[str, Any]
    """Everything that is needed to run the turn again: recipe, model, ablation, seed, budget."""
    dialogue: Dialogue
    dialogue_hash: str
    steps: tuple[str, ...]
    audited: tuple[str, ...]
    model: str


class Screened(Record):
    """What was said was looked through for danger, before the first step."""

    kind: Literal["screened"] = "screened"
    alert: Alert


class PassStarted(Record):
    kind: Literal["pass started"] = "pass started"
    number: int
    started_from: str
    kept: tuple[str, ...] = ()
    """Names of the steps that are kept from the pass before."""
    given: tuple[StepRecord, ...] = ()
    """Steps that it starts with where they are not the pass before: in a turn that goes on from an earlier one, or where a
    person has set one by hand."""
    instruction: str = ""


class StepStarted(Record):
    kind: Literal["step started"] = "step started"
    number: int
    step: str


class Wrote(Record):
    """A piece of the reply, as it is written."""

    kind: Literal["wrote"] = "wrote"
    number: int
    piece: str


class StepFinished(Record):
    kind: Literal["step finished"] = "step finished"
    number: int
    record: StepRecord


class StepSkipped(Record):
    kind: Literal["step skipped"] = "step skipped"
    number: int
    step: str
    why: str


class Audited(Record):
    kind: Literal["audited"] = "audited"
    number: int
    audit: Audit


class Guarded(Record):
    """The chosen reply was changed before anybody heard it."""

    kind: Literal["guarded"] = "guarded"
    number: int
    """The pass whose reply it is."""
    why: str
    """What was wrong with it, or what was added and for what reason."""
    kept_back: str = ""
    """The words that were not said."""
    reply: str
    """What is said instead."""


class Notice(Record):
    """Something that the user should know and that stops nothing."""

    kind: Literal["notice"] = "notice"
    text: str


class TurnFinished(Record):
    kind: Literal["turn finished"] = "turn finished"
    reply: str
    chosen: int
    why_chosen: str
    stopped: Stopped
    left_out: tuple[str, ...]
    guarded: tuple[str, ...] = ()
    ms: float

    @classmethod
    def of(cls, outcome: Outcome) -> "TurnFinished":
        return cls(**outcome.model_dump(include={"reply", "chosen", "why_chosen", "stopped", "left_out", "guarded", "ms"}))


class TurnFailed(Record):
    kind: Literal["turn failed"] = "turn failed"
    error: str
    message: str
    step: str = ""
    raw: str = ""
    """The model's last answer, where it was the answer that failed."""


class Performed(Record):
    """The reply was spoken and shown, after the turn had ended."""

    kind: Literal["performed"] = "performed"
    performance: Performance


Event: TypeAlias = (
    TurnStarted
    | Screened
    | PassStarted
    | StepStarted
    | Wrote
    | StepFinished
    | StepSkipped
    | Audited
    | Guarded
    | Notice
    | TurnFinished
    | TurnFailed
    | Performed
)
AnyEvent: TypeAlias = Annotated[Event, Field(discriminator="kind")]
Observer: TypeAlias = Callable[[Event], None]


def to_all(observers: tuple[Observer, ...]) -> Observer:
    def emit(event: Event) -> None:
        for observer in observers:
            observer(event)

    return emit
