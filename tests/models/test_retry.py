from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.errors import ModelUnavailable
from heartfelt.models.retry import Delta, Retry, Setback, converse, last, retry_after, server_says
from heartfelt.models.seam import Request

from .conftest import Waits


@given(st.integers(1, 50), st.floats(0, 1), st.none() | st.floats(-10, 1e6))
def test_a_wait_is_never_long(failed: int, dice: float, asked: float | None):
    retry = Retry(random=lambda: dice)
    assert 0 <= retry.wait(failed, asked) <= (retry.longest if asked is None else retry.longest_asked)


def test_waits_grow_and_are_spread():
    assert [Retry(random=lambda: 1.0).wait(n, None) for n in range(1, 7)] == [0.5, 1, 2, 4, 8, 8]
    assert Retry(random=lambda: 0.1).wait(3, None) == pytest.approx(0.2)


def test_retry_after_in_seconds_or_as_a_date():
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert retry_after("2.5") == 2.5 and 50 < (retry_after(soon) or 0) <= 60
    assert retry_after(None) is None and retry_after("soon") is None and retry_after("") is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('{"error": {"message": "Too long."}}', "Too long"),
        ('{"error": "no such model"}', "no such model"),
        ('{"detail": "Not\\n  here"}', "Not here"),
        ('{"object": "error"}', ""),
        ("plain words", "plain words"),
        ("<html>page</html>", ""),
        ("x" * 999, "x" * 299 + "…"),
    ],
)
def test_what_servers_say(body: str, words: str):
    assert server_says(body) == words


async def test_an_attempt_that_succeeds_late_is_counted(request_: Request, waits: Waits):
    tries: list[int] = []

    async def attempt() -> AsyncGenerator[Delta, None]:
        tries.append(1)
        if len(tries) < 3:
            raise Setback("Not yet.")
        yield Delta("Hello", None)
        yield Delta(".", "stop")

    completion = await last(converse(request_, model="tiny", attempt=attempt, retry=waits.retry()))
    assert completion.text == "Hello." and completion.attempts == 3 and len(waits.slept) == 2


async def test_one_attempt_means_no_waiting(request_: Request, waits: Waits):
    async def attempt() -> AsyncGenerator[Delta, None]:
        raise Setback("Not today.")
        yield Delta()

    with pytest.raises(ModelUnavailable, match=r"Not today\. Gave up after 1 attempt\."):
        await last(converse(request_, model="tiny", attempt=attempt, retry=waits.retry(attempts=1)))
    assert not waits.slept
