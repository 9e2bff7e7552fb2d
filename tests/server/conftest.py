from collections.abc import Iterator

import pytest

from .serving import Served, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for the tests of a file: sessions are separate, so tests are."""
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running
