"""The real `huggingface_hub`, in its own process as in use: offline, on its own cache, and against a stand-in hub."""

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from heartfelt.errors import FetchError
from heartfelt.weights import FolderHub, HuggingFaceHub
from heartfelt.weights.hub import hub_reason

from .conftest import WEIGHTS
from .test_child import alive

pytest.importorskip("huggingface_hub")
COMMIT = "0123456789abcdef0123456789abcdef01234567"


class OneFile(BaseHTTPRequestHandler):
    """A hub with one file in one repository."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer(b"")

    def do_GET(self) -> None:
        self._answer(WEIGHTS)

    def _answer(self, body: bytes) -> None:
        here = self.path.endswith("/owner/big/resolve/main/big.bin") or self.path.endswith(f"/resolve/{COMMIT}/big.bin")
        self.send_response(200 if here else 404)
        self.send_header("Content-Length", str(len(WEIGHTS) if here else 0))
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("ETag", f'"{hashlib.sha256(WEIGHTS).hexdigest()}"')
        if not here:
            self.send_header("X-Error-Code", "EntryNotFound")
        self.end_headers()
        self.wfile.write(body if here else b"")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        pass


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Nothing of this machine's settings, and no way out but to the stand-in."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    for name in ("HF_HUB_CACHE", "HF_ENDPOINT", "HF_TOKEN", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), OneFile)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.delenv("HF_HUB_OFFLINE")
    yield
    server.shutdown()
    thread.join()
    server.server_close()


def ask(folder: Path, filename: str = "big.bin") -> Path:
    return HuggingFaceHub().download("owner/big", filename, folder, lambda _: None)


def test_the_endpoint_of_the_user_is_asked_and_its_cache_gets_no_copy(endpoint: None, tmp_path: Path):
    path = ask(tmp_path / "work")
    assert path == tmp_path / "work" / "big.bin"
    assert path.read_bytes() == WEIGHTS
    assert not [found for found in (tmp_path / "hf").rglob("*") if found.is_file() and found.stat().st_size > 10_000]


def test_a_file_that_the_hub_does_not_have(endpoint: None, tmp_path: Path):
    with pytest.raises(FetchError, match=r"could not bring other\.bin of owner/big: .*404.*HF_ENDPOINT") as caught:
        ask(tmp_path / "work", "other.bin")
    assert "\n" not in str(caught.value)


def test_offline_says_so_at_once(tmp_path: Path):
    with pytest.raises(FetchError, match=r"owner/big: .*offline mode is enabled.*run the same command again"):
        ask(tmp_path / "work")


def test_what_the_hubs_own_cache_has_is_used_even_offline(tmp_path: Path):
    cached = tmp_path / "hf" / "hub" / "models--owner--big"
    (cached / "refs").mkdir(parents=True)
    (cached / "refs" / "main").write_text(COMMIT)
    (cached / "snapshots" / COMMIT).mkdir(parents=True)
    (cached / "snapshots" / COMMIT / "big.bin").write_bytes(WEIGHTS)
    assert ask(tmp_path / "work") == cached / "snapshots" / COMMIT / "big.bin"


def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(FetchError, match=r"not installed.*pip install huggingface_hub"):
        ask(tmp_path)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks into /proc")
def test_no_download_outlives_a_killed_parent(tmp_path: Path):
    slow = """
import os, pathlib, time
def try_to_load_from_cache(*_): pass
def hf_hub_download(*_, local_dir):
    pathlib.Path(local_dir, "draft").write_text(str(os.getpid()))
    pathlib.Path(local_dir, "draft").rename(pathlib.Path(local_dir, "pid"))
    time.sleep(60)
"""
    (tmp_path / "huggingface_hub.py").write_text(slow)
    pull = "import sys, pathlib, heartfelt.weights as w; w.HuggingFaceHub().download('a/b', 'c', pathlib.Path(sys.argv[1]), id)"
    paths = os.pathsep.join([str(tmp_path), *sys.path])
    parent = subprocess.Popen([sys.executable, "-c", pull, str(tmp_path)], env={**os.environ, "PYTHONPATH": paths})
    within(30, (tmp_path / "pid").exists)
    parent.kill()
    parent.wait()
    within(5, lambda: not alive(int((tmp_path / "pid").read_text())))


def within(seconds: float, so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + seconds
    while not so():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(("output", "reason"), [("warning\n\nKilled\n", "Killed"), ("", "it said nothing")])
def test_the_telling_line(output: str, reason: str):
    assert hub_reason(output) == reason


def test_the_folder_hub_says_where_it_looked(tmp_path: Path):
    with pytest.raises(FetchError, match=re.escape(f"Copy it to {tmp_path}/owner/big/big.bin")):
        FolderHub(tmp_path).download("owner/big", "big.bin", tmp_path, lambda _: None)
