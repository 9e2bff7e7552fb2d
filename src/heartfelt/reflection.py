"""The loop: audit a pass, blame the earliest faulty step, run again from there, choose the best pass of the history.

A refinement counts only if it is better by the record, never because it is newer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heartfelt.agents.audit import AuditSteps, audited
from heartfelt.agents.view import View
from heartfelt.errors import HeartfeltError, InputError, UnknownName
from heartfelt.events import Audited, PassStarted, StepFinished, StepSkipped
from heartfelt.pipeline import ANSWERS, Pipeline
from heartfelt.records import Outcome, Pass, StepRecord, Stopped


@dataclass(frozen=True)
class Reflection:
    """How much a recipe reflects. `selection=False` takes the last pass, right or wrong (an ablation)."""

    audit: AuditSteps | None = None
    refinements: int = 2
    selection: bool = True


async def reflect(
    pipeline: Pipeline,
    reflection: Reflection,
    view: View,
    *,
    start: str | None = None,
    kept: tuple[StepRecord, ...] = (),
) -> Outcome:
    """The whole turn: the first pass, and as many more as the audit asks for and the limits allow."""
    return await _refined(pipeline, reflection, view, await _audited_pass(pipeline, reflection, view, start=start, kept=kept))


async def reflect_on(pipeline: Pipeline, reflection: Reflection, view: View, made: tuple[StepRecord, ...]) -> Outcome:
    """The same from a pass that was made elsewhere: it is audited, and mended where the audit blames a step of it."""
    given = await _given(pipeline, view, made)
    return await _refined(pipeline, reflection, view, await _judged(reflection, view, given))


async def _refined(pipeline: Pipeline, reflection: Reflection, view: View, first: Pass) -> Outcome:
    passes = [first]
    while (blamed := _blamed(passes[-1])) and len(passes) <= reflection.refinements and view.services.meter.allows(calls=2):
        last = passes[-1]
        assert last.audit is not None
        again = replace(view, number=last.number + 1, instruction=last.audit.instruction)
        passes.append(await _audited_pass(pipeline, reflection, again, start=blamed, kept=last.steps, before=last))
    chosen = choose(passes, selection=reflection.selection)
    return Outcome(
        reply=passes[chosen].reply,
        chosen=chosen,
        why_chosen=why(passes, chosen, selection=reflection.selection),
        stopped=_stopped(passes, reflection),
        left_out=_left_out(pipeline, reflection, passes),
        passes=tuple(passes),
        ms=view.services.meter.ms,
    )


def choose(passes: list[Pass], *, selection: bool = True) -> int:
    """The index of the best pass: the lexicographic maximum of (c₁, …, cₙ, −t), so ties go to the earlier pass."""
    if not selection:
        return len(passes) - 1
    return max(range(len(passes)), key=lambda i: passes[i].score)


def why(passes: list[Pass], chosen: int, *, selection: bool = True) -> str:
    """The choice in a sentence that a person can check against the audits."""
    if not selection:
        return "The last pass, as selection is off."
    best = passes[chosen]
    if best.audit is None:
        return "The only pass; it was not audited." if len(passes) == 1 else "The first pass; the audit was left out."
    passed = [verdict.ok for verdict in best.audit.verdicts]
    if len(passes) == 1:
        return f"The only pass; it passes {sum(passed)} of {len(passed)} checks."
    if all(passed):
        return f"Pass {chosen} is the first to pass all {len(passed)} checks."
    return f"No pass passes every check; pass {chosen} fails latest (first at '{best.audit.blamed}')."


async def _audited_pass(
    pipeline: Pipeline,
    reflection: Reflection,
    view: View,
    *,
    start: str | None,
    kept: tuple[StepRecord, ...],
    before: Pass | None = None,
) -> Pass:
    return await _judged(reflection, view, await pipeline.run(view, start=start, kept=kept, before=before))


async def _judged(reflection: Reflection, view: View, made: Pass) -> Pass:
    if reflection.audit is None or not audited(made.steps):
        return made
    if not view.services.meter.allows():
        view.services.emit(StepSkipped(number=view.number, step="audit", why="the budget is spent"))
        return made
    try:
        audit = await reflection.audit.judge(replace(view, done=made.steps, previous=None, instruction=""))
    except HeartfeltError as error:
        error.add_note(reflection.audit.name)
        raise
    view.services.emit(Audited(number=view.number, audit=audit))
    return made.model_copy(update={"audit": audit})


async def _given(pipeline: Pipeline, view: View, made: tuple[StepRecord, ...]) -> Pass:
    """What is given, as if it had been made here: code checks each step, and what asks no model is made where it lacks."""
    own = {record.step: record for record in made}
    _refuse_unfit(pipeline, own)
    view.services.emit(PassStarted(number=view.number, started_from=pipeline.steps[0].name))
    done: tuple[StepRecord, ...] = ()
    for step in pipeline.steps:
        seen = replace(view, done=() if pipeline.independent and step.asks_model else done)
        record = own.get(step.name)
        if record is not None:
            record = record.model_copy(update={"findings": step.check(record.output, seen)})
        elif not step.asks_model:
            record = await step.run(seen)
        if record is not None:
            done = (*done, record)
            view.services.emit(StepFinished(number=view.number, record=record))
    return Pass(number=view.number, started_from=pipeline.steps[0].name, steps=done)


def _refuse_unfit(pipeline: Pipeline, given: Mapping[str, StepRecord]) -> None:
    names = [step.name for step in pipeline.steps]
    for name in given:
        if name not in names:
            raise UnknownName("step", name, names, where="this recipe")
    if ANSWERS not in given:
        raise InputError(f"A pass that is to be judged needs a reply, and the step '{ANSWERS}' is not in the one given.")


def _blamed(made: Pass) -> str | None:
    return made.audit.blamed if made.audit else None


def _stopped(passes: list[Pass], reflection: Reflection) -> Stopped:
    if reflection.audit is None:
        return "no audit"
    last = passes[-1]
    if last.audit is None:
        return "budget spent"
    if last.audit.blamed is None:
        return "all checks passed"
    return "refinements spent" if len(passes) > reflection.refinements else "budget spent"


def _left_out(pipeline: Pipeline, reflection: Reflection, passes: list[Pass]) -> tuple[str, ...]:
    made = {record.step for record in passes[-1].steps}
    steps = [step.name for step in pipeline.steps if step.name not in made]
    unaudited = ["audit"] if reflection.audit and passes[-1].audit is None else []
    unmended = ["refinement"] if _blamed(passes[-1]) and len(passes) <= reflection.refinements else []
    return tuple(steps + unaudited + unmended)
