"""What a run writes down of one turn: the answer with its passes, or why there is none; its times stand apart.

Rows hold nothing that differs between two runs of the same experiment, so they can be compared byte by byte.
"""

from heartfelt.evaluation.metrics.rows import Spent
from heartfelt.records import Outcome, Pass, Performance, Record, StepRecord


class Failed(Record):
    """Why a turn has no answer."""

    error: str
    """The kind of error: its class."""
    message: str
    step: str = ""


class GridPlace(Record):
    """Where in the grid a row stands."""

    task: str
    model: str
    seed: int
    condition: str

    @property
    def name(self) -> str:
        return f"{self.task}/{self.model}/{self.seed}/{self.condition}"


class AnsweredRow(Record):
    """One row."""

    place: GridPlace
    item: str
    """The id of the item that was asked."""
    reply: str = ""
    chosen: int = 0
    stopped: str = ""
    passes: tuple[Pass, ...] = ()
    """Without prompts, raw answers and times."""
    spent: tuple[Spent, ...] = ()
    """By step, all passes together; the times stand in `ms`."""
    performance: Performance | None = None
    failed: Failed | None = None

    @property
    def id(self) -> str:
        return f"{self.place.name}/{self.item}"

    @property
    def best(self) -> Pass | None:
        return self.passes[self.chosen] if self.passes else None


class StepTimes(Record):
    """How long a row took, by step, in milliseconds. A call that another condition had made already counts as it took then."""

    id: str
    ms: dict[str, float]


class WorkUnit(Record):
    """An item under all conditions of its task: what is worked on at a time, and written down at once or not at all."""

    number: int
    task: str
    model: str
    seed: int
    item: str
    conditions: tuple[str, ...]

    @property
    def key(self) -> str:
        return f"{self.task}/{self.model}/{self.seed}/{self.item}"


class Done(Record):
    """A unit that was worked on."""

    unit: str
    rows: tuple[AnsweredRow, ...]
    times: tuple[StepTimes, ...]


def told(
    place: GridPlace, item: str, outcome: Outcome, performance: Performance | None = None
) -> tuple[AnsweredRow, StepTimes]:
    """A row out of an outcome."""
    spent, ms = _costs(outcome)
    row = AnsweredRow(
        place=place,
        item=item,
        reply=outcome.reply,
        chosen=outcome.chosen,
        stopped=outcome.stopped,
        passes=tuple(_bare(made) for made in outcome.passes),
        spent=spent,
        performance=performance.model_copy(update={"ms": {}}) if performance else None,
    )
    shown = {f"express {part}": each for part, each in performance.ms.items()} if performance else {}
    return row, StepTimes(id=row.id, ms={step: round(each, 1) for step, each in (ms | shown).items()})


def _bare(made: Pass) -> Pass:
    steps = tuple(record.model_copy(update={"calls": (), "ms": 0.0, "output": _rounded(record)}) for record in made.steps)
    audit = made.audit.model_copy(update={"calls": (), "ms": 0.0}) if made.audit else None
    return made.model_copy(update={"steps": steps, "audit": audit})


def _rounded(record: StepRecord):
    """A distribution in four digits: the others are noise of the arithmetic, and a hundred times the space."""
    output = record.output
    shares = getattr(output, "distribution", None)
    if not shares:
        return output
    return output.model_copy(update={"distribution": {label: round(share, 4) for label, share in shares.items()}})


def _costs(outcome: Outcome) -> tuple[tuple[Spent, ...], dict[str, float]]:
    """What every step spent in all passes, and its time: that of its calls, or its own where it is longer."""
    spent: dict[str, Spent] = {}
    ms: dict[str, float] = {}
    made = [(r.step, r.calls, r.ms) for p in outcome.passes for r in p.steps if r.made_in == p.number]
    made += [("audit", p.audit.calls, p.audit.ms) for p in outcome.passes if p.audit]
    for step, calls, took in made:
        before = spent.get(step, Spent(step=step))
        spent[step] = Spent(
            step=step,
            calls=before.calls + len(calls),
            prompt_tokens=before.prompt_tokens + sum(call.prompt_tokens for call in calls),
            cached_tokens=before.cached_tokens + sum(call.cached_tokens for call in calls),
            output_tokens=before.output_tokens + sum(call.output_tokens for call in calls),
        )
        ms[step] = ms.get(step, 0.0) + max(took, sum(call.ms for call in calls))
    return tuple(spent.values()), ms
