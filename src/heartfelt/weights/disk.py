"""Where the store lies, whether there is room, and what a failing disk means for the user."""

import errno
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_cache_dir

from heartfelt.errors import DiskFullError, StoreError

_FULL = {errno.ENOSPC, errno.EDQUOT}


def default_root() -> Path:
    """`$HEARTFELT_HOME/weights`, else the user's cache folder: weights can always be fetched again."""
    home = os.environ.get("HEARTFELT_HOME")
    return (Path(home).expanduser() if home else Path(user_cache_dir("heartfelt"))) / "weights"


def require_room(root: Path, need: int, task: str, without: str | None = None) -> None:
    """Better to say so now than after ten minutes of downloading. `without` is how to go on where there is no room."""
    if free_bytes(root) < need:
        raise _full(root, need, task, without)


@contextmanager
def explained(root: Path, need: int, task: str, without: str | None = None) -> Generator[None, None, None]:
    """Turns the errors of the disk into ones that say what to do. `need` is what the whole task takes in bytes."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise _full(root, need, task, without) from error
        raise StoreError(
            f"{task}: cannot write below {root} ({error}). Make it writable, or set HEARTFELT_HOME to a folder that is."
        ) from error


def free_bytes(root: Path) -> int:
    """The free space where the root is or will be."""
    place = root
    while not place.exists() and place != place.parent:
        place = place.parent
    return shutil.disk_usage(place).free


def megabytes(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"


def _full(root: Path, need: int, task: str, without: str | None) -> DiskFullError:
    return DiskFullError(
        f"{task} needs about {megabytes(need)} below {root}, where {megabytes(free_bytes(root))} are free. "
        "Free some space, or set HEARTFELT_HOME to a folder on a larger disk, then run the same command again."
        + (f" Or {without}" if without else "")
    )
