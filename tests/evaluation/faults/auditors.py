"""Auditors of known skill: each judges made-up passes, and mends as the weak labels would."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.evaluation.made_up import empathetic

from heartfelt.agents.notes import note
from heartfelt.evaluation import weak
from heartfelt.evaluation.faults.passes import Passes, passes
from heartfelt.evaluation.tasks import Protocol
from heartfelt.evaluation.tasks.item import Item
from heartfelt.listener import Listener
from heartfelt.models import Capabilities, Request, Scripted
from heartfelt.setup import Setup

COMPACT = Capabilities(profile="compact")
Wrong = Callable[[Item, str], set[str]]
"""The steps that an auditor finds wrong, by the item and by what it was shown."""


def made_up(folder: Path, *, talks: int = 30, recipe: str = "heartfelt", limit: int | None = None) -> Passes:
    protocol = Protocol(task="audit", dataset="empathetic_dialogues", split="valid", recipe=recipe, limit=limit)
    return passes(empathetic(folder, talks), protocol)


class Auditor:
    """A model that answers every step rightly and judges as it is told to."""

    def __init__(self, found: Passes, wrong: Wrong, *, recipe: str = "heartfelt"):
        self.items, self._wrong = found.items, wrong
        steps = {step: self._answering(step) for step in ("perceive", "forecast", "cause", "plan", "respond")}
        self.model = Scripted({**steps, "audit": self._audit}, capabilities=COMPACT)
        self.listener = Listener(Setup(recipe=recipe, memory="none"), model=self.model)

    def _item(self, request: Request) -> Item:
        said = request.messages[-1].text
        return next(item for item in self.items if item.dialogue.last.text in said)

    def _answering(self, step: str) -> Callable[[Request], Any]:
        return lambda request: right_answer(self._item(request), step)

    def _audit(self, request: Request) -> dict[str, str]:
        assert request.answer is not None
        wrong = self._wrong(self._item(request), request.messages[-1].text)
        return {step: "wrong" if step in wrong else "right" for step in request.answer["properties"]}


def right_answer(item: Item, step: str) -> Any:
    assert item.gold.emotion
    gold = weak.gold(item.dialogue, item.gold.emotion, item.gold.reference)
    assert gold.plan
    match step:
        case "perceive":
            return {"cues": [{"quote": cue.quote, "meaning": cue.meaning} for cue in gold.evidence.cues]}
        case "forecast":
            return {"emotion": gold.emotion}
        case "cause":
            return {"spans": list(gold.cause.spans), "category": gold.cause.category}
        case "plan":
            return gold.plan.model_dump(include={"goal", "stance", "tactic", "tone"})
        case _:
            return gold.reply


def oracle(item: Item, shown: str) -> set[str]:
    """Knows what was planted, and sees whether it is still there."""
    return {step for step, verdict in item.gold.verdicts.items() if verdict == "wrong" and given(item, step) in shown}


def blind(_item: Item, _shown: str) -> set[str]:
    return set()


def suspicious(item: Item, _shown: str) -> set[str]:
    return set(item.gold.verdicts)


def given(item: Item, step: str) -> str:
    """What a step said in the pass as it was given, as prompts show it."""
    return note(next(record.output for record in item.done if record.step == step))
