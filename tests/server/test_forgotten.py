"""A deleted session leaves no byte of its text: not in the database, not beside it, not in any folder that the server uses."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.detect.reader import Read
from heartfelt.server.store import SessionStore

from .api.test_messages import recording
from .serving import Served, serving

MARK = "qzxjvkwy"
SAID = f"My father {MARK} laughed at me."


class Remembering(ScriptedReader):
    """A reader that keeps what it read, as the real one does, so as not to read it twice."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: set[str] = set()

    async def read(self, message: PersonMessage, *, closely: bool = False) -> Read:
        self.kept.add(message.text)
        return await super().read(message)

    def forget(self) -> None:
        self.kept.clear()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which everything lies that the server could write to."""
    folders = {"HOME": "home", "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache", "XDG_STATE_HOME": "state", "TMPDIR": "tmp"}
    for name, folder in folders.items():
        (tmp_path / folder).mkdir()
        monkeypatch.setenv(name, str(tmp_path / folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


@pytest.fixture
def reader() -> Remembering:
    return Remembering()


@pytest.fixture
def here(machine: Path, reader: Remembering) -> Iterator[Served]:
    """With the store where it usually is."""
    with serving(machine, store="", reader=reader) as running:
        yield running


def traces_of(machine: Path, mark: str = MARK) -> list[str]:
    """Files in which the mark is, in any of the forms that text is kept in."""
    forms = (mark.encode(), mark.encode("utf-16-le"), mark.encode().hex().encode(), mark.upper().encode())
    files = [path for path in machine.rglob("*") if path.is_file()]
    return [path.name for path in files if any(form in path.read_bytes() for form in forms)]


def use(served: Served) -> str:
    """A session in which everything was done that leaves something behind."""
    session = served.session(title=f"About {MARK}")
    path = f"/api/sessions/{session}"
    with served.client() as client:
        for _ in range(3):
            assert client.post(f"{path}/messages", json={"text": SAID * 20}).status_code == 200
        client.patch(path, json={"pace": "thorough", "title": f"Still about {MARK}"})
        client.post(f"{path}/messages", json={"text": SAID})
        files, form = {"media": (f"{MARK}.wav", recording())}, {"text": SAID, "voice": "true"}
        assert client.post(f"{path}/recordings", files=files, data=form).status_code == 200
        for read in ("/export", "/turns/0/trace.html", "/turns/0/speech.wav", "/turns/0/timeline.json"):
            assert client.get(path + read).status_code == 200
        client.post(f"{path}/turns/3/replay", json={"edits": ["forecast.emotion=angry"]})
    return session


def test_nothing_is_left_of_a_deleted_session(here: Served, machine: Path, reader: Remembering):
    stays, gone = here.session(title="This one stays"), use(here)
    assert "sessions.db" in {name.removesuffix("-wal") for name in traces_of(machine)} and reader.kept
    with here.client() as client:
        assert client.delete(f"/api/sessions/{gone}").status_code == 204
        assert traces_of(machine) == [] and traces_of(machine, gone) == [] and not reader.kept
        assert client.get(f"/api/sessions/{stays}").json()["title"] == "This one stays"
    assert list((machine / "data").rglob("sessions.db")), "the search looked in the wrong place"


def test_nothing_is_left_once_the_server_has_ended(machine: Path):
    with serving(machine, store="") as served:
        session = use(served)
        with served.client() as client:
            client.delete(f"/api/sessions/{session}")
    assert traces_of(machine) == []


def test_a_session_that_is_not_kept_never_comes_to_a_disk(here: Served, machine: Path):
    session = here.session(kept=False, title=MARK)
    with here.client() as client:
        client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
        assert traces_of(machine) == []
        client.delete(f"/api/sessions/{session}")
        assert client.get(f"/api/sessions/{session}").status_code == 404


def test_what_nobody_touched_for_so_long_is_gone_at_the_next_start(machine: Path, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        long_ago = (datetime.now(UTC) - timedelta(days=40)).isoformat(timespec="microseconds")
        patch.setattr("heartfelt.server.store.sessions.moment", lambda _when=None: long_ago)
        with serving(machine, store="") as served:
            use(served)
    assert traces_of(machine)
    with serving(machine, store="", keep_days=30) as served, served.client() as client:
        _until(lambda: client.get("/api/sessions").json() == [] and not traces_of(machine))


def test_a_database_that_was_used_for_long_keeps_nothing_between_its_pages(machine: Path):
    """Sessions come and go, and texts grow: freed pages and corners of pages are where copies stay behind."""
    with SessionStore.open(f"sqlite:///{machine}/long.db") as store:
        for round_ in range(12):
            session = store.create("ann", title=f"{MARK} {round_}").id
            for turn in range(8):
                held = {"worker": "w", "lease_until": 0.0}
                store.begin_turn(session, said=f"{MARK} " * (1 + 90 * turn), by="typed", **held)
                store.add_events(session, turn, [(False, f'"{MARK * (1 + 400 * turn)}"')])
                store.change_turn(session, turn, reply=f"{MARK} " * 50 * turn)
            store.delete(session, "ann")
            assert traces_of(machine) == []


def _until(done: Callable[[], bool]) -> None:
    import time

    for _ in range(100):
        if done():
            return
        time.sleep(0.05)
    raise AssertionError("it never came to be")
