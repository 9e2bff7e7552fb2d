"""When old sessions go, by a clock that may be wrong: what a clock that jumps takes for old is not deleted."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

JUMP = timedelta(hours=1)
"""By how much the time of day may move otherwise than the time that has passed."""
ALONE = timedelta(days=180)
"""Beyond the days for which sessions are kept: after a longer silence than that the clock is more likely wrong."""
PATIENCE = timedelta(days=1)
"""For which nothing is deleted after that, so that somebody can set the clock right."""
_log = logging.getLogger("heartfelt.server")


def passed() -> float:
    """Seconds by a clock that nobody sets, and that goes on while the machine sleeps."""
    if not hasattr(time, "clock_gettime"):  # Windows
        return time.monotonic()
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def _today() -> datetime:
    return datetime.now(UTC)


class Expiry:
    def __init__(self, days: float, *, now: Callable[[], datetime] | None = None, passed: Callable[[], float] = passed):
        self._days, self._now, self._passed = timedelta(days=days), now or _today, passed
        self._before: tuple[datetime, float] | None = None
        """The two clocks when it was last looked at them."""
        self._doubted: float | None = None

    def due(self, newest: datetime | None) -> datetime | None:
        """Sessions that nobody touched since then may go; none: the clock is not to be trusted. `newest` was touched last."""
        now, at = self._now(), self._passed()
        if why := self._odd(now, at, newest):
            self._doubted = at
            _log.warning("For a day no old session is deleted: %s If that is wrong, set the clock right, and start again.", why)
        self._before = now, at
        if self._doubted is not None and at - self._doubted < PATIENCE.total_seconds():
            return None
        return now - self._days

    def _odd(self, now: datetime, at: float, newest: datetime | None) -> str:
        if self._before is not None:
            moved = now - self._before[0] - timedelta(seconds=at - self._before[1])
            return f"the clock was set by {_in_words(moved)}." if abs(moved) > JUMP else ""
        if newest is not None and now - newest > self._days + ALONE:
            return f"the clock says that nobody has talked for {_in_words(now - newest)}, so all would go."
        return ""


def _in_words(span: timedelta) -> str:
    hours = round(span.total_seconds() / 3600)
    return f"{hours} hours" if abs(hours) < 48 else f"{round(hours / 24)} days"
