"""What all tests share."""

import os
import signal

import pytest
from hypothesis import settings

from heartfelt.safety.detect.double import ScriptedReader

# The large model is slow to load and takes a gigabyte: only tests that open it by name wait for it.
os.environ["HEARTFELT_EMBEDDED"] = "small"

# Tests assert behaviour, not seconds: a busy machine fails none.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# A shell that starts a command in the background lets it ignore interrupts, and everything that it starts as well. The tests
# that interrupt a turn would then wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _reads_nothing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader of danger is a model of its own: only tests that say so wait for the real one."""
    if not request.node.get_closest_marker("reader"):
        monkeypatch.setattr("heartfelt.listener.open_reader", lambda _address: ScriptedReader(acts={"I'm safe": "safe"}))
