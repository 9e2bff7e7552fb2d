"""Writing one example down, in the very tokens of the embedded runtime.

The prompts come from the agents, the frame of the chat from the embedded model, the answer from the writer's own speller: what
is taught here is, token by token, what a turn will feed. Nothing of a prompt is written down a second time.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from heartfelt.agents import Respond, Services, View
from heartfelt.agents.agent import Agent, PromptCaller
from heartfelt.agents.audit import MENDING
from heartfelt.budget import Budget, Meter
from heartfelt.errors import UsageError
from heartfelt.models.embedded.guided import spelled
from heartfelt.models.embedded.model import chat_tokens
from heartfelt.models.seam import Message, Model, Schema, fields, one_of
from heartfelt.records import Dialogue, Output, StepRecord

STEP_OF = {"evidence": "perceive", "exemplars": "recall", "reply": "respond"}
"""The step that makes a record, where it is not called like the record."""


@dataclass(frozen=True)
class Example:
    task: str
    prompt: list[int]
    pieces: list[tuple[list[int], bool]]
    """The answer, and whether the model decides each piece."""
    label: str = ""
    """What the answer says in a word, for counting."""
    reading: int = -1
    """The row of the teachers' readings that goes with the answer."""

    @property
    def asked(self) -> list[int]:
        """Everything up to the first token that the model decides."""
        first = next(i for i, (_, decided) in enumerate(self.pieces) if decided)
        return self.prompt + [token for piece, _ in self.pieces[:first] for token in piece]

    @property
    def tokens(self) -> list[int]:
        return self.prompt + [token for piece, _ in self.pieces for token in piece]

    @property
    def mask(self) -> list[int]:
        """1 on what the model decides, and so learns."""
        return [0] * len(self.prompt) + [int(decided) for piece, decided in self.pieces for _ in piece]


class Tokenizer(Protocol):
    def tokens(self, text: str, *, special: bool = False) -> list[int]: ...


class Scribe:
    """Writes examples down. `engine` cuts text into tokens as the runtime does."""

    def __init__(self, model: Model, engine: Tokenizer):
        self.model, self._engine = model, engine
        self._short = lru_cache(60_000)(self._cut)
        self._services = Services(model=model, emit=lambda _event: None, meter=Meter(Budget()))

    def tokens(self, text: str, *, special: bool = False) -> list[int]:
        return self._short(text, special) if len(text) < 80 else self._engine.tokens(text, special=special)

    def _cut(self, text: str, special: bool) -> list[int]:
        return self._engine.tokens(text, special=special)

    def view(self, dialogue: Dialogue, *outputs: Output | None) -> View:
        """The dialogue, and the steps that are done, as the next step sees them."""
        done = tuple(
            StepRecord.model_construct(step=STEP_OF.get(output.kind, output.kind), made_in=0, output=output)
            for output in outputs
            if output
        )
        return View(dialogue=dialogue, services=self._services, done=done)

    def mended(self, view: View, agent: Any, previous: Output) -> View:
        """The same view in a re-run: the step's own wrong output, and what code or the audit says about it."""
        found = " ".join(dict.fromkeys(finding.instruction for finding in agent.check(previous, view)))
        return View(
            dialogue=view.dialogue,
            services=view.services,
            number=1,
            done=view.done,
            previous=previous,
            instruction=found or MENDING[agent.name],
        )

    def ask(self, task: str, agent: Agent, view: View, value: dict[str, Any], label: str = "") -> Example:
        return self.answer(task, agent, view, agent.schema(view, compact=True), value, label)

    def answer(self, task: str, agent: PromptCaller, view: View, schema: Schema, value: dict[str, Any], label: str) -> Example:
        prompt = self.prompt(agent, view, schema)
        return Example(task, prompt, self.spelled(schema, value), label)

    def spelled(self, schema: Schema, value: dict[str, Any]) -> list[tuple[list[int], bool]]:
        _refuse_misfits(schema, value)
        return spelled(self.tokens, schema, value)

    def reply(self, task: str, agent: Respond, view: View, text: str) -> Example:
        pieces = [(self.tokens(text), True), (self.tokens("<|im_end|>", special=True), True)]
        return Example(task, self.prompt(agent, view, None), pieces)

    def prompt(self, agent: PromptCaller, view: View, schema: Schema | None) -> list[int]:
        messages: tuple[Message, ...] = agent.prompt(view, self.model, schema).messages
        return chat_tokens(self, messages)  # type: ignore[arg-type]  # it only cuts text into tokens


def _refuse_misfits(schema: Schema, value: Any) -> None:
    """An answer that the runtime could never give must not be taught."""
    if "enum" in schema:
        if value not in schema["enum"]:
            raise UsageError(f"'{value}' is none of the options {', '.join(schema['enum'][:40])}. Mend the rule that made it.")
    elif schema["type"] == "object":
        for name, inner in schema["properties"].items():
            _refuse_misfits(inner, value[name])
    elif schema["type"] == "array":
        if not schema["minItems"] <= len(value) <= schema["maxItems"]:
            raise UsageError(f"{len(value)} items where {schema['minItems']} to {schema['maxItems']} are allowed.")
        for item in value:
            _refuse_misfits(schema["items"], item)


def verdict_form(steps: Iterable[str]) -> Schema:
    """The audit's own compact form."""
    return fields(**{step: one_of(("right", "wrong")) for step in steps})
