"""A reply on its way to a client: word by word, up to a stop sequence or as many tokens as the client takes."""

import re
from collections.abc import Callable, Iterator
from typing import Literal

Finish = Literal["stop", "length"]
_WORD = re.compile(r"\s*\S+")


class ReplyWords:
    """What is written comes in pieces and goes out in whole words, spaces before them."""

    def __init__(self, *, stops: tuple[str, ...] = (), limit: int | None = None, count: Callable[[str], int] = len):
        self._stops, self._limit, self._count = stops, limit, count
        self._written, self._at = "", 0
        self.finish: Finish | None = None
        """Why nothing more goes out; none: it may go on."""

    @property
    def said(self) -> str:
        return self._written[: self._at]

    def write(self, piece: str) -> Iterator[str]:
        """The words that are whole now and that no stop sequence can begin in any more."""
        self._written += piece
        held = max((len(stop) - 1 for stop in self._stops), default=0)
        yield from self._words(until=len(self._written) - held, last=False)

    def end(self) -> Iterator[str]:
        """What is left."""
        yield from self._words(until=len(self._written), last=True)
        self.finish = self.finish or "stop"

    def uncut(self) -> None:
        """From now on, all of it."""
        self._stops, self._limit = (), None

    def _words(self, *, until: int, last: bool) -> Iterator[str]:
        stops = [at for stop in self._stops if (at := self._written.find(stop, self._at)) >= 0]
        if stops:
            until, last = min(stops), True
        while self.finish is None and (word := _WORD.match(self._written, self._at, max(until, self._at))):
            if word.end() == until and not last and word.group()[-1].isalnum():
                break  # more of it may come
            if self._limit is not None and self._count(self._written[: word.end()]) > self._limit:
                self.finish = "length"
                return
            self._at = word.end()
            yield word.group()
        if stops and self.finish is None:
            self.finish = "stop"
