"""The real networks, for the tests that are marked `embedded`."""

import pytest

from heartfelt.senses.face.networks import MediaPipeNetworks
from heartfelt.weights import Store


@pytest.fixture(scope="session")
def networks() -> MediaPipeNetworks:
    store = Store()
    if not store.has("face"):
        pytest.fail("the weights are not here: heartfelt models pull face")
    return MediaPipeNetworks(store)
