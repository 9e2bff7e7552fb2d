"""What all agents share: ask the model for an answer of a given form, make it a record, check what code can check."""

import time
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from heartfelt.agents.notes import note
from heartfelt.agents.step import Step
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput
from heartfelt.models.answers import parse
from heartfelt.models.markers import defused
from heartfelt.models.seam import Completion, Model, Request, Schema
from heartfelt.prompts import SHARED, Prompt, PromptFolder, assemble, digest
from heartfelt.prompts.lines import one_line
from heartfelt.records import Call, Finding, Output, Scores, StepRecord

Made = TypeVar("Made")


@dataclass(frozen=True)
class ParsedAnswer:
    """A parsed answer, with the probabilities of its closed choices where the model gives them."""

    value: dict[str, Any]
    probabilities: dict[str, Scores]


@dataclass(frozen=True, kw_only=True)
class PromptCaller:
    """Anything that puts a prompt file to a language model."""

    name: ClassVar[str]
    folder: ClassVar[PromptFolder] = SHARED
    temperature: float = 0.0

    @property
    def prompt_file(self) -> str:
        return self.name

    def values(self, view: View) -> dict[str, Any]:
        """What else the prompt file needs."""
        return {}

    async def ask(
        self,
        view: View,
        model: Model,
        calls: list[Call],
        schema: Schema,
        make: Callable[[ParsedAnswer], Made],
        *,
        seed: int = 0,
    ) -> Made:
        """Ask until `make` accepts the answer, at most `tries` times; every try is kept in `calls`."""
        prompt, problem = self.prompt(view, model, schema), ""
        for attempt in range(view.services.tries):
            request = self.request(prompt, view, answer=schema, seed=view.seed + seed + 1000 * attempt, problem=problem)
            completion = await model.complete(request)
            try:
                made = make(ParsedAnswer(parse(completion.text, schema), completion.probabilities))
            except BadOutput as error:
                problem = str(error)
                calls.append(call_of(prompt, request, completion, view, error=problem))
                continue
            calls.append(call_of(prompt, request, completion, view))
            return made
        raise BadOutput(
            f"{model.name} gave no usable answer for the step '{self.name}' in {view.services.tries} tries: {problem} "
            "Try again, give it more tries with --tries, or use a more capable model with --model.",
            raw=calls[-1].raw,
        )

    def prompt(self, view: View, model: Model, schema: Schema | None) -> Prompt:
        revision = {"previous": note(view.previous), "instruction": view.instruction} if view.previous else None
        return assemble(
            profile=model.capabilities.profile,
            folder=self.folder,
            file=self.prompt_file,
            dialogue=view.dialogue,
            notes=tuple(line for record in view.done if (line := note(record.output))),
            context=model.capabilities.context,
            answer=schema,
            images=model.capabilities.images,
            values=self.values(view),
            revision=revision if view.instruction else None,
        )

    def request(
        self, prompt: Prompt, view: View, *, answer: Schema | None, seed: int, problem: str = "", limit: int = 700
    ) -> Request:
        messages = prompt.messages
        if problem:
            last = messages[-1]
            plain = defused(one_line(problem))  # it repeats what the model wrote
            told = SHARED.phrase("answer.refused", problem=plain)
            messages = (*messages[:-1], last.model_copy(update={"text": f"{last.text}\n\n{told}"}))
        override = view.services.temperature
        return Request(
            purpose=self.name,
            messages=messages,
            prompt=self.prompt_file,
            answer=answer,
            max_tokens=limit,
            temperature=self.temperature if override is None else override,
            seed=seed,
            timeout=view.services.timeout,
        )


@dataclass(frozen=True, kw_only=True)
class Agent(PromptCaller, Step):
    """A step whose answer has a form. Subclasses say what they ask for, and what they make of the answer."""

    @abstractmethod
    def schema(self, view: View, *, compact: bool) -> Schema:
        """The form of the answer. The compact one holds no reasoning, only what the record needs."""

    @abstractmethod
    def record(self, answer: ParsedAnswer, view: View) -> Output:
        """The answer as a record; BadOutput if it cannot be one."""

    async def run(self, view: View) -> StepRecord:
        started, calls = time.perf_counter(), list[Call]()
        output = await self.asked(view, view.model_for(self.name), calls)
        return finished(self.name, view, output, calls, self.check(output, view), started)

    async def asked(self, view: View, model: Model, calls: list[Call], *, seed: int = 0) -> Output:
        schema = self.schema(view, compact=model.capabilities.profile == "compact")
        return await self.ask(view, model, calls, schema, lambda answer: self.record(answer, view), seed=seed)


def call_of(prompt: Prompt, request: Request, completion: Completion, view: View, *, error: str = "") -> Call:
    usage = completion.usage
    view.services.meter.count(tokens=usage.prompt_tokens - usage.cached_tokens + usage.output_tokens)
    return Call(
        model=completion.model,
        template=prompt.template,
        prompt=digest("\x00".join(f"{message.role}:{message.text}" for message in request.messages)),
        sent=prompt.tail,
        raw=completion.text,
        temperature=request.temperature,
        seed=request.seed,
        prompt_tokens=usage.prompt_tokens,
        cached_tokens=usage.cached_tokens,
        output_tokens=usage.output_tokens,
        ms=completion.ms,
        attempts=completion.attempts,
        drafts=completion.drafts,
        error=error,
    )


def finished(
    step: str, view: View, output: Output, calls: list[Call], findings: tuple[Finding, ...], started: float
) -> StepRecord:
    return StepRecord(
        step=step,
        made_in=view.number,
        output=output,
        calls=tuple(calls),
        findings=findings,
        ms=(time.perf_counter() - started) * 1000,
    )
