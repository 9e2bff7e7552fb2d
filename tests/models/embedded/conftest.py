"""One real engine for all tests that need it."""

import asyncio
from collections.abc import Iterator

import pytest

from heartfelt.models.embedded import EmbeddedModel
from heartfelt.models.embedded.engine import Engine


@pytest.fixture(scope="session")
def model() -> Iterator[EmbeddedModel]:
    made = EmbeddedModel()
    yield made
    asyncio.run(made.close())


@pytest.fixture
def engine(model: EmbeddedModel) -> Engine:
    made = model.load()
    made.wanted = lambda: True
    return made


def forget(engine: Engine) -> None:
    """As if nothing had been read yet."""
    for kept in engine._kept:
        engine.drop(kept.id)
        kept.tokens = []
