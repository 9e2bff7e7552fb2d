"""One language model of the embedded ones, as a back end of the model seam: one engine, one worker thread, loaded late."""

import asyncio
import os
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from heartfelt.errors import ModelTimeout
from heartfelt.models.embedded import builds, drafts
from heartfelt.models.embedded.ahead import WrittenAhead
from heartfelt.models.embedded.calibration import temperatures
from heartfelt.models.embedded.engine import Cancelled, Cursor, Engine
from heartfelt.models.embedded.guided import GuidedWriter, Sampler
from heartfelt.models.seam import Capabilities, Completion, MarkedPiece, Message, Request, Usage, canonical
from heartfelt.records import Draft
from heartfelt.weights import Store

CONTEXT, CONTEXT_BESIDE, CONTEXT_LARGE = 4096, 2560, 2048
"""Tokens that an engine holds: what was read and is kept, and what is written after it. Each costs 23 kB of memory, of the
large model 29 kB. A small one beside a large one is asked prompts cut for that, which are longer in its own tokens."""
READS_LARGE = 1600
"""What prompts for the large model are cut to: it reads some forty tokens a second on two cores."""
APART = 100_003
"""Between the seeds of two drafts: further than those of passes and attempts."""


class EmbeddedModel:
    def __init__(
        self,
        *,
        adapter: Path | None = builds.TUNED,
        size: builds.Size = "small",
        build: str = "auto",
        store: Store | None = None,
        threads: int | None = None,
        context: int | None = None,
        instead: str = "",
    ):
        """`threads`: none for as many as the machine has, up to 8; one where several models work side by side.
        `context`: none for what its size usually has. `instead`: why the large one does not answer, where it was asked for."""
        self.instead = instead
        self.size: builds.Size = size
        self._store = store or Store()
        self.build: builds.Build = builds.choose(self._store, build)
        self.adapter = adapter
        self.calibrated = temperatures(adapter)
        self._threads = threads or min(os.cpu_count() or 2, 8)
        self._context = context or (CONTEXT_LARGE if size == "large" else CONTEXT)
        self._engine: Engine | None = None
        self._ahead: WrittenAhead | None = None
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="embedded")

    @property
    def name(self) -> str:
        return f"embedded:{self.adapter.stem if self.adapter else 'base'}/{self.build}"

    @property
    def capabilities(self) -> Capabilities:
        large = self.size == "large"
        marks = large and self.adapter is not None
        context = READS_LARGE if large else self._context
        return Capabilities(profile="compact", probabilities=True, drafts=True, marks=marks, context=context)

    async def complete(self, request: Request) -> Completion:
        self._call_off()
        return await self._in_worker(request, lambda _piece: None)

    async def stream(self, request: Request) -> AsyncIterator[str | Completion]:
        ahead = self._ahead if self._ahead and self._ahead.fits(request) else None
        if ahead is None:
            self._call_off()
        self._ahead = None
        async for piece in ahead.pieces() if ahead else self._stream(request):
            yield piece

    async def begin(self, request: Request) -> None:
        """Write what will perhaps be asked for. One at a time: whatever else is asked for calls it off."""
        self._call_off()
        self._ahead = ahead = WrittenAhead(request, self._stream(request))
        try:
            await ahead.written()
        finally:
            if self._ahead is ahead and not ahead.whole:
                self._call_off()

    def _call_off(self) -> None:
        """What was begun and not asked for."""
        if self._ahead is not None:
            self._ahead.call_off()
            self._ahead = None

    async def _stream(self, request: Request) -> AsyncGenerator[str | Completion, None]:
        loop, pieces = asyncio.get_running_loop(), asyncio.Queue[str | None]()

        def emit(piece: str) -> None:
            loop.call_soon_threadsafe(pieces.put_nowait, piece)

        task = asyncio.ensure_future(self._in_worker(request, emit))
        task.add_done_callback(lambda _task: pieces.put_nowait(None))
        try:
            while (piece := await pieces.get()) is not None:
                if piece or isinstance(piece, MarkedPiece):
                    yield piece
            yield await task
        finally:
            task.cancel()

    async def warm(self) -> None:
        """Load the engine now, so that the first call does not wait for it."""
        await asyncio.get_running_loop().run_in_executor(self._worker, self.load)

    async def tokenizer(self) -> Callable[[str], int]:
        engine = await asyncio.get_running_loop().run_in_executor(self._worker, self.load) if not self._engine else self._engine
        return lambda text: len(engine.tokens(text))

    async def close(self) -> None:
        self._call_off()
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
            weights, adapter = builds.weights_of(self.size, self._store, self.adapter)
            self._engine = Engine(llama, weights, adapter=adapter, context=self._context, threads=self._threads)
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
            several = request.answer is None and (request.drafts > 1 or bool(request.offered) or request.marked)
            made = self._drafted(engine, request, emit) if several else self._written(engine, request, emit)
        except Cancelled:
            raise asyncio.CancelledError from None
        return made.model_copy(update={"ms": (time.perf_counter() - started) * 1000})

    def _written(self, engine: Engine, request: Request, emit: Callable[[str], None]) -> Completion:
        prompt = chat_tokens(engine, request.messages)
        cursor = engine.read(prompt)
        writer = GuidedWriter(
            engine, cursor, _sampler(request), self.calibrated, request.prompt, taught=self.capabilities.marks
        )
        text, ended = _write(writer, request, emit)
        return Completion(
            text=text,
            model=self.name,
            usage=Usage(prompt_tokens=len(prompt), cached_tokens=cursor.cached, output_tokens=writer.written),
            finish="stop" if ended else "length",
            probabilities=writer.probabilities,
        )

    def _drafted(self, engine: Engine, request: Request, emit: Callable[[str], None]) -> Completion:
        """Texts that were offered and several new ones side by side, each with its mark; without marks, with how likely it
        would be had nothing been said."""
        until = None if request.within is None else time.perf_counter() + request.within
        prompt = chat_tokens(engine, request.messages) + engine.tokens(request.begun)
        cursor = engine.read(prompt)
        marked = self.capabilities.marks
        offered = drafts.marks(engine, cursor, list(request.offered)) if marked and request.offered else []
        made = self._made(engine, cursor, request, until, emit) if request.drafts else []
        anyway, read, cached = self._unheard(engine, request, made) if request.unheard and not marked else (None, 0, 0)
        written = [_draft(text, anyway[i] if anyway else None, request.begun) for i, text in enumerate(made)]
        given = [Draft(text=t, mark=mark, source="bank") for t, mark in zip(request.offered, offered, strict=False)]
        return Completion(
            text=(written or given)[0].text if written or given else "",
            model=self.name,
            usage=Usage(
                prompt_tokens=len(prompt) + read,
                cached_tokens=cursor.cached + cached,
                output_tokens=sum(len(text.tokens) for text in made),
            ),
            finish="stop" if not made or made[0].ended else "length",
            drafts=(*written, *given),
        )

    def _made(
        self, engine: Engine, cursor: Cursor, request: Request, until: float | None, emit: Callable[[str], None]
    ) -> list[drafts.WrittenDraft]:
        """Where drafts get marks the first is the likeliest one, unless it was begun before; the others are drawn. One alone is
        told as it comes."""
        marked = self.capabilities.marks
        room = max(1, (cursor.room - 1) // request.drafts)
        samplers = [
            _sampler(request, number, likeliest=marked and number == 0 and not request.begun)
            for number in range(request.drafts)
        ]
        limit = min(request.max_tokens, room)
        return drafts.write(engine, cursor, samplers, limit, request.stop, marked=marked, until=until, emit=emit)

    def _unheard(self, engine: Engine, request: Request, made: list[drafts.WrittenDraft]) -> tuple[list[float], int, int]:
        """How likely each draft would be had nothing been said; the tokens of that question, and how many were read before."""
        cursor = engine.read(chat_tokens(engine, request.unheard))
        return cursor.likely([text.tokens for text in made]), cursor.length, cursor.cached

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


def _draft(text: drafts.WrittenDraft, anyway: float | None, begun: str = "") -> Draft:
    count = max(1, len(text.tokens))
    unheard = None if anyway is None else anyway / count
    return Draft(text=begun + text.text, likely=text.likely / count, unheard=unheard, mark=text.mark)


def _sampler(request: Request, number: int = 0, *, likeliest: bool = False) -> Sampler:
    temperature = 0.0 if likeliest else request.temperature
    return Sampler(temperature=temperature, top_p=request.top_p, seed=request.seed + APART * number)


def _write(writer: GuidedWriter, request: Request, emit: Callable[[str], None]) -> tuple[str, bool]:
    if request.answer is None:
        return writer.text(request.max_tokens, request.stop, emit)
    return canonical(writer.value(request.answer)), True
