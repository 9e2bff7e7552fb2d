"""Space beside a SQLite file that is given up when the disk is full: to delete something, the database has to write."""

from contextlib import suppress
from pathlib import Path

_BYTES = 8 * 1024 * 1024


class Reserve:
    def __init__(self, beside: Path | None):
        """None: a database that is no file needs none."""
        self._path = None if beside is None else beside.with_name(f".{beside.name}.reserve")

    def keep(self) -> None:
        """Where there is room for it; without it, everything else works."""
        if self._path is None or self._path.exists():
            return
        with suppress(OSError):
            self._fill(self._path)

    def release(self) -> bool:
        """Whether there was something to give up."""
        if self._path is None or not self._path.exists():
            return False
        self._path.unlink(missing_ok=True)
        return True

    def _fill(self, path: Path) -> None:
        path.touch(mode=0o600)
        try:
            path.write_bytes(bytes(_BYTES))
        except OSError:
            path.unlink(missing_ok=True)
            raise
