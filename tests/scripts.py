"""What a model would answer in a whole good turn, in the form of either profile, and the parts to run it with."""

import asyncio
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heartfelt import Ablation, Dialogue, Listener, Outcome, Setup, Turn, agents
from heartfelt.agents import Services, View
from heartfelt.agents.classifier import Classified
from heartfelt.agents.kinds import KINDS
from heartfelt.budget import Budget, Meter
from heartfelt.events import Event, Wrote
from heartfelt.labels import label_set
from heartfelt.memory import Guard
from heartfelt.models import Capabilities, Completion, Request, Scripted
from heartfelt.models.scripted import Answer
from heartfelt.records import Exemplar, Output, StepRecord
from heartfelt.reply_stream import ReplyStream

SAID = "I failed my driving test today, and my father laughed at me."
DIALOGUE = Dialogue(
    turns=(
        Turn(speaker="Ana", text="It was my third try."),
        Turn(speaker="Listener", text="How did it go?"),
        Turn(speaker="Ana", text=SAID),
    )
)
REPLY = "Being mocked by your own dad when you needed him must hurt. I am on your side."
EXEMPLAR = Exemplar(
    situation="I dropped the ring at my own wedding.",
    reply="That must have been an endless moment, with all those eyes on you.",
    emotion="ashamed",
)

FULL: dict[str, Any] = {
    "perceive": {
        "cues": [{"source": "words", "quote": "my father laughed at me", "meaning": "humiliated by someone close"}],
        "summary": "A failure, and scorn on top of it.",
    },
    "scenario": {"event": "Ana failed the driving test for the third time and was laughed at."},
    "forecast": {"why": "Laughed at after a failure.", "emotion": "ashamed", "conflict": "none"},
    "cause": {"spans": ["my father laughed at me"], "summary": "Her father's scorn.", "category": "Conflict & Injustice"},
    "plan": {
        "why": "She needs someone on her side.",
        "goal": "comfort",
        "stance": "ally",
        "tactic": "naming what was hard",
        "tone": "gentle",
    },
    "understand": {"meaning": "Ana failed for the third time, and her father's laugh hurt more.", "kind": "wrong"},
    "strategy": {"why": "Warmth comes first.", "choice": "ER"},
    "goal": {"goal": "Let Ana feel that someone is on her side."},
    "respond": REPLY,
}
COMPACT: dict[str, Any] = {
    "perceive": {"cues": [{"quote": "and my father laughed at me", "meaning": "ashamed"}]},
    "scenario": {"event": "Ana failed a test and was laughed at."},
    "forecast": {"emotion": "ashamed"},
    "cause": {"spans": ["and my father laughed at me"], "category": "Conflict & Injustice"},
    "plan": {"goal": "comfort", "stance": "ally", "tactic": "naming what was hard", "tone": "gentle"},
    "strategy": {"choice": "ER"},
    "goal": {"goal": "Let Ana feel that someone is on her side."},
    "respond": REPLY,
}


def _note_heads() -> dict[str, str]:
    wordings = [tomllib.loads(file.read_text("utf-8")) for file in Path(agents.__file__).parent.glob("*/wording.toml")]
    notes = {kind: text for each in wordings for kind, text in each.get("notes", {}).items()}
    return {kind: re.sub(r"\{%.*?%\}", "", text, flags=re.S).partition(":")[0] + ":" for kind, text in notes.items()}


NOTE_HEADS = _note_heads()
"""By kind of record: how the note of the step that makes it begins, such as `Feeling:`."""


# ── audits ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def blaming(*steps: str, instruction: str = "Mend this, please.") -> Callable[[Request], dict[str, Any]]:
    """An audit that finds these steps wrong and all others right, in the form that the request asks for."""

    def audit(request: Request) -> dict[str, Any]:
        assert request.answer is not None
        asked = request.answer["properties"]
        if next(iter(asked.values())).get("enum"):
            return {step: "wrong" if step in steps else "right" for step in asked}
        wrong = {"ok": "no", "finding": "A careful reader would object.", "instruction": instruction}
        right = {"ok": "yes", "finding": "none", "instruction": "none"}
        return {step: wrong if step in steps else right for step in asked}

    return audit


fine = blaming()


# ── the model and the memory ────────────────────────────────────────────────────────────────────────────────────────


def good(profile: str = "full", *, capabilities: Capabilities | None = None, **changes: Answer | list[Answer]) -> Scripted:
    """A model that does every step well, but for `changes`."""
    answers = (FULL if profile == "full" else COMPACT) | {"audit": fine} | changes
    return Scripted(answers, capabilities=capabilities or Capabilities(profile=profile))  # type: ignore[arg-type]


class Stuck(Scripted):
    """Never answers at one step, and says when it has come there."""

    def __init__(self, step: str):
        super().__init__(FULL | {"audit": fine})
        self.step, self.reached, self.closed = step, asyncio.Event(), False

    async def complete(self, request: Request) -> Completion:
        if request.purpose == self.step:
            self.reached.set()
            await asyncio.Event().wait()
        return await super().complete(request)

    async def close(self) -> None:
        self.closed = True


@dataclass
class Shelf:
    """A memory that always finds the same exemplars, and keeps what it was asked for."""

    found: tuple[Exemplar, ...] = (EXEMPLAR,)
    searches: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def search(self, query: str, *, emotion: Any, k: int, threshold: float, guard: Guard = Guard()) -> tuple[Exemplar, ...]:
        self.searches.append({"query": query, "emotion": emotion, "k": k, "threshold": threshold, "guard": guard})
        return self.found[:k]

    def add(self, exemplars: Iterable[Exemplar]) -> int:
        raise AssertionError("No step may write into memory.")

    def count(self) -> int:
        return len(self.found)


# ── running ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Telling:
    """A classifier's double: every message is of one kind and one feeling, and every reply as good as the others."""

    name = "telling"

    def __init__(self, kind: str = "wrong", feeling: str = "sad"):
        self.told = Classified(
            {each: 0.9 if each == kind else 0.1 / (len(KINDS) - 1) for each in KINDS},
            {each: 0.69 if each == feeling else 0.01 for each in label_set("ed32").labels},
        )

    def classify(self, dialogue: Dialogue) -> Classified:
        return self.told

    def marks(self, dialogue: Dialogue, replies: Sequence[str]) -> list[float]:
        return [3.0] * len(replies)


def listening(
    recipe: str, model: Scripted, *, memory: Shelf | None = None, classifier: Telling | None = None, **setup: Any
) -> Listener:
    """A listener on doubles. Fields of the ablation may be given along with those of the setup."""
    ablation = Ablation(**{name: setup.pop(name) for name in Ablation.model_fields if name in setup})
    known = Setup(recipe=recipe, ablation=ablation, **setup)
    return Listener(known, model=model, memory=memory or Shelf(), classifier=classifier or Telling())


async def turn(
    recipe: str, model: Scripted, *, events: list[Event] | None = None, dialogue: Dialogue = DIALOGUE, **setup: Any
) -> Outcome:
    seen = () if events is None else (events.append,)
    return await listening(recipe, model, **setup).answer(dialogue, observers=seen)


def view_of(
    *done: Output,
    dialogue: Dialogue = DIALOGUE,
    model: Scripted | None = None,
    budget: Budget | None = None,
    events: list[Event] | None = None,
    **services: Any,
) -> View:
    """What a single step sees after `done`."""
    emit = (lambda _: None) if events is None else events.append
    reply = ReplyStream(lambda number, piece: emit(Wrote(number=number, piece=piece)))
    parts = Services(model=model or good(), emit=emit, meter=Meter(budget or Budget()), reply=reply, **services)
    records = tuple(StepRecord(step=output.kind, made_in=0, output=output) for output in done)
    return View(dialogue, parts, done=records)


def user_text(request: Request) -> str:
    return request.messages[-1].text


def talk(*said: str) -> Dialogue:
    """The person begins, and every second line is the listener's."""
    return Dialogue(turns=tuple(Turn(speaker="Listener" if at % 2 else "User", text=text) for at, text in enumerate(said)))
