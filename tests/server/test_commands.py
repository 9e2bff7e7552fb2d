"""The operator's commands on a server's database: forget and export; and those who may come in."""

import json
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from heartfelt.cli import app
from heartfelt.errors import UsageError
from heartfelt.server import tokens
from heartfelt.server.store import NoSuchSession, SessionStore

SAID = "I failed my driving test today, and my father laughed at me."


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'kept' / 'sessions.db'}"


@pytest.fixture
def sessions(url: str) -> list[str]:
    """Three, of two people."""
    with SessionStore.open(url) as store:
        made = [store.create(owner, title=f"of {owner}").id for owner in ("ann", "ann", "bob")]
        for session in made:
            store.begin_turn(session, said=f"{SAID} {session}", by="typed", worker="w", lease_until=0.0)
            store.add_events(session, 0, [(False, json.dumps({"said": SAID}))])
    return made


def run(*command: str) -> Result:
    """What the command does, or what it says is wrong."""
    done = CliRunner().invoke(app, command, standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done


def left(url: str) -> set[str]:
    with SessionStore.open(url) as store:
        return {line.id for owner in ("ann", "bob") for line in store.list(owner)}


def test_one_session_is_forgotten_whole(url: str, sessions: list[str], tmp_path: Path):
    assert "1 session is forgotten" in run("forget", "--session", sessions[0], "--store", url).output
    assert left(url) == set(sessions[1:])
    assert not any(sessions[0].encode() in path.read_bytes() for path in (tmp_path / "kept").iterdir())
    with pytest.raises(NoSuchSession):
        run("forget", "--session", sessions[0], "--store", url)


def test_everything_is_forgotten(url: str, sessions: list[str], tmp_path: Path):
    assert "0 sessions are forgotten" in run("forget", "--older-than", "1", "--store", url).output
    assert left(url) == set(sessions)
    assert "3 sessions are forgotten" in run("forget", "--all", "--store", url).output
    assert left(url) == set() and not any(SAID.encode() in path.read_bytes() for path in (tmp_path / "kept").iterdir())


def test_what_is_old_is_forgotten(url: str, sessions: list[str]):
    assert "3 sessions are forgotten" in run("forget", "--older-than", "0", "--store", url).output


@pytest.mark.parametrize("options", [[], ["--all", "--older-than", "3"], ["--session", "x", "--all"]])
def test_what_to_forget_has_to_be_said(url: str, options: list[str]):
    with pytest.raises(UsageError, match="Say what to forget"):
        run("forget", *options, "--store", url)


def test_a_session_is_exported_as_it_is_or_redacted(url: str, tmp_path: Path):
    with SessionStore.open(url) as store:
        session = store.create("ann").id
        said = "Write to maria.lopez@example.org or call 030 1234567, she knows."
        store.begin_turn(session, said=said, by="typed", worker="w", lease_until=0.0)
    raw, redacted = tmp_path / "out" / "raw.json", tmp_path / "out" / "redacted.json"
    run("export", session, "--out", str(raw), "--raw", "--store", url)
    run("export", session, "--out", str(redacted), "--store", url)
    assert json.loads(raw.read_text())["conversation"][0]["said"] == said
    assert json.loads(redacted.read_text())["id"] == session
    assert "maria.lopez@example.org" not in redacted.read_text() and "1234567" not in redacted.read_text()
    assert "she knows" in redacted.read_text()
    assert stat.S_IMODE(raw.stat().st_mode) == 0o600
    run("export", session, "--out", str(tmp_path / "talk.html"), "--store", url)
    assert "she knows" in (page := (tmp_path / "talk.html").read_text()) and "1234567" not in page
    with pytest.raises(NoSuchSession):
        run("export", "nothing", "--out", str(raw), "--store", url)


def test_tokens_are_added_listed_and_removed(tmp_path: Path):
    file = tmp_path / "tokens.toml"
    token = run("token", "add", "ana", "--file", str(file)).stdout.split()[0]
    assert tokens.TokenFile(file).name_of(token) == "ana"
    assert run("token", "list", "--file", str(file)).stdout.split() == ["ana"]
    run("token", "remove", "ana", "--file", str(file))
    assert run("token", "list", "--file", str(file)).stdout.split() == []


@pytest.mark.parametrize("address", ["memory", "mysql://db/heartfelt"])
def test_a_server_says_at_once_what_is_wrong_with_its_store(address: str):
    with pytest.raises(UsageError, match="Write sqlite:///PATH or postgresql://"):
        run("serve", "--store", address, "--no-senses", "--voice", "none")
