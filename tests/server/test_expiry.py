"""Old sessions go, and what only a wrong clock takes for old does not."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from heartfelt.server.expiry import Expiry
from heartfelt.server.store import SessionStore

from .serving import serving

START = datetime(2026, 5, 1, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


class Clocks:
    """The time of day, and the seconds that pass."""

    def __init__(self) -> None:
        self.now, self.seconds = START, 0.0

    def pass_by(self, span: timedelta) -> None:
        self.now, self.seconds = self.now + span, self.seconds + span.total_seconds()

    def expiry(self, days: float) -> Expiry:
        return Expiry(days, now=lambda: self.now, passed=lambda: self.seconds)


def test_what_is_old_goes_hour_by_hour():
    clocks = Clocks()
    expiry = clocks.expiry(30)
    for _ in range(3):
        assert expiry.due(clocks.now - 31 * DAY) == clocks.now - 30 * DAY
        clocks.pass_by(HOUR)
    assert expiry.due(None) == clocks.now - 30 * DAY


@pytest.mark.parametrize("jump", [400 * DAY, -400 * DAY, 3 * HOUR])
def test_after_a_jump_nothing_goes_for_a_day(jump: timedelta, caplog: pytest.LogCaptureFixture):
    clocks = Clocks()
    expiry = clocks.expiry(30)
    assert expiry.due(START)
    clocks.pass_by(HOUR)
    clocks.now += jump
    assert expiry.due(START) is None and "the clock was set by" in caplog.text
    clocks.pass_by(23 * HOUR)
    assert expiry.due(START) is None
    clocks.pass_by(HOUR)
    assert expiry.due(START) == clocks.now - 30 * DAY


def test_a_clock_that_is_set_right_again_has_cost_nothing():
    clocks = Clocks()
    expiry = clocks.expiry(30)
    expiry.due(START)
    for jump in (400 * DAY, -400 * DAY):
        clocks.now += jump
        clocks.pass_by(HOUR)
        assert expiry.due(START) is None
    clocks.pass_by(DAY)
    assert expiry.due(START) == clocks.now - 30 * DAY


def test_a_server_that_starts_after_more_than_half_a_year_of_silence_waits_a_day(caplog: pytest.LogCaptureFixture):
    clocks = Clocks()
    expiry = clocks.expiry(30)
    assert expiry.due(START - 400 * DAY) is None and "nobody has talked for 400 days" in caplog.text
    clocks.pass_by(DAY)
    assert expiry.due(START - 400 * DAY) == clocks.now - 30 * DAY


def test_a_clock_that_is_400_days_ahead_deletes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with SessionStore.open(f"sqlite:///{tmp_path / 'sessions.db'}") as store:
        made = store.create("ann").id
        monkeypatch.setattr("heartfelt.server.expiry._today", lambda: datetime.now(UTC) + 400 * DAY)
        with serving(tmp_path, keep_days=30) as served:
            served.session()
            with served.client() as client:
                assert client.get("/ready").status_code == 200
        assert store.session(made, "ann").id == made
