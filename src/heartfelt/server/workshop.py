"""Heavy work that is no turn: recordings, exports, pages. One piece of each caller at a time, and few at once in all."""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import ParamSpec, TypeVar

from heartfelt.errors import TurnError

Given = ParamSpec("Given")
Result = TypeVar("Result")
_AT_ONCE = 2
_OF_ONE = 4
"""Pieces that one caller may have here, the one that is being done among them."""
_LATER = 5.0
"""Seconds after which to come again."""


class TooMuch(TurnError):
    """One caller wants too many heavy things at once."""

    seconds = _LATER

    def __init__(self) -> None:
        super().__init__(f"{_OF_ONE} recordings and exports of yours are being worked on already. Wait until one is done.")


class Workshop:
    def __init__(self, at_once: int = _AT_ONCE):
        self._places = asyncio.Semaphore(at_once)
        self.wanted: Counter[str] = Counter()
        """By caller: what is being done or waits."""
        self._own: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def place(self, owner: str) -> AsyncGenerator[None, None]:
        """Inside, the caller has one of the places. Whoever gives up waiting is forgotten."""
        if self.wanted[owner] >= _OF_ONE:
            raise TooMuch
        self.wanted[owner] += 1
        own = self._own.setdefault(owner, asyncio.Lock())
        try:
            async with own, self._places:
                yield
        finally:
            self.wanted[owner] -= 1
            if not self.wanted[owner]:
                del self.wanted[owner], self._own[owner]

    async def do(self, owner: str, work: Callable[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
        """In a thread. Who leaves before it was begun is forgotten; afterwards they keep their place until it is done, so that
        leaving and coming again gains nothing."""
        begun = False

        async def placed() -> Result:
            nonlocal begun
            async with self.place(owner):
                begun = True
                return await in_thread(lambda: work(*given, **named))

        doing = asyncio.create_task(placed())
        doing.add_done_callback(_heard)
        try:
            return await asyncio.shield(doing)
        except asyncio.CancelledError:
            if not begun:
                doing.cancel()
            raise


async def in_thread(work: Callable[[], Result]) -> Result:
    """In a thread of its own, which keeps neither others from theirs nor the process from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(result: Result | None, error: BaseException | None) -> None:
        if not done.done():
            done.set_exception(error) if error is not None else done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, failed = None, None
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 (it is raised where the work is waited for)
            failed = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, failed)

    threading.Thread(target=run, name="heartfelt-workshop", daemon=True).start()
    return await done


def _heard(task: asyncio.Task[Result]) -> None:
    """Whoever wanted it may be gone: then its error is nobody's."""
    if not task.cancelled():
        task.exception()
