"""`embedded:` as a back end of the model seam: one engine, one worker thread, loaded at the first call."""

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from heartfelt.errors import ModelTimeout
from heartfelt.models.embedded import builds
from heartfelt.models.embedded.calibration import temperatures
from heartfelt.models.embedded.engine import Cancelled, Engine
from heartfelt.models.embedded.guided import Sampler, Writer
from heartfelt.models.seam import Capabilities, Completion, Message, Request, Usage, canonical
from heartfelt.weights import Store

CONTEXT = 4096


class EmbeddedModel:
    def __init__(self, *, adapter: Path | None = builds.TUNED, build: str = "auto", store: Store | None = None):
        self._store = store or Store()
        self.build: builds.Build = builds.choose(self._store, build)
        self._adapter = adapter
        self.calibrated = temperatures(adapter)
        self._engine: Engine | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="embedded")

    @property
    def name(self) -> str:
        return f"embedded:{self._adapter.stem if self._adapter else 'base'}/{self.build}"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(profile="compact", probabilities=True, context=CONTEXT)

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

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._worker, self._unload)
        self._worker.shutdown()

    def load(self) -> Engine:
        """The engine, loaded now if it was not; for the worker thread, and for measuring."""
        if self._engine is None:
            llama = builds.load(self.build, self._store)
            path = builds.weights(self._store, self._adapter)
            threads = min(os.cpu_count() or 2, 8)
            self._engine = Engine(llama, path, context=CONTEXT, threads=threads)
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
            prompt = chat_tokens(engine, request.messages)
            cursor = engine.read(prompt)
            sampler = Sampler(temperature=request.temperature, top_p=request.top_p, seed=request.seed)
            writer = Writer(engine, cursor, sampler, self.calibrated, request.prompt)
            text, ended = _write(writer, request, emit)
        except Cancelled:
            raise asyncio.CancelledError from None
        return Completion(
            text=text,
            model=self.name,
            usage=Usage(prompt_tokens=len(prompt), cached_tokens=cursor.cached, output_tokens=writer.written),
            ms=(time.perf_counter() - started) * 1000,
            finish="stop" if ended else "length",
            probabilities=writer.probabilities,
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


def _write(writer: Writer, request: Request, emit: Callable[[str], None]) -> tuple[str, bool]:
    if request.answer is None:
        return writer.text(request.max_tokens, request.stop, emit)
    return canonical(writer.value(request.answer)), True
