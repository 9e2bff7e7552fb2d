"""Who has the cores where several in this process want all of them: the sound that a person waits for, then one engine after
the other.

A voice and an engine side by side take more than twice as long each; two engines, whose threads wait for each other by
spinning, ten times as long and more. One after the other, the first sound is there in half the time, and the words that come
after it are still there before it has been heard.
"""

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager

LONGEST = 1.5
"""Seconds that an engine stands still for a voice at most: nobody may keep it from its work for good."""
WORD = 0.2
"""Seconds that a voice waits at most for an engine to come to the end of a word; a long prompt takes longer."""


class RightOfWay:
    def __init__(self, cores: int | None = None) -> None:
        self._cores = cores or os.cpu_count() or 1
        self._changed = threading.Condition()
        self._urgent, self._taken = 0, 0

    @contextmanager
    def held(self) -> Generator[None, None, None]:
        """While it lasts, no engine begins another word."""
        with self._changed:
            self._urgent += 1
        try:
            yield
        finally:
            with self._changed:
                self._urgent -= 1
                self._changed.notify_all()

    def settled(self, longest: float = WORD) -> None:
        """For a voice before its work: where it is urgent, returns once no engine is in the middle of a word."""
        with self._changed:
            self._changed.wait_for(lambda: not (self._urgent and self._taken), longest)

    @contextmanager
    def taken(self, threads: int, longest: float = LONGEST) -> Generator[None, None, None]:
        """So many cores for a piece of work, once nobody is in a hurry and enough of them are free."""
        with self._changed:
            self._changed.wait_for(lambda: not self._urgent, longest)
            self._changed.wait_for(lambda: not self._taken or self._taken + threads <= self._cores)
            self._taken += threads
        try:
            yield
        finally:
            with self._changed:
                self._taken -= threads
                self._changed.notify_all()


RIGHT_OF_WAY = RightOfWay()
"""That of this process."""
