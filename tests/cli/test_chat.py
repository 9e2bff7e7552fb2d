"""`heartfelt chat` over a pipe and on a terminal."""

import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest

from scripts import REPLY

from .conftest import COMMAND, SAID, Run, Script, environment


@pytest.fixture
def address(script: Script) -> str:
    return script(respond=[REPLY, "Would you like to talk about it?"])


def test_every_command_of_a_conversation(run: Run, address: str, tmp_path: Path):
    lines = [SAID, "/why", "/page talk.html", "/recipe direct", "Yes, please.", "/new", "/nonsense", "/", "/help", "/quit", "x"]
    done = run("chat", "-r", "reflective", "-m", address, "--memory", "none", said="\n".join(lines))
    assert done.returncode == 0 and done.stdout.startswith(f"{REPLY}\n")
    assert "✓ forecast   ashamed" in done.stdout, "/why tells the steps"
    assert REPLY in (tmp_path / "talk.html").read_text("utf-8") and "Wrote talk.html" in done.stderr
    assert "There is no command '/nonsense'. /why" in done.stderr and "There is no command '/'." in done.stderr
    assert done.stdout.count(REPLY) == 4, "the reply, /why twice over, and a listener that was opened again"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("/recipe", "There is no recipe ''."),
        ("/recipe nonsense", "There is no recipe 'nonsense'."),
        ("/why", "The trace is empty."),
        ("/page", "The trace is empty."),
        ("a\x07b", "What you said holds a control character"),
        ("x" * 30_000, "What you said has 30,000 characters"),
    ],
    ids=lambda value: value[:12],
)
def test_a_mistake_does_not_end_the_talk(run: Run, address: str, line: str, message: str):
    done = run("chat", "-r", "direct", "-m", address, said=f"{line}\n{SAID}\n")
    assert done.returncode == 0 and message in done.stderr and done.stdout == f"{REPLY}\n"


def test_a_page_that_cannot_be_written_does_not_end_the_talk(run: Run, address: str):
    done = run("chat", "-r", "direct", "-m", address, said=f"{SAID}\n/page /proc/no/page.html\nAnd now?\n")
    assert done.returncode == 0 and "/proc/no/page.html cannot be written" in done.stderr and "talk about it" in done.stdout


def test_a_wrong_encoding_is_one_message(run: Run, address: str):
    env = {"PYTHONIOENCODING": "utf-8:strict"}
    done = run("chat", "-r", "direct", "-m", address, said="müde\n".encode("latin-1"), env=env)
    assert done.returncode == 2 and "heartfelt: What was typed is not UTF-8 text." in done.stderr


def test_an_interrupt_at_the_prompt_ends_the_talk_at_once(address: str, tmp_path: Path):
    terminal, ours = pty.openpty()
    with subprocess.Popen(
        [COMMAND, "chat", "-r", "direct", "-m", address],
        stdin=ours,
        stdout=ours,
        stderr=ours,
        cwd=tmp_path,
        env=environment(),
        start_new_session=True,
    ) as chat:
        os.close(ours)
        seen, deadline = b"", time.monotonic() + 60
        while "›".encode() not in seen:
            assert time.monotonic() < deadline, seen
            seen += os.read(terminal, 4096)
        chat.send_signal(signal.SIGINT)
        assert chat.wait(timeout=10) == 130
    os.close(terminal)
