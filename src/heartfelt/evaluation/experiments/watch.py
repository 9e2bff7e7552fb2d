"""Watching a turn for leaks: what is recalled and what is sent must not hold the answer."""

from collections.abc import Iterable

from heartfelt.evaluation.tasks.guards import refuse_exemplars, refuse_prompt
from heartfelt.evaluation.tasks.item import Item
from heartfelt.events import Event, StepFinished
from heartfelt.memory import Guard, Memory
from heartfelt.models.seam import Completion, Request
from heartfelt.records import Exemplar, Exemplars, Forecast
from heartfelt.text import normalised

SPARE = 3
"""Exemplars asked for beyond those wanted, should some have to be kept back."""


class Watch:
    """For one item at a time. Raises a LeakError, which ends the run: a score with a leak in it is none."""

    def __init__(self) -> None:
        self.item: Item | None = None
        self._own: set[str] = set()

    def begin(self, item: Item) -> None:
        """A new turn: the system has not said anything yet."""
        self.item, self._own = item, set()

    def __call__(self, event: Event) -> None:
        if self.item is None or not isinstance(event, StepFinished):
            return
        match event.record.output:
            case Exemplars(found=found):
                refuse_exemplars(self.item, found)
                self._own |= {each.emotion for each in found}
            case Forecast(emotion=emotion):  # a vote may name what no single voter said
                self._own.add(emotion)
            case _:
                pass

    def call(self, request: Request, answer: Completion | None) -> None:
        """A request before it is sent, and again with its answer."""
        if self.item is None:
            return
        if answer is None:
            refuse_prompt("\n".join(message.text for message in request.messages), self.item, predicted=self._own)
            return
        gold = self.item.gold
        said = answer.text.casefold()
        self._own |= {label for label in (gold.emotion, gold.original, gold.strategy) if label and label.casefold() in said}


class Withholding:
    """A memory that keeps back what happens to hold the very answer: people say the same thing in another split too."""

    def __init__(self, inner: Memory, watch: Watch):
        self._inner, self._watch = inner, watch

    def search(
        self, query: str, *, emotion: str | frozenset[str] | None, k: int, threshold: float, guard: Guard = Guard()
    ) -> tuple[Exemplar, ...]:
        found = self._inner.search(query, emotion=emotion, k=k + SPARE if k > 0 else k, threshold=threshold, guard=guard)
        return tuple(each for each in found if not self._tells(each))[:k]

    def add(self, exemplars: Iterable[Exemplar]) -> int:
        return self._inner.add(exemplars)

    def count(self) -> int:
        return self._inner.count()

    def _tells(self, exemplar: Exemplar) -> bool:
        answer = normalised(self._watch.item.gold.reference) if self._watch.item else ""
        return bool(answer) and any(f" {answer} " in f" {normalised(text)} " for text in (exemplar.reply, exemplar.situation))
