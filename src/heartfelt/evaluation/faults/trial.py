"""One pass put before the audit: whom it blames, what becomes of the faults, and what it does to what was right."""

from dataclasses import dataclass

from heartfelt.agents.audit import audited
from heartfelt.errors import HeartfeltError, LeakError, StoreError
from heartfelt.evaluation.experiments.answered import Failed
from heartfelt.evaluation.faults.measures import content, right
from heartfelt.evaluation.tasks.item import Item
from heartfelt.listener import Listener
from heartfelt.records import Audit, Forecast, Outcome, Pass, Record


class Trial(Record):
    item: str
    dialogue: str
    steps: tuple[str, ...]
    """Those that are judged, in order."""
    faulty: tuple[str, ...] = ()
    """Steps with a planted fault, the earliest first; none: a clean pass."""
    planted: tuple[str, ...] = ()
    """`step: how` of each of them."""
    blamed: tuple[str | None, ...] = ()
    """The step that the audit of each pass blames; the first is about the pass as it was given."""
    by_code: str | None = None
    """Whom the code checks alone would have blamed in it."""
    by_model: str | None = None
    """Whom the model alone would have blamed in it, without the code checks."""
    chosen: int = 0
    gone: tuple[str, ...] = ()
    """Faulty steps that say something else in the chosen pass."""
    changed: tuple[str, ...] = ()
    """All judged steps that say something else there."""
    before: dict[str, bool] = {}
    """Whether each step is right by the gold, as far as code can tell, in the pass that was given."""
    after: dict[str, bool] = {}
    """The same in the chosen pass."""
    named: bool | None = None
    """Whether the chosen pass names the gold emotion itself and not only its coarse class; none: the gold is not so fine."""
    calls: int = 0
    ms: float = 0.0
    failed: Failed | None = None

    @property
    def culprit(self) -> str | None:
        """Who is to blame."""
        return self.faulty[0] if self.faulty else None

    @property
    def blamed_rightly(self) -> bool:
        return bool(self.faulty) and self.blamed[0] == self.culprit

    @property
    def repaired(self) -> bool:
        """Every planted output is gone, and what stands in its place is right as far as code can tell."""
        return bool(self.faulty) and all(step in self.gone and self.after.get(step, False) for step in self.faulty)

    @property
    def worse(self) -> bool:
        """Something was right in the pass as it was given, and is not in the chosen one."""
        return any(ok and not self.after.get(step, False) for step, ok in self.before.items())


@dataclass(frozen=True)
class _Judged:
    outcome: Outcome
    alone: Audit
    """The first audit without the code checks."""


async def trial(listener: Listener, item: Item, *, exact: bool = True, carried: bool = False) -> Trial:
    """Put the item's pass before the listener's audit. A turn that fails is a trial too, and says why.

    `carried`: the steps after the earliest fault are made on top of it first, so that they agree with it.
    """
    begun = _begun(item)
    try:
        if carried and begun.culprit:
            item = await _carried(listener, item, begun.culprit)
            begun = _begun(item)
        judged = await _judge(listener, item)
    except (StoreError, LeakError):
        raise  # of the whole run, not of this pass
    except HeartfeltError as error:
        step = next(iter(getattr(error, "__notes__", [])), "")
        return begun.model_copy(update={"failed": Failed(error=type(error).__name__, message=str(error), step=step)})
    return begun.model_copy(update=_told(item, judged, exact=exact))


def _begun(item: Item) -> Trial:
    faulty = tuple(step for step, verdict in item.gold.verdicts.items() if verdict == "wrong")
    steps = tuple(item.gold.verdicts)
    return Trial(item=item.id, dialogue=item.dialogue.id, steps=steps, faulty=faulty, planted=item.gold.planted)


async def _carried(listener: Listener, item: Item, culprit: str) -> Item:
    """Only the earliest fault is left: what another was planted into is made again."""
    verdicts = {step: "wrong" if step == culprit else "right" for step in item.gold.verdicts}
    gold = item.gold.model_copy(update={"verdicts": verdicts, "planted": item.gold.planted[:1]})
    made = await listener.carried_on(item.dialogue, item.done, after=culprit)
    return item.model_copy(update={"gold": gold, "done": made.steps})


async def _judge(listener: Listener, item: Item) -> _Judged:
    """The model's own word is in the first audit already, unless code had spoken first and saved the call."""
    outcome = await listener.reflect_on(item.dialogue, item.done)
    first = outcome.passes[0]
    if first.audit and first.audit.calls:
        return _Judged(outcome, first.audit)
    bare = tuple(record.model_copy(update={"findings": ()}) for record in first.steps)
    return _Judged(outcome, await listener.verdicts(item.dialogue, bare))


def _told(item: Item, judged: _Judged, *, exact: bool) -> dict[str, object]:
    outcome = judged.outcome
    first, best = outcome.passes[0], outcome.best
    changed = _changed(item, first, best)
    forecast = best.find(Forecast)
    return {
        "blamed": tuple(each.audit.blamed if each.audit else None for each in outcome.passes),
        "by_code": next((record.step for record in audited(first.steps) if record.findings), None),
        "by_model": _blamed_by_model(item, judged.alone),
        "chosen": outcome.chosen,
        "gone": tuple(step for step in changed if item.gold.verdicts[step] == "wrong"),
        "changed": changed,
        "before": right(item, first.steps),
        "after": right(item, best.steps),
        "named": forecast.emotion == item.gold.emotion if exact and forecast else None,
        "calls": _calls(outcome),
        "ms": round(outcome.ms, 1),
    }


def _changed(item: Item, first: Pass, best: Pass) -> tuple[str, ...]:
    def says(made: Pass, step: str) -> object:
        output = made.output(step)
        return content(output) if output else None

    return tuple(step for step in item.gold.verdicts if says(first, step) != says(best, step))


def _blamed_by_model(item: Item, audit: Audit) -> str | None:
    wrong = {finding.step for finding in audit.findings if finding.by == "model"}
    return next((step for step in item.gold.verdicts if step in wrong), None)


def _calls(outcome: Outcome) -> int:
    made = sum(len(r.calls) for p in outcome.passes for r in p.steps if r.made_in == p.number)
    return made + sum(len(each.audit.calls) for each in outcome.passes if each.audit)
