"""Runs a package client as a child process: watched while it works, and never outliving an interrupted parent."""

import errno
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

Tick = Callable[[int], None]
"""Told how many bytes have arrived so far."""

_POLL_SECONDS = 0.2
_NO_SPACE = ("No space left on device", "ENOSPC", "Disk quota exceeded", "EDQUOT")


class ChildFailed(Exception):
    """The child's exit was not 0; `output` is all that it said."""

    def __init__(self, output: str):
        super().__init__(output)
        self.output = output


def run(command: Sequence[str], folder: Path, tick: Tick) -> None:
    """Run the command with its temporary files inside the folder, so that the folder's growth is the progress.

    Raises ChildFailed, or the OSError of a full disk where the child's own words tell of one.
    """
    scratch = folder / "tmp"
    scratch.mkdir(parents=True, exist_ok=True)
    environment = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
    # A file takes the output and not a pipe: a pipe that nobody reads would fill up and stop the child.
    with tempfile.TemporaryFile(dir=folder) as log:
        code = _watch(command, environment, log, lambda: tick(folder_size(folder)))
        log.seek(0)
        output = log.read().decode(errors="replace")
    if code == 0:
        return
    if any(words in output for words in _NO_SPACE):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    raise ChildFailed(output)


def folder_size(folder: Path) -> int:
    """The bytes of all files below. Files may vanish while we look, as the client moves them about."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118 - a Path for each would triple the cost
            except FileNotFoundError:
                continue
    return total


def _watch(command: Sequence[str], environment: dict[str, str], log: IO[bytes], look: Callable[[], None]) -> int:
    child = _start(command, environment, log)
    try:
        while True:
            try:
                return child.wait(_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                look()
    finally:
        _end(child)


def _start(command: Sequence[str], environment: dict[str, str], log: IO[bytes]) -> subprocess.Popen[bytes]:
    # Its own session makes the client and its own children one group, so that all of them can be ended together.
    try:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True
        )
    except OSError as error:  # not a fault of the store's disk, which is what an OSError means further up
        raise ChildFailed(f"{command[0]} cannot be started: {error}") from error


def _end(child: subprocess.Popen[bytes]) -> None:
    """A child that still runs was interrupted: nobody waits for its result, so it gets no time to say goodbye."""
    if child.poll() is not None:
        return
    if os.name == "nt":
        child.kill()
    else:
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
