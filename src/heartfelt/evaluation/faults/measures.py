"""What can be told of a step by the gold: whether what it says is right, and whether two passes say the same.

| step | right is |
|---|---|
| perceive | every quote stands in the dialogue, and not every cue is read as a feeling of the other side |
| forecast | the coarse class of the gold emotion |
| cause | every span stands in the dialogue |
| plan | no choice that the gold emotion rules out |
| respond | nothing that the code checks object to |

These are necessary, not sufficient: a reply can pass every check and still miss the point.
"""

from typing import Any

from heartfelt.agents.plan import DIMENSIONS, UNFIT_FOR_JOY, UNFIT_FOR_PAIN
from heartfelt.agents.quotes import said
from heartfelt.evaluation.tasks.item import Item
from heartfelt.labels import translate
from heartfelt.labels.leaning import leaning
from heartfelt.records import Cause, Evidence, Forecast, Output, Plan, StepRecord

_BESIDES = {"distribution", "confidence", "conflict", "why", "summary"}
"""What a step tells beside what it says."""


def right(item: Item, steps: tuple[StepRecord, ...]) -> dict[str, bool]:
    """For each step that can be told: whether it is right."""
    emotion, heard = item.gold.emotion or "", "\n".join(turn.text for turn in item.dialogue.turns)
    return {record.step: _is_right(record, emotion, heard) for record in steps if record.step in item.gold.verdicts}


def content(output: Output) -> dict[str, Any]:
    """What a step says, without how sure it is and why: equal where two passes say the same."""
    return output.model_dump(exclude=_BESIDES)


def coarse_of(emotion: str, labels: str = "ed32") -> str | None:
    return translate(emotion, labels, "coarse", missing="none")


def _is_right(record: StepRecord, emotion: str, heard: str) -> bool:
    match record.output:
        case Evidence(cues=cues):
            quoted = all(said(cue.quote, heard) for cue in cues if cue.source == "words")
            return quoted and not all(leaning(cue.meaning) * leaning(emotion) < 0 for cue in cues)
        case Forecast(emotion=named, labels=labels):
            return coarse_of(named, labels) == coarse_of(emotion)
        case Cause(spans=spans):
            return all(said(span, heard) for span in spans)
        case Plan() as plan:
            unfit = {-1: UNFIT_FOR_PAIN, 1: UNFIT_FOR_JOY}.get(leaning(emotion), set[tuple[str, str]]())
            return not any((dimension, getattr(plan, dimension)) in unfit for dimension in DIMENSIONS)
        case _:
            return not record.findings
