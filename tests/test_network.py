"""Nothing leaves the machine: traced as the system sees it, every connection goes to the machine itself."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from heartfelt.weights.disk import default_root

pytestmark = [pytest.mark.embedded, pytest.mark.xdist_group("drawing")]

HEARTFELT = str(Path(sys.executable).with_name("heartfelt"))
SAMPLES = Path(__file__).parent.parent / "samples"
SAID = "I failed my exam again."
_OWN = re.compile(r'inet_addr\("127\.|inet_pton\(AF_INET6, "::1"|AF_UNIX|AF_NETLINK|AF_UNSPEC')
SERVED = """
import tempfile
from starlette.testclient import TestClient
from heartfelt.server.app import create_app
from heartfelt.server.settings import ServerSettings

with tempfile.TemporaryDirectory() as folder:
    settings = ServerSettings(models=("embedded:small",), voice="hum:", memory="none", store=f"sqlite:///{folder}/sessions.db")
    with TestClient(create_app(settings), headers={"authorization": "Bearer me"}) as client:
        session = client.post("/api/sessions", json={}).raise_for_status().json()["id"]
        turn = client.post(f"/api/sessions/{session}/messages", json={"text": "I failed my exam again."}).raise_for_status()
        assert turn.json()["reply"]
"""
TELEMETRY = """
import onnxruntime
from onnx import TensorProto, helper

given = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy"]
graph = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "one", given[:1], given[1:])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
onnxruntime.InferenceSession(model.SerializeToString())
"""


class Traced:
    """A command under a tracer, with a home and a cache of its own in which only the store of weights is known."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.cache = folder / "cache"
        self.cache.mkdir()
        # as on a person's own machine: on a build server, which they tell by its variables, dependencies keep quiet
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder / "home"),
            "XDG_CACHE_HOME": str(self.cache),
            "HEARTFELT_HOME": str(default_root().parent),
            "HEARTFELT_EMBEDDED": "small",
        }

    def run(self, *command: str, said: str = "") -> None:
        log = self.folder / "calls"
        tracer = ["strace", "--seccomp-bpf", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", str(log)]
        done = subprocess.run(
            [*tracer, *command], input=said, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=600
        )
        assert done.returncode == 0, done.stderr
        self.calls = [line for line in log.read_text().splitlines() if "sa_family" in line and not _OWN.search(line)]

    @property
    def strange(self) -> list[str]:
        """Files that somebody else than Heartfelt wrote to the home or to the cache."""
        places = (self.cache, self.folder / "home")
        return [str(path) for place in places for path in place.rglob("*") if path.is_file() and "heartfelt" not in str(path)]


@pytest.fixture
def traced(tmp_path: Path) -> Traced:
    assert shutil.which("strace"), "this test needs strace, which `make test` brings"
    return Traced(tmp_path)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ((HEARTFELT, "respond", SAID), ""),
        pytest.param((HEARTFELT, "chat"), f"{SAID}\n", marks=pytest.mark.slow),
        pytest.param((HEARTFELT, "sense", str(SAMPLES / "talk.mp4")), "", marks=pytest.mark.slow),
        pytest.param((HEARTFELT, "speak", "I hear you.", "--out", "a.wav"), "", marks=pytest.mark.slow),
        ((sys.executable, "-c", SERVED), ""),
    ],
    ids=["respond", "chat", "sense", "speak", "serve"],
)
def test_nothing_goes_over_the_network(traced: Traced, command: tuple[str, ...], said: str):
    traced.run(*command, said=said)
    assert traced.calls == [] and traced.strange == []


def test_the_trace_would_show_a_dependency_that_reports_home(traced: Traced):
    """The runtime of the networks does, where nobody tells it not to: so the test above means something."""
    traced.run(sys.executable, "-c", TELEMETRY)
    assert traced.calls or traced.strange
