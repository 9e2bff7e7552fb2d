"""respond (A4, the Strategy-Grounded Response Generator): the words, written as they come or chosen among drafts."""

import asyncio
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from heartfelt.agents import bank
from heartfelt.agents.agent import PromptCaller, call_of, finished
from heartfelt.agents.bank import Candidate
from heartfelt.agents.cheer import gladness_fits
from heartfelt.agents.manner import attentive, grounded, stock
from heartfelt.agents.plan import TONES
from heartfelt.agents.plan.shown import readable, shows
from heartfelt.agents.respond.brief import BriefWriter, in_time
from heartfelt.agents.speech import bare, faults, opening
from heartfelt.agents.step import Step
from heartfelt.agents.view import View
from heartfelt.agents.wish import NO_WISH, WantedReply
from heartfelt.errors import BadOutput, ModelTimeout
from heartfelt.events import Notice
from heartfelt.languages import language_in, sorry
from heartfelt.models.seam import Completion, Model, Request, Schema, WritesAhead
from heartfelt.prompts import Prompt, PromptFolder
from heartfelt.prompts.lines import quotable
from heartfelt.records import (
    Call,
    Delivery,
    Draft,
    Exemplar,
    Exemplars,
    Finding,
    Forecast,
    Output,
    Plan,
    Reply,
    Situation,
    StepRecord,
    Strategy,
)
from heartfelt.text import seems_to_ask, sentences_of, within

FITTING = 0.5
"""How much it counts that what was said makes a draft likelier, beside how likely it is. More than 1 picks the oddest."""
MARKED_DRAFTS = 2
"""Longer drafts of a model that marks them. They are slow to write and seldom better than a plain reply, so they are written
only where what was said first was found wanting."""
BASE, MARKED, PROMISED, WRITTEN = -0.55, 0.5, 0.67, 1.53
"""What a rater would give, from the model's own mark, a plain reply's promise, or being a draft (fitted on 24,792 ratings with
the adapter before; for this one the beginning and the weight of the mark were set by eye, near its slope alone, 0.55 on 5,920
ratings of writers left out): the model alone thinks too well of what it finds."""
HURRY = 1.0
"""Seconds: with less of them left a plain reply is said as it is."""
UNSAID = 2.0
"""What it is worth, where voice or face contradict the words, that a reply leaves room for what was not said."""
PROMISE_BASE, PROMISE, CLASSIFIED = 0.78, 0.54, 0.3
"""What a rater would give a plain reply by its promise and the classifier's mark: a fit on 4,088 ratings of replies to 1,015
openings by writers that the classifier was not taught on, but with three times the weight for the mark, which two raters
preferred on openings of strangers (docs/design/words.md)."""
WEIGHED, MIDDLE = 8, 2.4
"""Plain replies that are compared so, and the mark where nobody gives one."""
VARIED, SHORT, HELD = 0.3, 24, 0.1
"""How far chance, the same for the same words, may lift a plain reply's mark; the letters up to its first comma or end that are
spoken in one breath; and what as many more cost. Of replies that are about as good, people should not always hear the same
one, and the one that begins with a short word is heard sooner: on 150 openings of others 46 different replies instead of 28,
every eighth with a long beginning instead of every fifth, for a hundredth of the mark."""
SURE, WORTH = 0.62, 3.4
"""How likely its kind must be, or what mark its best reply must promise, for a message to be answered by kind. Below both, a
rater gave what was chosen 2.4, with a 1 in every third case, and replies that suppose nothing 2.6 to 3.0 without any (80
messages of strangers, docs/design/words.md)."""
TAKEN_UP = 0.1
"""What a word of the person's is worth in a draft, and what a stock phrase costs: nats a token, as above."""
_BEGINNING = re.compile(r"[^,;:.!?…—]*")
"""What is said before the first mark."""


@dataclass(frozen=True, kw_only=True)
class Respond(PromptCaller, Step):
    """The reply is plain text, so that it can be streamed."""

    name: ClassVar[str] = "respond"
    folder: ClassVar[PromptFolder] = PromptFolder(__file__)
    temperature: float = 0.6
    sentences: int = 2
    words: int = 45
    drafts: int = 8
    """Written side by side where the model can, to choose from; 1 streams the words as they come."""
    hears: bool = True
    """Whether the words of a model that marks its own stand on the steps before as well, or on the dialogue alone."""
    brief: bool = False
    """Whether a few words are wanted of a small model, which goes astray in longer sentences."""
    plain: bool = False
    """Whether plain replies that fit anybody stand beside the drafts: where nothing is sure, one of them is taken."""

    def values(self, view: View) -> dict[str, Any]:
        exemplars = view.find(Exemplars)
        found = exemplars.found if exemplars else ()
        return {"exemplars": tuple(_quotable(each) for each in found), "words": self.words, "brief": self.brief}

    def prompt(self, view: View, model: Model, schema: Schema | None) -> Prompt:
        heard = replace(view, done=(), instruction="") if self.stands_alone(view) else view
        prompt = super().prompt(heard, model, schema)
        return prompt.tail_first() if model.capabilities.marks else prompt

    def stands_alone(self, view: View) -> bool:
        able = view.model_for(self.name).capabilities
        return not self.hears and (able.marks or (self.plain and able.drafts))

    async def begin(self, view: View, *, whole: bool = True) -> None:
        model = view.model_for(self.name)
        if self.plain and model.capabilities.marks and isinstance(model, WritesAhead) and not _language(view):
            _, request = self._brief_writer(view, []).asked()
            await model.begin(request if whole else request.model_copy(update={"max_tokens": 1, "marked": False}))

    async def run(self, view: View) -> StepRecord:
        started, calls = time.perf_counter(), list[Call]()
        reply = await self._write(view, calls)
        if self.stands_alone(view):
            for text in _unmet(view, reply.text):
                view.services.emit(Notice(text=text))
        return finished(self.name, view, reply, calls, self.check(reply, view), started)

    async def _write(self, view: View, calls: list[Call]) -> Reply:
        model = view.model_for(self.name)
        embedded = self.plain and model.capabilities.drafts
        if embedded and (language := _language(view)):
            return self._told(sorry(language, view.dialogue.last.text, _said_by(view.dialogue.listener, view)), view)
        drafted = model.capabilities.marks and _needs_drafts(view)
        plain = _plain(view, bank.OFFERED if drafted else WEIGHED) if embedded else ()
        if plain and not drafted:
            own = await self._briefly(view, calls) if model.capabilities.marks and _free(view) else None
            return own or await self._taken(plain, view, calls)
        if plain and _hurried(view):
            return self._late(plain[0].text, view)
        prompt = self.prompt(view, model, None)
        for attempt in range(view.services.tries):
            request = self.request(prompt, view, answer=None, seed=view.seed + 1000 * attempt, limit=self.words * 2 + 20)
            if model.capabilities.drafts and self.drafts > 1:
                try:
                    text, completion = await self._choose(request, view, plain)
                except ModelTimeout:
                    if not plain:
                        raise
                    return self._late(plain[0].text, view)
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

    async def _briefly(self, view: View, calls: list[Call]) -> Reply | None:
        """A few words of the model's own; none where they promise too little."""
        text = await self._brief_writer(view, calls).write()
        return Reply(text=text) if text else None

    def _brief_writer(self, view: View, calls: list[Call]) -> BriefWriter:
        step = replace(self, brief=True)

        def sound(text: str) -> bool:
            return not step.check(Reply(text=text), view) and not _said_already(text, view)

        glad = gladness_fits(view.find(Situation))
        return BriefWriter(step, self.folder, view, calls, sound, glad, _stops(view.model_for(self.name)))

    async def _taken(self, plain: tuple[Candidate, ...], view: View, calls: list[Call]) -> Reply:
        """The plain reply with the best mark by its promise and by the classifier; no language model is asked."""
        classifier, marks = view.services.classifier, [MIDDLE] * len(plain)
        if classifier is not None and not _contradicted(view):  # it knows the words alone
            marks = await asyncio.to_thread(classifier.marks, view.dialogue, [each.text for each in plain])
        expected = [PROMISE_BASE + PROMISE * each.promise + CLASSIFIED * mark for each, mark in zip(plain, marks, strict=True)]
        drafts = tuple(Draft(text=each.text, mark=mark, source="bank") for each, mark in zip(plain, expected, strict=True))
        best = max(drafts, key=lambda draft: self._rank(draft.text, _liked(draft, view), view))
        if _unsure(drafts, view):
            best = Draft(text=bank.neutral(view.dialogue, question=_question(view)), mark=WORTH, source="bank")
            drafts = (*drafts, best)
        by = classifier.name if classifier else "bank"
        calls.append(Call(model=by, template="", prompt="", sent="", raw=best.text, temperature=0.0, seed=0, drafts=drafts))
        return self._told(best.text, view)

    def _told(self, text: str, view: View) -> Reply:
        """A plain reply, taken as it is: where nobody can say which draft is good, or there is no time for any."""
        view.services.reply.write(text)
        return Reply(text=text)

    def _late(self, text: str, view: View) -> Reply:
        view.services.emit(Notice(text="There was no time to find better words: a plain reply was taken."))
        return self._told(text, view)

    async def _choose(self, request: Request, view: View, plain: tuple[Candidate, ...]) -> tuple[str, Completion]:
        """The best of several drafts and plain replies, and the completion with that one as its text."""
        model = view.model_for(self.name)
        update = {"drafts": self.drafts, "stop": _stops(model)} | self._compared(model, view, plain)
        if plain:
            update |= in_time(view, request)
        completion = _expected(await model.complete(request.model_copy(update=update)), plain)
        texts = [self._trimmed(draft.text, view) for draft in completion.drafts]
        ranks = [self._rank(text, draft, view) for text, draft in zip(texts, completion.drafts, strict=True)]
        best = ranks.index(max(ranks))
        if texts[best]:
            view.services.reply.write(texts[best])
        return texts[best], completion.model_copy(update={"text": completion.drafts[best].text})

    def _compared(self, model: Model, view: View, plain: tuple[Candidate, ...]) -> dict[str, Any]:
        """What drafts are held against: plain replies that fit anybody, or what would be said had nothing been said."""
        if not model.capabilities.marks:
            return {"unheard": self.prompt(_unheard(view), model, None).messages}
        drafts = min(self.drafts, MARKED_DRAFTS) if not plain or _needs_drafts(view) else 0
        return {"drafts": drafts, "offered": tuple(candidate.text for candidate in plain)}

    def _rank(self, text: str, draft: Draft, view: View) -> tuple[bool, int, bool, bool, float]:
        """Words at all, without a fault that code can see; what a person wishes; then its mark, or a listener's manner and how
        well it fits."""
        sound = bool(text) and not self.check(Reply(text=text), view)
        met = WantedReply.of(view).met(text, bank.feelings_of(text))
        if draft.mark is not None:
            return sound, *met, True, draft.mark
        forecast = view.find(Forecast)
        likely = draft.likely or 0.0
        fits = likely + FITTING * (likely - (likely if draft.unheard is None else draft.unheard))
        own = TAKEN_UP * (grounded(text, view.dialogue) - stock(text))
        return sound, *met, attentive(text, forecast.emotion if forecast else ""), fits + own

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
                view.services.reply.write(sure[len(told) :])
                told = sure
            if isinstance(piece, Completion):
                return piece
        raise BadOutput(f"{model.name} ended its stream without a completion.")

    def check(self, output: Output, view: View) -> tuple[Finding, ...]:
        assert isinstance(output, Reply)
        by_hand = tuple(record for record in view.done if record.edited)
        heard = replace(view, done=by_hand) if self.stands_alone(view) else view
        faulty = faults(output.text, heard, sentences=self.sentences, words=self.words)
        found = [self.finding(what, **values) for what, values in faulty]
        if view.services.forbidden:
            told = view.services.forbidden(output.text)
            found += [Finding(step=self.name, problem=problem, instruction=instruction) for problem, instruction in told]
        return tuple(dict.fromkeys(found))


def _quotable(exemplar: Exemplar) -> Exemplar:
    """As it can stand between quotation marks: an example is words of strangers too."""
    said, answered = quotable(exemplar.situation), quotable(exemplar.reply)
    return exemplar.model_copy(update={"situation": said, "reply": answered})


def _said_by(speaker: str, view: View) -> list[str]:
    return [turn.text for turn in view.dialogue.turns if turn.speaker == speaker]


def _language(view: View) -> str:
    """Other than English: as it was heard, or else by the words."""
    last = view.dialogue.last
    heard = last.readings.language if last.readings else ""
    return heard or language_in(_said_by(last.speaker, view))


def _plain(view: View, most: int) -> tuple[Candidate, ...]:
    """What could be said to anybody whose message is like this one."""
    situation, forecast = view.find(Situation), view.find(Forecast)
    if situation is None:  # there was no time to find out
        return (Candidate(bank.neutral(view.dialogue), 0.0),)
    kinds, wish = situation.distribution or {situation.message: 1.0}, WantedReply.of(view)
    kinds = bank.felt(kinds, wish.feeling) if wish.feeling else kinds
    emotion = forecast.emotion if forecast else ""
    unspoken = bank.unspoken(view.dialogue) if _contradicted(view) else ()
    found = bank.fitting(
        view.dialogue, kinds=kinds, emotion=emotion, embedder=view.services.embedder, wish=wish, most=most - len(unspoken)
    )
    return *unspoken, *found


def _said_already(text: str, view: View) -> bool:
    """Whether a sentence of it was said earlier in this talk: «Good luck on Thursday!» five times over is no listening."""
    earlier = [turn.text for turn in view.dialogue.turns if turn.speaker == view.dialogue.listener]
    heard = {sentence.lower() for reply in earlier for sentence in sentences_of(reply)}
    return any(sentence.lower() in heard for sentence in sentences_of(text))


def _contradicted(view: View) -> bool:
    """Whether voice or face say something else than the words."""
    forecast = view.find(Forecast)
    return forecast is not None and bool(forecast.conflict)


def _free(view: View) -> bool:
    """Whether the words alone decide: nobody set anything, and neither voice nor face contradict them."""
    return not (_hurried(view) or _contradicted(view)) and WantedReply.of(view) == NO_WISH


def _needs_drafts(view: View) -> bool:
    """Where what was said first was found wanting."""
    return view.number > 0


def _expected(completion: Completion, plain: tuple[Candidate, ...]) -> Completion:
    """With the marks that raters would give, as far as is known, in place of the model's own."""
    promises = {candidate.text: candidate.promise for candidate in plain}

    def expected(draft: Draft) -> Draft:
        if draft.mark is None:
            return draft
        rest = PROMISED * promises[draft.text] if draft.source == "bank" else WRITTEN
        return draft.model_copy(update={"mark": BASE + MARKED * draft.mark + rest})

    return completion.model_copy(update={"drafts": tuple(map(expected, completion.drafts))})


def _unmet(view: View, reply: str) -> Iterator[str]:
    """What a person has set and the words do not show, where they are chosen and not written."""
    for choice in WantedReply.of(view).choices:
        if choice in TONES and not readable(choice):
            yield f"A {choice} tone is heard in the voice; these words do not show it."
        elif not shows(reply, choice):
            yield f"No reply that fits what was said shows “{choice}”."
    read = (Situation, Forecast, Plan, Delivery)
    if unread := [record.step for record in view.done if record.edited and not isinstance(record.output, read)]:
        yield f"These words stand on what was said, its kind, the feeling and the plan, and not on {' or '.join(unread)}."


def _unsure(drafts: tuple[Draft, ...], view: View) -> bool:
    """Whether nobody can say what the message is, so that whatever supposes something may hurt."""
    situation = view.find(Situation)
    if situation is None or _contradicted(view) or WantedReply.of(view) != NO_WISH:
        return False
    if _question(view):
        return True  # no plain reply to a question is marked as well as «I don't know» (docs/design/words.md)
    likely = max((situation.distribution or {situation.message: 1.0}).values())
    return likely < SURE and max(draft.mark or 0.0 for draft in drafts) < WORTH


def _question(view: View) -> bool:
    """Whether something is asked, by its kind and by its words."""
    situation = view.find(Situation)
    return situation is not None and situation.message == "question" and seems_to_ask(view.dialogue.last.text)


def _liked(draft: Draft, view: View) -> Draft:
    """With a mark for the choice alone. Where voice or face contradict the words, nothing is left to chance, and what leaves
    room for what was not said comes first."""
    if _contradicted(view):
        return draft.model_copy(update={"mark": (draft.mark or 0.0) + UNSAID * (draft.text in bank.UNSPOKEN)})
    begins = len(_BEGINNING.findall(draft.text)[0])
    lift = VARIED * bank.chance(view.dialogue.last.text, draft.text) - HELD * max(0.0, begins / SHORT - 1)
    return draft.model_copy(update={"mark": (draft.mark or 0.0) + lift})


def _hurried(view: View) -> bool:
    left = view.services.meter.left
    return left is not None and left < HURRY


def _stops(model: Model) -> tuple[str, ...]:
    return ("\n\n", "\n") if model.capabilities.profile == "compact" else ()


def _unheard(view: View) -> View:
    """The same feeling and the same plan, and nothing was said."""
    dialogue = view.dialogue.model_copy(update={"turns": (view.dialogue.last.model_copy(update={"text": "…"}),)})
    done = tuple(record for record in view.done if isinstance(record.output, Forecast | Plan | Strategy))
    return replace(view, dialogue=dialogue, done=done, previous=None, instruction="")
