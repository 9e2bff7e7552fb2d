"""A reply in a few words of the model's own: a reaction, and one sentence or question after it.

A small model goes astray in long sentences, and seldom in short ones. It marks what it writes as raters would. A reaction that
seems to fit is told as soon as it is whole; one that may not, as where a message only hints, waits for the rest. Where the
likeliest words are not yet good, others are written, and the best of them are said (docs/design/words.md).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from heartfelt.agents import bank
from heartfelt.agents.agent import PromptCaller, call_of
from heartfelt.agents.cheer import cheers
from heartfelt.agents.view import View
from heartfelt.errors import BadOutput, ModelTimeout
from heartfelt.models.seam import Completion, MarkedPiece, Model, Request
from heartfelt.prompts import Prompt, PromptFolder
from heartfelt.records import Call, Draft
from heartfelt.text import sentences_of

TOKENS, OTHERS, HEAT = 40, 6, 0.9
"""Of a reply at most; how many others are written where the likeliest is not good (the best of seven drafts is marked 0.16
better than that of five, docs/design/words.md); and how freely they are drawn: nearly as the drafts were by which the marks
were learnt (1.0). No other was tried."""
BASE, MARK, LIKELY = 0.71, 0.85, 0.37
"""What a rater would give a few words, from the model's own mark and how likely they are, token by token: a fit on 1,570
ratings of replies to 315 messages of writers of whom nothing was taught (r = 0.63; by the mark alone 0.62, which is what
`python bench/words_marks.py` looks at)."""
CHEER = 0.3
"""What gladness costs where nothing glad was seen: raters gave it 2.69 of 5 where the model expected 2.96 (165 replies)."""
GOOD, WORTH, OWN = 3.0, 2.3, 2.4
"""What the likeliest words must promise for no others to be written; what the best must promise to be said after a reaction
that was told; and what, where nothing was told yet, in place of a plain reply. On 180 moments of two strangers the best of
seven is worth its wait only where the likeliest promises less than 3.0, three in ten (docs/design/words.md)."""
EARLY = 2.9
"""The mark that the model must give a reaction alone for it to be told before the rest is there: half of them are, and of the
replies that began so 0.05 got the lowest mark (629 likeliest replies of two adapters before, at 3.0; this one marks reactions
lower)."""
UNHURRIED = 4.0
"""Seconds that must be left for others to be written."""
GRACE = 3.0
"""Seconds that writing may take longer than is left: nothing is gained by giving up just before its end."""


@dataclass(frozen=True)
class BriefWriter:
    step: PromptCaller
    """With the prompt for a few words."""
    folder: PromptFolder
    view: View
    calls: list[Call]
    sound: Callable[[str], bool]
    """Whether code finds no fault with a text."""
    glad: bool
    """Whether something glad was seen in what the person said."""
    stop: tuple[str, ...]

    async def write(self) -> str | None:
        """What is said, told already; none where nothing was told and all that was written promises too little."""
        model = self.view.model_for(self.step.name)
        prompt, request = self.asked()
        request = request.model_copy(update=in_time(self.view, request))
        try:
            completion, told = await self._likeliest(model, request)
        except ModelTimeout:
            return None
        drafts = self._expected(completion.drafts)
        if self._wanting(drafts) and self._unhurried():
            drafts += await self._others(model, request, told)
        best = max(filter(self._fits, drafts), key=_mark, default=None)
        worth = best is not None and _mark(best) >= (WORTH if told else OWN)
        text = best.text if best and worth else f"{told} {self._carried_on()}" if told else ""
        self._record(prompt, request, completion, drafts, text)
        if not text:
            return None
        self.view.services.reply.write(text[len(told) :])
        return text

    def asked(self) -> tuple[Prompt, Request]:
        """For the likeliest words."""
        prompt = self.step.prompt(self.view, self.view.model_for(self.step.name), None)
        request = self.step.request(prompt, self.view, answer=None, seed=self.view.seed, limit=TOKENS)
        return prompt, request.model_copy(update={"drafts": 1, "marked": True, "stop": self.stop})

    async def _likeliest(self, model: Model, request: Request) -> tuple[Completion, str]:
        """The likeliest words, and what of them was told: their first sentence, as soon as the second begins, if it seems to
        fit."""
        written, told = "", ""
        async for piece in model.stream(request):
            if isinstance(piece, Completion):
                return piece, told
            if isinstance(piece, MarkedPiece) and not told and piece.mark >= EARLY and self._sure(written.strip()):
                told = written.strip()
                self.view.services.reply.write_sentence(told)
            written += piece
        raise BadOutput(f"{model.name} ended its stream without a completion.")

    async def _others(self, model: Model, request: Request, told: str) -> tuple[Draft, ...]:
        update: dict[str, Any] = {"drafts": OTHERS, "begun": told, "temperature": HEAT} | in_time(self.view, request)
        try:
            made = await model.complete(request.model_copy(update=update))
        except ModelTimeout:
            return ()
        return self._expected(made.drafts)

    def _sure(self, reaction: str) -> bool:
        return self.sound(reaction) and (self.glad or not cheers(reaction))

    def _expected(self, drafts: tuple[Draft, ...]) -> tuple[Draft, ...]:
        """With the marks that a rater would give in place of the model's own."""
        return tuple(self._promising(draft) for draft in drafts)

    def _promising(self, draft: Draft) -> Draft:
        text = " ".join(sentences_of(draft.text))
        mark = BASE + MARK * (draft.mark or 0.0) + LIKELY * (draft.likely or 0.0)
        return draft.model_copy(update={"text": text, "mark": mark if self.glad or not cheers(text) else mark - CHEER})

    def _wanting(self, drafts: tuple[Draft, ...]) -> bool:
        return not any(self._fits(draft) and _mark(draft) >= GOOD for draft in drafts)

    def _fits(self, draft: Draft) -> bool:
        return bool(draft.text) and self.sound(draft.text)

    def _carried_on(self) -> str:
        """A sentence that fits after any reaction and was not said before."""
        said = " ".join(turn.text for turn in self.view.dialogue.turns if turn.speaker == self.view.dialogue.listener)
        fresh = [each for each in self.folder.wording["brief"]["carried_on"] if each not in said]
        options = fresh or self.folder.wording["brief"]["carried_on"]
        return max(options, key=lambda each: bank.chance(self.view.dialogue.last.text, each))

    def _unhurried(self) -> bool:
        """Whether there is time for others, and nobody hears that it passes."""
        left = self.view.services.meter.left
        return not self.view.services.reply.aloud and (left is None or left > UNHURRIED)

    def _record(self, prompt: Prompt, request: Request, completion: Completion, drafts: tuple[Draft, ...], text: str) -> None:
        if text and text not in {draft.text for draft in drafts}:
            drafts += (Draft(text=text, mark=WORTH, source="bank"),)
        made = completion.model_copy(update={"drafts": drafts, "text": text})
        self.calls.append(call_of(prompt, request, made, self.view, error="" if text else "too little promise"))


def in_time(view: View, request: Request) -> dict[str, Any]:
    """What a request is told of the time that is left."""
    left = view.services.meter.left
    return {} if left is None else {"within": left, "timeout": min(request.timeout, left + GRACE)}


def _mark(draft: Draft) -> float:
    return draft.mark or 0.0
