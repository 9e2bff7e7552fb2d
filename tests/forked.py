"""The command line without the wait for its imports: a process that has loaded it forks for every command.

Each command is still a process of its own, with its own folder, environment, input, output and exit code; what only a process
that starts from nothing can show is tested with one that does.
"""

import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

COMMAND = Path(sys.executable).with_name("heartfelt")


class Forking:
    """The process that forks, seen from the tests. It ends with them."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(
        self, arguments: list[str], *, said: bytes, cwd: Path, env: dict[str, str], seconds: float
    ) -> subprocess.CompletedProcess[str]:
        assert self._process.stdin and self._process.stdout
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder, name) for name in ("in", "out", "err")]
            files[0].write_bytes(said)
            asked = {"arguments": arguments, "cwd": str(cwd), "env": env, "files": [*map(str, files)], "seconds": seconds}
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
            code = int(self._process.stdout.readline())
            return subprocess.CompletedProcess(arguments, code, files[1].read_text("utf-8"), files[2].read_text("utf-8"))

    def close(self) -> None:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(10)


def _serve() -> None:
    import heartfelt.cli
    import heartfelt.listener

    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            asked: dict[str, Any] = json.loads(line)
            _become(asked)
            heartfelt.cli.main()
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _become(asked: dict[str, Any]) -> None:
    """The process that was asked for. Where it takes too long, the system ends it."""
    import signal

    given, out, err = asked["files"]
    for number, (path, flags) in enumerate(((given, os.O_RDONLY), *((path, os.O_WRONLY | os.O_CREAT) for path in (out, err)))):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0)), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w")), encoding="utf-8")
    sys.stderr = io.TextIOWrapper(io.BufferedWriter(io.FileIO(2, "w")), "utf-8", "backslashreplace", line_buffering=True)
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    sys.argv = [str(COMMAND), *asked["arguments"]]
    signal.alarm(round(asked["seconds"]))


if __name__ == "__main__":
    _serve()
