"""A thread with its row of jobs, for one sense: the event loop only ever hands over and is told."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from heartfelt.errors import HeartfeltError, TurnError

Result = TypeVar("Result")


class LiveWorker:
    """Does its jobs one after another, in the order of their coming. After one that fails, the others fail alike."""

    def __init__(self, name: str, failed: Callable[[BaseException], None]):
        self.name = name
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"heartfelt-{name}")
        self._open: set[Future[Any]] = set()
        self._broken: HeartfeltError | None = None

    def do(self, job: Callable[[], Result], *, done: Callable[[], None] | None = None) -> Future[Result]:
        """Add a job to the row. `done` is called in the event loop once it is over, whatever became of it."""
        future = self._thread.submit(self._run, job)
        self._open.add(future)
        future.add_done_callback(lambda over: self.tell(self._over, over, done))
        return future

    def tell(self, hear: Callable[..., object], *said: object) -> None:
        """From the thread to the event loop, in order."""
        with suppress(RuntimeError):  # the loop is closed, and with it whoever wanted to know
            self._loop.call_soon_threadsafe(hear, *said)

    def call_off(self) -> None:
        """All jobs that have not begun."""
        for future in tuple(self._open):
            future.cancel()

    async def close(self) -> None:
        """Call off what waits, wait for what runs, and end the thread; at the latest once the running job is over."""
        self.call_off()
        try:
            running = [asyncio.wrap_future(future) for future in self._open if not future.cancelled()]
            await asyncio.gather(*running, return_exceptions=True)
            self._thread.shutdown()
        finally:
            self._thread.shutdown(wait=False)

    def _run(self, job: Callable[[], Result]) -> Result:
        if self._broken is not None:
            raise self._broken
        try:
            return job()
        except HeartfeltError as error:
            self._broken = error
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            self._broken = TurnError(f"The {self.name} sense failed ({what}). Close this session and open a new one.")
            raise self._broken from error

    def _over(self, future: Future[Any], done: Callable[[], None] | None) -> None:
        self._open.discard(future)
        if not future.cancelled() and (error := future.exception()) is not None:
            self._failed(error)
        if done is not None:
            done()
