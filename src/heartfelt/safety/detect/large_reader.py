"""The large reader: the language model that finds the words, with an adapter that reads a whole talk for danger.

It shares the weights with the one that writes, so it costs memory for its adapter alone; and it remembers what of a talk
it has read, so a turn costs the new lines only. Reading some forty tokens takes a second on two cores, so it is asked second,
where the quick reader has a reason to (`readers`).
"""

import asyncio
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartfelt.models.embedded import builds
from heartfelt.models.embedded.engine import Engine
from heartfelt.records import DialogueAct
from heartfelt.safety.detect.large_prompt import (
    FAULTS,
    FITS,
    LABELS,
    danger_prompt,
    reply_tokens,
    spans,
    talk_tokens,
)
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.detect.reader import ACTS, WHOS, LocalReader, Read, shares
from heartfelt.safety.tiers import DANGERS, TIERS
from heartfelt.weights import Store

ADAPTER = Path(__file__).parent / "weights" / "danger-8.gguf"
CONTEXT = 1024
"""Tokens: of a talk a few hundred are read, and a few replies side by side after it."""
_THREADS = 2


class ReplyJudgement(NamedTuple):
    """What is made of a reply to a talk."""

    fits: float
    """How likely it answers what was said."""
    faults: dict[str, float]
    """How likely each fault is; `-`: none."""

    @property
    def good(self) -> float:
        return self.fits * self.faults["-"]


class LargeReader(LocalReader):
    def __init__(self, adapter: Path = ADAPTER, *, store: Store | None = None, threads: int = _THREADS):
        super().__init__("large reader", store)
        self._adapter, self._threads = adapter, threads

    async def judge(self, lines: tuple[str, ...], replies: tuple[str, ...]) -> list[ReplyJudgement]:
        """How each of some replies would do as an answer to this talk."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, self.judged, lines, replies)

    def forget(self) -> None:
        super().forget()
        if self.loaded:
            self._worker.submit(self._engine.forget).result()

    def load(self) -> object:
        return self._engine

    def score(self, message: PersonMessage) -> Read:
        tiers, dangers, whos, acts, *_ = _split(self._engine.read(danger_prompt(message, self._engine.tokens)).next)
        done: dict[DialogueAct, float] = shares(ACTS, acts)
        return Read(shares(TIERS, tiers), shares(DANGERS, dangers), shares(WHOS, whos), done, thorough=True)

    def judged(self, lines: tuple[str, ...], replies: tuple[str, ...]) -> list[ReplyJudgement]:
        """The talk is read once, and the replies side by side."""
        engine = self._engine
        talk, given = talk_tokens(lines, engine.tokens), [reply_tokens(reply, engine.tokens) for reply in replies]
        found: list[ReplyJudgement] = []
        for logits in engine.read(talk).after(given):
            *_, faults, fits = _split(logits)
            found.append(ReplyJudgement(fits=shares(FITS, fits)["fits"], faults=shares(FAULTS, faults)))
        return found

    @cached_property
    def _engine(self) -> Engine:
        llama = builds.load(builds.choose(self._store), self._store)
        weights = self._store.path("qwen")
        engine = Engine(llama, weights, adapter=self._adapter, context=CONTEXT, threads=self._threads)
        if engine.vocabulary <= spans()[-1].stop:
            raise ValueError(f"The model has {engine.vocabulary} tokens, too few for {sum(map(len, LABELS))} labels.")
        self._ready.set()
        return engine


def _split(logits: NDArray[np.float32]) -> list[NDArray[np.float64]]:
    """The scores of each question's labels."""
    return [logits[span.start : span.stop].astype(np.float64) for span in spans()]
