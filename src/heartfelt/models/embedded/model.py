"""`embedded:` as a back end of the model seam: one engine, one worker thread, loaded at the first call."""

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from heartfelt.errors import ModelTimeout
from heartfelt.models.embedded import builds, drafts
from heartfelt.models.embedded.calibration import temperatures
from heartfelt.models.embedded.engine import Cancelled, Engine
from heartfelt.models.embedded.guided import Sampler, Writer
from heartfelt.models.seam import Capabilities, Completion, Message, Request, Usage, canonical
from heartfelt.records import Draft
from heartfelt.weights import Store

CONTEXT = 4096
APART = 100_003
"""Between the seeds of two drafts: further than those of passes and attempts."""


class EmbeddedModel:
    def __init__(
        self,
        *,
        adapter: Path | None = builds.TUNED,
        build: str = "auto",
        store: Store | None = None,
        threads: int | None = None,
    ):
        """`threads`: none for as many as the machine has, up to 8; one where several models work side by side."""
        self._store = store or Store()
        self.build: builds.Build = builds.choose(self._store, build)
        self.adapter = adapter
        self.calibrated = temperatures(adapter)
        self._threads = threads or min(os.cpu_count() or 2, 8)
        self._engine: Engine | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="embedded")

    @property
    def name(self) -> str:
        return f"embedded:{self.adapter.stem if self.adapter else 'base'}/{self.build}"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(profile="compact", probabilities=True, drafts=True, context=CONTEXT)

    async def complete(self, request: Request) -> Completion:
        return await self._in_worker(request, lambda _piece: None)

    async def stream(self, request: Request) -> AsyncIterator[str | Completion]:
        loop, pieces = asyncio.get_running_loop(), asyncio.Queue[str | None]()

        def emit(piece: str) -> None:
            loop.call_soon_threadsafe(pieces.put_nowait, piece)

        task = asyncio.ensure_future(self._in_worker(request, emit))
        task.add_done_callback(lambda _task: pieces.put_nowait(None))
        try:
            while (piece := await pieces.get()) is not None:
                if piece:
                    yield piece
            yield await task
        finally:
            task.cancel()

    async def warm(self) -> None:
        """Load the engine now, so that the first call does not wait for it."""
        await asyncio.get_running_loop().run_in_executor(self._worker, self.load)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._worker, self._unload)
        self._worker.shutdown()

    def forget(self) -> None:
        """What was read before: the next answers are then the same whatever was asked first."""
        if self._engine is not None:
            self._worker.submit(self._engine.forget).result()

    def load(self) -> Engine:
        """The engine, loaded now if it was not; for the worker thread, and for measuring."""
        if self._engine is None:
            llama = builds.load(self.build, self._store)
            path = builds.weights(self._store, self.adapter)
            self._engine = Engine(llama, path, context=CONTEXT, threads=self._threads)
        return self._engine

    async def _in_worker(self, request: Request, emit: Callable[[str], None]) -> Completion:
        given_up = threading.Event()
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(self._worker, self._answer, request, emit, given_up)
        work.add_done_callback(lambda done: done.cancelled() or done.exception())  # of a call that was given up, nobody asks
        try:
            return await asyncio.wait_for(asyncio.shield(work), request.timeout)
        except TimeoutError:
            raise ModelTimeout(
                f"{self.name} did not finish '{request.purpose}' in {request.timeout:.0f} s. Allow more time or ask for less."
            ) from None
        finally:
            given_up.set()  # the worker stops at its next look, and the next request finds it free

    def _answer(self, request: Request, emit: Callable[[str], None], given_up: threading.Event) -> Completion:
        engine, started = self.load(), time.perf_counter()
        engine.wanted = lambda: not given_up.is_set()
        try:
            several = request.answer is None and request.drafts > 1
            made = self._drafted(engine, request) if several else self._written(engine, request, emit)
        except Cancelled:
            raise asyncio.CancelledError from None
        return made.model_copy(update={"ms": (time.perf_counter() - started) * 1000})

    def _written(self, engine: Engine, request: Request, emit: Callable[[str], None]) -> Completion:
        prompt = chat_tokens(engine, request.messages)
        cursor = engine.read(prompt)
        writer = Writer(engine, cursor, _sampler(request), self.calibrated, request.prompt)
        text, ended = _write(writer, request, emit)
        return Completion(
            text=text,
            model=self.name,
            usage=Usage(prompt_tokens=len(prompt), cached_tokens=cursor.cached, output_tokens=writer.written),
            finish="stop" if ended else "length",
            probabilities=writer.probabilities,
        )

    def _drafted(self, engine: Engine, request: Request) -> Completion:
        """Several texts side by side, then how likely each would be had nothing been said."""
        prompt = chat_tokens(engine, request.messages)
        cursor = engine.read(prompt)
        room = max(1, (cursor.room - 1) // request.drafts)
        samplers = [_sampler(request, number) for number in range(request.drafts)]
        made = drafts.write(engine, cursor, samplers, min(request.max_tokens, room), request.stop)
        tokens = [text.tokens for text in made]
        unheard = engine.read(chat_tokens(engine, request.unheard or request.messages))
        anyway = unheard.likely(tokens)
        return Completion(
            text=made[0].text,
            model=self.name,
            usage=Usage(
                prompt_tokens=len(prompt) + unheard.length,
                cached_tokens=cursor.cached + unheard.cached,
                output_tokens=sum(map(len, tokens)),
            ),
            finish="stop" if made[0].ended else "length",
            drafts=tuple(
                Draft(text=text.text, likely=text.likely / len(text.tokens), unheard=unlikely / len(text.tokens))
                for text, unlikely in zip(made, anyway, strict=True)
            ),
        )

    def _unload(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None


def chat_tokens(engine: Engine, messages: tuple[Message, ...]) -> list[int]:
    """The chat as SmolLM2 was taught it. Only the frame may hold markers: what a person typed stays plain words."""
    tokens: list[int] = []
    for message in messages:
        tokens += engine.tokens("<|im_start|>", special=True) + engine.tokens(f"{message.role}\n{message.text}")
        tokens += engine.tokens("<|im_end|>", special=True) + engine.tokens("\n")
    return tokens + engine.tokens("<|im_start|>", special=True) + engine.tokens("assistant\n")


def _sampler(request: Request, number: int = 0) -> Sampler:
    return Sampler(temperature=request.temperature, top_p=request.top_p, seed=request.seed + APART * number)


def _write(writer: Writer, request: Request, emit: Callable[[str], None]) -> tuple[str, bool]:
    if request.answer is None:
        return writer.text(request.max_tokens, request.stop, emit)
    return canonical(writer.value(request.answer)), True
