"""respond (A4, the Strategy-Grounded Response Generator): the words, written as they come or chosen among drafts."""

import time
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from heartfelt.agents.agent import Caller, call_of, finished
from heartfelt.agents.manner import attentive, grounded, stock
from heartfelt.agents.speech import bare, faults, opening, within
from heartfelt.agents.step import Step
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput
from heartfelt.events import Wrote
from heartfelt.models.seam import Completion, Model, Request
from heartfelt.prompts.lines import quotable
from heartfelt.records import Call, Draft, Exemplar, Exemplars, Finding, Forecast, Output, Plan, Reply, StepRecord, Strategy
from heartfelt.safety.guard import forbidden

FITTING = 0.5
"""How much it counts that what was said makes a draft likelier, beside how likely it is. More than 1 picks the oddest."""
TAKEN_UP = 0.1
"""What a word of the person's is worth in a draft, and what a stock phrase costs: nats a token, as above."""


@dataclass(frozen=True, kw_only=True)
class Respond(Caller, Step):
    """The reply is plain text, so that it can be streamed."""

    name: ClassVar[str] = "respond"
    temperature: float = 0.6
    sentences: int = 2
    words: int = 45
    drafts: int = 8
    """Written side by side where the model can, to choose from; 1 streams the words as they come."""

    def values(self, view: View) -> dict[str, Any]:
        exemplars = view.find(Exemplars)
        found = exemplars.found if exemplars else ()
        return {"exemplars": tuple(_quotable(each) for each in found), "words": self.words}

    async def run(self, view: View) -> StepRecord:
        started, calls = time.perf_counter(), list[Call]()
        reply = await self._write(view, calls)
        return finished(self.name, view, reply, calls, self.check(reply, view), started)

    async def _write(self, view: View, calls: list[Call]) -> Reply:
        model = view.model_for(self.name)
        prompt = self.prompt(view, model, None)
        for attempt in range(view.services.tries):
            request = self.request(prompt, view, answer=None, seed=view.seed + 1000 * attempt, limit=self.words * 2 + 20)
            if model.capabilities.drafts and self.drafts > 1:
                text, completion = await self._choose(request, view)
            else:
                completion = await self._stream(request, view)
                text = self._trimmed(completion.text, view)
            calls.append(call_of(prompt, request, completion, view, error="" if text else "no words"))
            if text:
                return Reply(text=text)
        raise BadOutput(
            f"{model.name} gave an empty reply {view.services.tries} times. "
            "Try again, or use a more capable model with --model.",
            raw=calls[-1].raw,
        )

    async def _choose(self, request: Request, view: View) -> tuple[str, Completion]:
        """The best of several drafts, and the completion with that one as its text."""
        model = view.model_for(self.name)
        unheard = self.prompt(_unheard(view), model, None).messages
        update = {"drafts": self.drafts, "unheard": unheard, "stop": _stops(model)}
        completion = await model.complete(request.model_copy(update=update))
        texts = [self._trimmed(draft.text, view) for draft in completion.drafts]
        ranks = [self._rank(text, draft, view) for text, draft in zip(texts, completion.drafts, strict=True)]
        best = ranks.index(max(ranks))
        if texts[best]:
            view.services.emit(Wrote(number=view.number, piece=texts[best]))
        return texts[best], completion.model_copy(update={"text": completion.drafts[best].text})

    def _rank(self, text: str, draft: Draft, view: View) -> tuple[bool, bool, float]:
        """Words at all, without a fault that code can see; then a listener's manner; then how well it fits what was said."""
        sound = bool(text) and not self.check(Reply(text=text), view)
        forecast = view.find(Forecast)
        fits = draft.likely + FITTING * (draft.likely - draft.unheard)
        own = TAKEN_UP * (grounded(text, view.dialogue) - stock(text))
        return sound, attentive(text, forecast.emotion if forecast else ""), fits + own

    def _trimmed(self, text: str, view: View) -> str:
        return within(bare(text, view.dialogue), sentences=self.sentences)

    async def _stream(self, request: Request, view: View) -> Completion:
        """Pass the words on as they come. One line is a reply: what a small model adds below it is not."""
        model, written, told = view.model_for(self.name), "", ""
        request = request.model_copy(update={"stop": _stops(model)})
        async for piece in model.stream(request):
            whole = isinstance(piece, Completion)
            written = piece.text if whole else written + piece
            sure = self._trimmed(written, view) if whole else opening(written, view.dialogue, sentences=self.sentences)
            if sure.startswith(told) and len(sure) > len(told):
                view.services.emit(Wrote(number=view.number, piece=sure[len(told) :]))
                told = sure
            if isinstance(piece, Completion):
                return piece
        raise BadOutput(f"{model.name} ended its stream without a completion.")

    def check(self, output: Output, view: View) -> tuple[Finding, ...]:
        assert isinstance(output, Reply)
        found = [*faults(output.text, view, sentences=self.sentences, words=self.words)]
        if view.services.guarded:
            found += [(fault.problem, fault.instruction) for fault in forbidden.faults(output.text)]
        return tuple(Finding(step=self.name, problem=problem, instruction=told) for problem, told in dict.fromkeys(found))


def _quotable(exemplar: Exemplar) -> Exemplar:
    """As it can stand between quotation marks: an example is words of strangers too."""
    said, answered = quotable(exemplar.situation), quotable(exemplar.reply)
    return exemplar.model_copy(update={"situation": said, "reply": answered})


def _stops(model: Model) -> tuple[str, ...]:
    return ("\n\n", "\n") if model.capabilities.profile == "compact" else ()


def _unheard(view: View) -> View:
    """The same feeling and the same plan, and nothing was said."""
    dialogue = view.dialogue.model_copy(update={"turns": (view.dialogue.last.model_copy(update={"text": "…"}),)})
    done = tuple(record for record in view.done if isinstance(record.output, Forecast | Plan | Strategy))
    return replace(view, dialogue=dialogue, done=done, previous=None, instruction="")
