"""The reader: the embedded language model with an adapter taught to tell danger from its look-alikes.

It shares nothing with the rules but what it reads, so that one finds what the other overlooks.
"""

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import UsageError
from heartfelt.models.embedded import builds
from heartfelt.models.embedded.engine import Cancelled, Engine
from heartfelt.records import Danger, Tier
from heartfelt.safety.detect.frame import DANGER_WORDS, TIER_WORDS, prompt
from heartfelt.weights import Store

ADAPTER = Path(__file__).parent / "adapter" / "danger-1.gguf"
CONTEXT = 1024
REMEMBERED = 4096
"""Messages whose reading is kept, so that a long conversation is not read anew at every turn."""


class Read(NamedTuple):
    """How likely each tier is, and each danger should there be one."""

    tiers: dict[Tier, float]
    dangers: dict[Danger, float]

    @property
    def alarm(self) -> float:
        return self.tiers["active"] + self.tiers["imminent"]

    @property
    def danger(self) -> Danger:
        return max(self.dangers, key=lambda danger: self.dangers[danger])


class Reader(Protocol):
    name: str

    @property
    def loaded(self) -> bool:
        """Whether it can read at once."""
        ...

    async def read(self, text: str) -> Read: ...


class EmbeddedReader:
    name = "reader"

    def __init__(self, adapter: Path = ADAPTER, *, store: Store | None = None, threads: int | None = None):
        self._adapter, self._store = adapter, store or Store()
        self._threads = threads or min(os.cpu_count() or 2, 8)
        self._engine: Engine | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="reader")
        self._known: dict[str, Read] = {}

    @property
    def loaded(self) -> bool:
        return self._engine is not None

    async def read(self, text: str) -> Read:
        """Raises whatever keeps it from reading; given up where the caller is."""
        if (known := self._known.get(text)) is not None:
            return known
        given_up = threading.Event()
        work = asyncio.get_running_loop().run_in_executor(self._worker, self._read, text, given_up)
        work.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            read = await asyncio.shield(work)
        finally:
            given_up.set()
        self._known[text] = read
        if len(self._known) > REMEMBERED:
            self._known.pop(next(iter(self._known)), None)
        return read

    async def warm(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._worker, self._load)

    def forget(self) -> None:
        """Nothing that anybody said is kept."""
        self._known.clear()
        if self._engine is not None:
            self._worker.submit(self._engine.forget).result()

    def _load(self) -> Engine:
        if self._engine is None:
            llama = builds.load(builds.choose(self._store), self._store)
            self._engine = Engine(llama, builds.weights(self._store, self._adapter), context=CONTEXT, threads=self._threads)
        return self._engine

    def _read(self, text: str, given_up: threading.Event) -> Read:
        engine = self._load()
        engine.wanted = lambda: not given_up.is_set()
        try:
            cursor = engine.read(prompt(text, engine.tokens))
            tiers = _shares(cursor.next, [engine.tokens(word)[0] for word in TIER_WORDS.values()])
            worst = max(("active", "imminent"), key=lambda tier: tiers[list(TIER_WORDS).index(tier)])
            cursor.feed(engine.tokens(TIER_WORDS[worst]))
            dangers = _shares(cursor.next, [engine.tokens(word)[0] for word in DANGER_WORDS.values()])
        except Cancelled:
            raise asyncio.CancelledError from None
        return Read(dict(zip(TIER_WORDS, tiers, strict=True)), dict(zip(DANGER_WORDS, dangers, strict=True)))


@cache
def usual_reader() -> EmbeddedReader:
    """One for the whole process: whoever listens shares it."""
    return EmbeddedReader()


@cache
def open_reader(address: str) -> Reader | None:
    """The reader of `Safety.reader`."""
    if address in ("", "none"):
        return None
    if address == "embedded:":
        return usual_reader()
    if not Path(address).is_file():
        raise UsageError(f"There is no reader at {address}. Say embedded:, none, or a file that `heartfelt tune danger` wrote.")
    return EmbeddedReader(Path(address))


def _shares(logits: NDArray[np.float32], tokens: list[int]) -> list[float]:
    chosen = logits[tokens].astype(np.float64)
    odds = np.exp(chosen - chosen.max())
    return [float(share) for share in odds / odds.sum()]
