"""A tiny base model, with and without a tokenizer."""

from pathlib import Path

import pytest

from heartfelt.weights import Store

from . import tiny


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random weights, no tokenizer: for what only the network needs."""
    return tiny.write_base(tmp_path_factory.mktemp("base") / "tiny.gguf")


@pytest.fixture(scope="session")
def speaking_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random weights with the tokenizer of the shipped ones: the engine can run it."""
    return tiny.write_base(tmp_path_factory.mktemp("base") / "speaking.gguf", tokenizer=Store().path("smollm2"))
