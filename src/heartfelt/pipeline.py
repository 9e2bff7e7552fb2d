"""Running the steps in order, and running them again from any one of them.

Re-running is the pipeline's own verb: reflection uses it to mend a step, `replay` to repeat a turn, and a person who edits a
step to see what follows. What stands before the start is kept, the same objects; what stands after it is made again.
"""

from dataclasses import dataclass, replace
from functools import reduce

from heartfelt.agents.step import Step
from heartfelt.agents.view import View
from heartfelt.edits import Edit
from heartfelt.errors import HeartfeltError, UnknownName
from heartfelt.events import PassStarted, StepFinished, StepSkipped, StepStarted
from heartfelt.records import Output, Pass, Reply, StepRecord

ANSWERS = "respond"
"""The one step that no budget leaves out: a turn without an answer helps nobody."""
TOO_SMALL = "the model is too small for it"
NOTHING_STANDS_ON_IT = "nothing stands on it"


@dataclass(frozen=True)
class Pipeline:
    steps: tuple[Step, ...]
    independent: bool = False
    """Each step sees only the dialogue, none of the steps before (an ablation of the reflective system)."""
    plants: tuple[Edit, ...] = ()
    """Faults that are put into the first pass on purpose, to see whether they are found."""

    async def run(
        self, view: View, *, start: str | None = None, kept: tuple[StepRecord, ...] = (), before: Pass | None = None
    ) -> Pass:
        """One pass. `kept` are the steps before `start`; `before` is the pass whose `start` step is to be mended."""
        first = self._index(start) if start else 0
        name, fits = self.steps[first].name, {step.name for step in self.steps[:first]}
        done = tuple(record for record in kept if record.step in fits)
        view.services.reply.start(view.number)
        view.services.emit(
            PassStarted(
                number=view.number,
                started_from=name,
                kept=tuple(record.step for record in done),
                given=done if view.number == 0 else (),
                instruction=view.instruction,
            )
        )
        standing = {record.step: record for record in kept if record.edited}  # a person's word stands
        if before is not None:
            kept_words = {step.name for step in self.steps[first + 1 :] if step.stands_alone(view)}
            standing |= {record.step: record for record in before.steps if record.step in kept_words}
        for step in self.steps[first:]:
            if step.name in standing:  # made again around it, but not instead of it
                done = (*done, standing[step.name])
                _tell_again(standing[step.name], view)
                continue
            if why := self._idle(step, view, start):
                view.services.emit(StepSkipped(number=view.number, step=step.name, why=why))
                continue
            own, instruction = _to_mend(step, view, name, before)
            record = await self._step(step, view, done, own, instruction)
            done = (*done, record) if record else done
        return Pass(number=view.number, started_from=name, instruction=view.instruction, steps=done)

    def _idle(self, step: Step, view: View, start: str | None) -> str:
        """Why a step is left out, if it is. One that was asked for by name, or that somebody sets otherwise, is not."""
        if not step.can_run(view):
            return TOO_SMALL
        asked = step.name == start and not view.edits  # after an edit, a run starts wherever that stands
        if asked or _of(step, self.plants + view.edits) or step.informs(view):
            return ""
        return NOTHING_STANDS_ON_IT if any(each.name == ANSWERS and each.stands_alone(view) for each in self.steps) else ""

    async def _step(
        self, step: Step, view: View, done: tuple[StepRecord, ...], previous: Output | None, instruction: str
    ) -> StepRecord | None:
        emit, meter = view.services.emit, view.services.meter
        needed = step.name == ANSWERS or not step.asks_model or bool(_of(step, view.edits))
        if not needed and not meter.allows(calls=step.costs(view) + 1):  # and the reply after it
            emit(StepSkipped(number=view.number, step=step.name, why="the budget is spent"))
            return None
        emit(StepStarted(number=view.number, step=step.name))
        seen = () if self.independent and step.asks_model else done
        own = replace(view, done=seen, previous=previous, instruction=instruction)
        try:
            record = await step.run(own)
        except HeartfeltError as error:
            error.add_note(step.name)
            raise
        if view.number == 0:
            record = changed(record, step, own, _of(step, self.plants), planted=True)
        record = changed(record, step, own, _of(step, view.edits), edited=True)
        if isinstance(record.output, Reply):
            view.services.reply.finish(record.output.text)
        emit(StepFinished(number=view.number, record=record))
        return record

    def _index(self, name: str) -> int:
        names = [step.name for step in self.steps]
        if name not in names:
            raise UnknownName("step", name, names, where="this recipe")
        return names.index(name)


def changed(record: StepRecord, step: Step, view: View, edits: tuple[Edit, ...], **how: bool) -> StepRecord:
    """The record with these edits. Code checks it again: what was wrong before may be right now, and the other way round."""
    if not edits:
        return record
    output = reduce(lambda output, edit: edit.apply(output), edits, record.output)
    return record.model_copy(update={"output": output, "findings": step.check(output, view), **how})


def _of(step: Step, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    return tuple(edit for edit in edits if edit.step == step.name)


def _tell_again(record: StepRecord, view: View) -> None:
    if isinstance(record.output, Reply) and not record.edited:
        view.services.reply.write(record.output.text)
        view.services.reply.finish(record.output.text)
    view.services.emit(StepFinished(number=view.number, record=record))


def _to_mend(step: Step, view: View, start: str, before: Pass | None) -> tuple[Output | None, str]:
    """What the step made before and should do better: in the last pass, or, for the first reply of a turn, in the last turn."""
    if before is not None:
        return (before.output(step.name), view.instruction) if step.name == start else (None, "")
    lesson = view.dialogue.lesson
    return (Reply(text=lesson.said), lesson.instruction) if lesson and step.name == ANSWERS else (None, "")
