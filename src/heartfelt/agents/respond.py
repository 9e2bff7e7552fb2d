"""respond (A4, the Strategy-Grounded Response Generator): the words, written as they come."""

import time
from dataclasses import dataclass
from typing import Any, ClassVar

from heartfelt.agents.agent import Caller, call_of, finished
from heartfelt.agents.speech import bare, faults, within
from heartfelt.agents.step import Step
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput
from heartfelt.events import Wrote
from heartfelt.models.seam import Completion, Request
from heartfelt.records import Call, Exemplars, Finding, Output, Reply, StepRecord


@dataclass(frozen=True, kw_only=True)
class Respond(Caller, Step):
    """The reply is plain text, so that it can be streamed."""

    name: ClassVar[str] = "respond"
    temperature: float = 0.5
    sentences: int = 2
    words: int = 45

    def values(self, view: View) -> dict[str, Any]:
        exemplars = view.find(Exemplars)
        return {"exemplars": exemplars.found if exemplars else (), "words": self.words}

    async def run(self, view: View) -> StepRecord:
        started, calls = time.perf_counter(), list[Call]()
        reply = await self._write(view, calls)
        return finished(self.name, view, reply, calls, self.check(reply, view), started)

    async def _write(self, view: View, calls: list[Call]) -> Reply:
        model = view.model_for(self.name)
        prompt = self.prompt(view, model, None)
        for attempt in range(view.services.tries):
            request = self.request(prompt, view, answer=None, seed=view.seed + 1000 * attempt, limit=self.words * 2 + 20)
            completion = await self._stream(request, view)
            text = within(bare(completion.text, view.dialogue), sentences=self.sentences)
            calls.append(call_of(prompt, request, completion, view, error="" if text else "no words"))
            if text:
                return Reply(text=text)
        raise BadOutput(
            f"{model.name} gave an empty reply {view.services.tries} times. "
            "Try again, or use a more capable model with --model.",
            raw=calls[-1].raw,
        )

    async def _stream(self, request: Request, view: View) -> Completion:
        """Pass the pieces on as they come. One line is a reply: what a small model adds below it is not."""
        stop = ("\n\n", "\n") if view.model_for(self.name).capabilities.profile == "compact" else ()
        request = request.model_copy(update={"stop": stop})
        async for piece in view.model_for(self.name).stream(request):
            if isinstance(piece, Completion):
                return piece
            view.services.emit(Wrote(number=view.number, piece=piece))
        raise BadOutput(f"{view.model_for(self.name).name} ended its stream without a completion.")

    def check(self, output: Output, view: View) -> tuple[Finding, ...]:
        assert isinstance(output, Reply)
        return tuple(
            Finding(step=self.name, problem=problem, instruction=instruction)
            for problem, instruction in faults(output.text, view, sentences=self.sentences, words=self.words)
        )
