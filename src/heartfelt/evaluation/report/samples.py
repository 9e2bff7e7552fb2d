"""Dialogues with the replies of all conditions beside each other. Nobody chose them: every so-many-th item is shown."""

from heartfelt.evaluation.experiments.answered import AnsweredRow, GridPlace
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.report.figures import line_name
from heartfelt.evaluation.tasks.item import Gold
from heartfelt.records import Cause, Dialogue, Forecast, Pass, Plan, Record, Strategy

EACH = 4
"""Dialogues of a task."""


class BlamedStep(Record):
    number: int
    step: str
    """Empty: all checks passed."""
    instruction: str


class ConditionSample(Record):
    """What one condition answered, and how it came to it."""

    name: str
    reply: str
    emotion: str
    confidence: float | None
    right: bool | None
    """None where the condition names no emotion, or names it in another label set."""
    plan: str
    cause: str
    passes: int
    chosen: int
    stopped: str
    blamed: tuple[BlamedStep, ...]
    failed: str


class Sample(Record):
    task: str
    item: str
    dialogue: Dialogue
    gold: Gold
    shown: tuple[ConditionSample, ...]


def samples(results: Results, each: int = EACH) -> list[Sample]:
    """Of every task, first among the items that all its conditions were asked."""
    return [sample for task in results.experiment.tasks for sample in _of_task(results, task, each)]


def _of_task(results: Results, task: str, each: int) -> list[Sample]:
    places = [place for place in results.places if place.task == task]
    rows = {place: {row.item: row for row in results.answered(place)} for place in places}
    items = [item for item in results.items.get(task, {}) if any(item in found for found in rows.values())]
    whole = [item for item in items if all(item in found for found in rows.values())] or items
    step = max(1, len(whole) // each)
    return [_sample(results, task, item, rows) for item in whole[::step][:each]]


def _sample(results: Results, task: str, item: str, rows: dict[GridPlace, dict[str, AnsweredRow]]) -> Sample:
    asked = results.items[task][item]
    shown = tuple(
        _shown(found[item], line_name(place, list(rows)), asked.gold) for place, found in rows.items() if item in found
    )
    return Sample(task=task, item=item, dialogue=asked.dialogue, gold=asked.gold, shown=shown)


def _shown(row: AnsweredRow, name: str, gold: Gold) -> ConditionSample:
    best = row.best
    forecast, cause = (best.find(Forecast), best.find(Cause)) if best else (None, None)
    comparable = forecast is not None and gold.emotion is not None and forecast.labels == gold.labels
    return ConditionSample(
        name=name,
        reply=row.reply,
        emotion=forecast.emotion if forecast else "",
        confidence=forecast.confidence if forecast else None,
        right=forecast.emotion == gold.emotion if forecast and comparable else None,
        plan=_plan(best),
        cause=cause.summary or "; ".join(cause.spans) if cause else "",
        passes=len(row.passes),
        chosen=row.chosen + 1,
        stopped=row.stopped,
        blamed=tuple(_blame(number, made) for number, made in enumerate(row.passes, 1) if made.audit),
        failed=f"{row.failed.error}: {row.failed.message}" if row.failed else "",
    )


def _plan(best: Pass | None) -> str:
    plan, strategy = (best.find(Plan), best.find(Strategy)) if best else (None, None)
    if plan:
        return f"{plan.goal}, as {plan.stance}, {plan.tactic}, in a {plan.tone} tone"
    return f"strategy {strategy.choice}" if strategy else ""


def _blame(number: int, made: Pass) -> BlamedStep:
    audit = made.audit
    return BlamedStep(number=number, step=(audit.blamed or "") if audit else "", instruction=audit.instruction if audit else "")
