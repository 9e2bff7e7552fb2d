from collections.abc import Iterator

import pytest

from .browser import browsers


@pytest.fixture(scope="module", autouse=True)
def _shared_browsers() -> Iterator[None]:
    """The tests of a file visit in one browser, each with a profile of its own."""
    with browsers():
        yield
