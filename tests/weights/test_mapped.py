"""Pages of a mapped file that nobody needs any more."""

import mmap
import os
from pathlib import Path

import pytest

from heartfelt.weights.mapped import LETS_GO, let_go

MB = 1 << 20


@pytest.mark.skipif(not LETS_GO, reason="only Linux tells where a file is mapped")
def test_what_is_let_go_is_out_of_memory_and_still_there_to_read(tmp_path: Path):
    file, link = tmp_path / "weights", tmp_path / "a link"
    content = os.urandom(4 * MB)
    file.write_bytes(content)
    link.symlink_to(file)
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as seen:
        assert seen[:] == content
        assert _resident(file) >= 4 * MB
        let_go(link)
        assert _resident(file) == 0
        assert seen[:] == content


@pytest.mark.skipif(not LETS_GO, reason="only Linux tells where a file is mapped")
def test_what_is_written_to_is_kept(tmp_path: Path):
    (file := tmp_path / "notes").write_bytes(bytes(MB))
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_COPY) as own:
        own[:5] = b"mine!"
        let_go(file)
        assert own[:5] == b"mine!"


def _resident(file: Path) -> int:
    found, mapped = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        first, *rest = line.split()
        if not first.endswith(":"):
            mapped = bool(rest) and rest[-1] == str(file)
        elif mapped and first == "Rss:":
            found += int(rest[0]) * 1024
    return found
