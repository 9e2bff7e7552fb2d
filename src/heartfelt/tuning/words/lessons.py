"""What an exchange teaches a larger model, in the very tokens of the runtime: the kind of a message, and how to answer it.

A reply that was rated is followed by its mark, one digit, which the model gives after the end of the reply: a verdict that
costs one token. Only replies that raters saw are marked: taught on written replies and careless ones, it learns who wrote them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

from heartfelt.agents import Respond, TellScenario, Understand, View
from heartfelt.agents.agent import PromptCaller
from heartfelt.labels import label_set
from heartfelt.models.seam import Capabilities
from heartfelt.records import Cause, Dialogue, Forecast, Output, Scenario
from heartfelt.tuning.lessons import NAMES
from heartfelt.tuning.scribe import Example, Scribe, Tokenizer
from heartfelt.tuning.words.exchanges import Exchange

RENAMED = 0.1
"""The share of dialogues whose speakers have names of their own."""
WAYS = {"": 0.7, "event": 0.1, "feeling": 0.1, "all": 0.1}
"""What the writer knows beside the dialogue, and how often: any recipe may ask it."""
TOLD_EVENTS = 0.2
"""The share of exchanges that also teach to tell what happened."""


@dataclass(frozen=True)
class WordsLesson:
    tokens: list[int]
    asked: int
    """Tokens of the prompt."""
    decided: tuple[bool, ...]
    """Token by token of the answer: whether it is to be learnt. A reply that is only marked is not."""
    mark: float = 0.0
    """After the answer; 0: none."""


class _Compact:
    """What the model that will run can: prompts are made for it."""

    name = "words"
    capabilities = Capabilities(profile="compact", drafts=True, marks=True)


class WordsLessons:
    def __init__(self, tokenizer: Tokenizer):
        self._scribe = Scribe(_Compact(), tokenizer)  # type: ignore[arg-type]  # nothing is asked of it

    def of(self, exchange: Exchange, random: Random) -> Iterator[WordsLesson]:
        """The kind and the feeling; sometimes what happened; and a reply, if there is one close to the person's own words."""
        dialogue, notes = renamed(exchange, random), drawn_notes(exchange, random)
        if exchange.message:
            yield self.kind(dialogue, exchange.message, exchange.emotion)
        if random.random() < TOLD_EVENTS:
            yield self._event(self._scribe.view(dialogue), exchange)
        if exchange.close:
            yield self._reply(self._scribe.view(dialogue, *notes), exchange.close, learnt=True)

    def kind(self, dialogue: Dialogue, message: str, emotion: str = "") -> WordsLesson:
        """Of what kind the message is and, where somebody said so, how the person feels."""
        answer = {"kind": message, "feeling": emotion or label_set("ed32").labels[0]}
        example = self._scribe.ask("understand", Understand(), self._scribe.view(dialogue), answer)
        if not emotion:
            first = next(at for at, (_, decided) in enumerate(example.pieces) if decided)
            example = replace(example, pieces=example.pieces[: first + 1])
        return _lesson(example)

    def reply(self, dialogue: Dialogue, text: str) -> WordsLesson:
        return self._reply(self._scribe.view(dialogue), text, learnt=True)

    def brief(self, dialogue: Dialogue, text: str) -> WordsLesson:
        return self._reply(self._scribe.view(dialogue), text, learnt=True, brief=True)

    def rated(self, dialogue: Dialogue, reply: str, mark: float, *, brief: bool = False) -> WordsLesson:
        return self._reply(self._scribe.view(dialogue), reply, learnt=False, mark=mark, brief=brief)

    def prompt(self, step: PromptCaller, dialogue: Dialogue, *notes: Output) -> list[int]:
        return self._scribe.prompt(step, self._scribe.view(dialogue, *notes), None)

    def _event(self, view: View, exchange: Exchange) -> WordsLesson:
        example = self._scribe.ask("scenario", TellScenario(), view, {"event": exchange.meaning})
        return _lesson(example)

    def _reply(self, view: View, text: str, *, learnt: bool, mark: float = 0.0, brief: bool = False) -> WordsLesson:
        return _lesson(self._scribe.reply("respond", Respond(brief=brief), view, text), learnt=learnt, mark=mark)


def _lesson(example: Example, *, learnt: bool = True, mark: float = 0.0) -> WordsLesson:
    decided = example.mask[len(example.prompt) :]
    return WordsLesson(example.tokens, len(example.prompt), tuple(learnt and bool(flag) for flag in decided), mark)


def renamed(exchange: Exchange, random: Random) -> Dialogue:
    """Mostly as a chat names its speakers, sometimes with names of their own."""
    if random.random() >= RENAMED:
        return exchange.dialogue()
    speaker, listener = random.sample(NAMES, 2)
    return exchange.dialogue(speaker, listener)


def drawn_notes(exchange: Exchange, random: Random) -> tuple[Output, ...]:
    event = Scenario(event=exchange.meaning)
    feeling = Forecast(emotion=exchange.emotion, labels="ed32")
    cause = Cause(spans=(exchange.cause,), category=exchange.message or "what happened")
    ways = {"": (), "event": (event,), "feeling": (feeling,), "all": (event, feeling, cause, exchange.plan)}
    return ways[random.choices(list(WAYS), list(WAYS.values()))[0]]


def pack(lessons: list[WordsLesson], path: Path) -> None:
    """All lessons end to end, as a machine without the engine can read them."""
    np.savez_compressed(
        path,
        tokens=np.array([token for lesson in lessons for token in lesson.tokens], np.uint32),
        offsets=np.cumsum([0, *(len(lesson.tokens) for lesson in lessons)]).astype(np.int64),
        asked=np.array([lesson.asked for lesson in lessons], np.int32),
        learnt=np.array([flag for each in lessons for flag in ((False,) * each.asked + each.decided)], np.bool_),
        mark=np.array([lesson.mark for lesson in lessons], np.float32),
    )
