"""What the words themselves tell: the emotion of each sentence, by the language model, at the time it was said."""

import asyncio
from collections.abc import Awaitable, Callable

from heartfelt.agents.classifier import usual_classifier
from heartfelt.agents.forecast import ForecastEmotion
from heartfelt.agents.view import Services, View
from heartfelt.budget import Budget, Meter
from heartfelt.fusion.fuse import LABELS
from heartfelt.labels import fold, label_set
from heartfelt.models.seam import Model
from heartfelt.records import Dialogue, Forecast, Moment, Scores, Sensed, Span, Turn, Word
from heartfelt.text import sentences_of

MOST = 12
"""Sentences that are read one by one; more are read in as many groups."""
HEARD, TYPED = 0.8, 1.0
"""How far the words can be trusted: a transcript mishears some of them."""


def _unheard(_seconds: float) -> None:
    """The default callback: does nothing."""


class Ahead:
    """Reads sentences while others are still being said, so that nobody waits for it at the end of a turn."""

    def __init__(self, model: Model):
        self._model = model
        self._read: dict[str, asyncio.Task[Scores]] = {}

    def begin(self, text: str) -> None:
        for part in sentences_of(text):
            if part not in self._read and len(self._read) < MOST:
                self._read[part] = asyncio.create_task(emotion_of(self._model, part))

    async def emotion(self, part: str) -> Scores:
        return await (self._read.get(part) or emotion_of(self._model, part))

    def close(self) -> None:
        """What nobody asked for is called off."""
        for task in self._read.values():
            task.cancel()


async def words_sensed(
    model: Model,
    text: str,
    *,
    words: tuple[Word, ...] = (),
    duration: float = 0.0,
    told: Callable[[float], object] = _unheard,
    emotion: Callable[[str], Awaitable[Scores]] | None = None,
) -> Sensed:
    """The emotion of what was said. Typed words have no times of their own, so they stand for the whole turn.

    `told` hears up to which second it has been read; `emotion` reads a sentence in place of the model.
    """
    if not text.strip():
        return Sensed(source="words", note="Nothing was said.")
    parts = grouped(sentences_of(text), MOST)
    spans = placed(parts, words, duration)
    moments: list[Moment] = []
    for part, span in zip(parts, spans, strict=True):
        shares = await (emotion(part) if emotion else emotion_of(model, part))
        moments.append(Moment(start=span.start, end=span.end, shares=shares, reliability=HEARD if words else TYPED))
        told(span.end)
    return Sensed(source="words", moments=tuple(moments))


def grouped(sentences: list[str], most: int) -> list[str]:
    """At most so many pieces, each of sentences that follow one another."""
    size = -(-len(sentences) // most)
    return [" ".join(sentences[at : at + size]) for at in range(0, len(sentences), size or 1)]


def placed(parts: list[str], words: tuple[Word, ...], duration: float) -> list[Span]:
    """When each part was said: by its share of the words that were heard, or else of the letters."""
    lengths = [len(part.split()) if words else len(part) for part in parts]
    total, at, spans = sum(lengths) or 1, 0, list[Span]()
    for length in lengths:
        if words:
            first = min(at * len(words) // total, len(words) - 1)
            last = max(first, min((at + length) * len(words) // total, len(words)) - 1)
            spans.append(Span(start=words[first].start, end=max(words[first].start, words[last].end)))
        else:
            spans.append(Span(start=duration * at / total, end=duration * (at + length) / total))
        at += length
    return spans


async def emotion_of(model: Model, text: str) -> Scores:
    """By the classifier beside an embedded model: it is right more often, and at once (docs/design/senses.md)."""
    dialogue = Dialogue(turns=(Turn(speaker="User", text=text),))
    if model.capabilities.drafts:
        return folded((await asyncio.to_thread(usual_classifier().classify, dialogue)).feelings)
    services = Services(model=model, emit=lambda _event: None, meter=Meter(Budget()))
    view = View(dialogue, services)
    made = (await ForecastEmotion(labels=LABELS, recognise=True).run(view)).output
    assert isinstance(made, Forecast)
    return made.distribution or {made.emotion: 1.0}


def folded(feelings: Scores) -> Scores:
    """In the labels that all senses speak in."""
    shares = dict.fromkeys(label_set(LABELS).labels, 0.0)
    for feeling, share in feelings.items():
        shares[fold(feeling, LABELS).label or "neutral"] += share
    return shares
