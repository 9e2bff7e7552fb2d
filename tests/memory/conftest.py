"""Made-up exchanges and files; the real embedder only for those who ask for it."""

from collections.abc import Callable

import pytest

from heartfelt.memory import ExemplarStore, HashEmbedder, MiniLM
from heartfelt.records import Exemplar
from heartfelt.weights import Store

Make = Callable[..., Exemplar]


@pytest.fixture
def make() -> Make:
    def exemplar(situation: str, reply: str = "Tell me more.", emotion: str = "sad", **more: str) -> Exemplar:
        return Exemplar(situation=situation, reply=reply, emotion=emotion, **more)

    return exemplar


@pytest.fixture
def store() -> ExemplarStore:
    return ExemplarStore(":memory:", HashEmbedder())


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    weights = Store()
    if not weights.has("minilm"):
        pytest.fail("the weights are not here: heartfelt models pull minilm")
    return MiniLM(weights)
