"""Files that are mapped into memory: what of them was only read to be copied goes back to the system."""

import ctypes
import sys
from pathlib import Path

LETS_GO = sys.platform == "linux"
"""Whether it can be told where a file is mapped, and that its pages are not needed."""
_DONT_NEED = 4


def let_go(file: Path) -> None:
    """The pages of `file`, wherever this process has mapped it to read. Whoever needs one again gets it from the file."""
    if not LETS_GO:
        return
    system, mapped = ctypes.CDLL(None), str(file.resolve())
    for line in Path("/proc/self/maps").read_text(errors="replace").splitlines():
        span, rights, *_, name = line.split(maxsplit=5)
        if name == mapped and "w" not in rights:
            start, end = (int(place, 16) for place in span.split("-"))
            system.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), _DONT_NEED)
