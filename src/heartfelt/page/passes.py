"""The passes as columns of cards: what each step made, what it kept, what changed, and what was found wrong."""

from dataclasses import dataclass, replace
from typing import Literal

from heartfelt.records import Audit, Call, Finding, Output, Pass, StepRecord
from heartfelt.trace import Trace

TITLES = {
    "evidence": "What stood out",
    "scenario": "What happened",
    "situation": "What kind of message",
    "forecast": "The feeling",
    "cause": "What set it off",
    "plan": "How to answer",
    "strategy": "The strategy",
    "goal": "What the reply is for",
    "exemplars": "What came to mind",
    "reply": "The words",
    "delivery": "Voice and face",
}


@dataclass(frozen=True)
class Card:
    """One step in one pass."""

    record: StepRecord
    state: Literal["first", "kept", "changed", "same"] = "first"
    before: Output | None = None
    """What the step had made in the pass before, where it was made again."""
    kept_from: str = ""
    findings: tuple[Finding, ...] = ()
    blamed: bool = False

    @property
    def title(self) -> str:
        return TITLES[self.record.output.kind]


@dataclass(frozen=True)
class Gap:
    """A step that this pass does not have."""

    step: str
    why: str


@dataclass(frozen=True)
class PassColumn:
    """One pass."""

    number: int
    chosen: bool
    first: bool
    started_from: str
    instruction: str
    cards: tuple[Card | Gap, ...]
    audit: Audit | None
    ms: float


def columns(trace: Trace) -> list[PassColumn]:
    befores = [None, *trace.passes]
    return [_column(trace, made, before) for made, before in zip(trace.passes, befores, strict=False)]


def is_kept(trace: Trace, made: Pass, step: str) -> bool:
    """Whether the pass took this step over: an earlier one made it, or it stands before the one that the pass started from."""
    names = trace.start.steps
    if any(record.step == step and record.made_in < made.number for record in made.steps):
        return True
    if step not in names or made.started_from not in names:
        return False
    return names.index(step) < names.index(made.started_from)


def made_anew(trace: Trace, made: Pass) -> list[StepRecord]:
    return [record for record in made.steps if not is_kept(trace, made, record.step)]


def all_calls(trace: Trace) -> list[Call]:
    """Every request of the turn, once, however many passes keep its answer."""
    by_steps = [call for made in trace.passes for record in made_anew(trace, made) for call in record.calls]
    return by_steps + [call for made in trace.passes if made.audit for call in made.audit.calls]


def spent(trace: Trace, made: Pass) -> float:
    """Milliseconds of the steps that the pass made itself, and of its audit."""
    return sum(record.ms for record in made_anew(trace, made)) + (made.audit.ms if made.audit else 0.0)


def _column(trace: Trace, made: Pass, before: Pass | None) -> PassColumn:
    return PassColumn(
        number=made.number,
        chosen=trace.finished is not None and made is trace.best,
        first=before is None,
        started_from=made.started_from,
        instruction=made.instruction,
        cards=tuple(_card(trace, made, before, step) for step in trace.start.steps),
        audit=made.audit,
        ms=spent(trace, made),
    )


def _card(trace: Trace, made: Pass, before: Pass | None, step: str) -> Card | Gap:
    record = next((record for record in made.steps if record.step == step), None)
    if record is None:
        return Gap(step, _why_missing(trace, made, step))
    blamed = made.audit is not None and made.audit.blamed == step
    card = Card(record, findings=_findings(record, made.audit), blamed=blamed)
    if is_kept(trace, made, step):
        return replace(card, state="kept", kept_from=_origin(trace, made, step))
    old = before.output(step) if before else None
    if old is None:
        return card
    return replace(card, state="same" if old == record.output else "changed", before=old)


def _findings(record: StepRecord, audit: Audit | None) -> tuple[Finding, ...]:
    """What code found, then what the audit adds; a finding that both hold is shown once."""
    judged = tuple(finding for finding in audit.findings if finding.step == record.step) if audit else ()
    return tuple(dict.fromkeys((*record.findings, *judged)))


def _origin(trace: Trace, made: Pass, step: str) -> str:
    """The pass that made a kept step; a replay's first pass keeps what another turn made."""
    earlier = [other for other in trace.passes if other.number < made.number and not is_kept(trace, other, step)]
    return f"pass {earlier[-1].number}" if earlier else "an earlier turn"


def _why_missing(trace: Trace, made: Pass, step: str) -> str:
    of_step = [event for event in trace.skipped if event.step == step and event.number <= made.number]
    skipped = of_step[-1] if of_step and not any(record.step == step for record in made.steps) else None
    if skipped:
        return f"Left out: {skipped.why}."
    here = trace.failed and trace.failed.step == step and made is trace.passes[-1]
    return "It failed here." if here else "Not reached."
