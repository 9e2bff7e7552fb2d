"""A file that only grows, one record a line: killed at any moment, it holds every whole line and is gone on with."""

import os
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from errno import ENOSPC
from io import FileIO
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout
from pydantic import ValidationError

from heartfelt.errors import DamagedError, DiskFullError, UsageError
from heartfelt.records import Record

Kind = TypeVar("Kind", bound=Record)


class Lines:
    """Open for writing. Each record is on the disk before the next one is made."""

    def __init__(self, path: Path, file: FileIO):
        self._path, self._file = path, file

    def add(self, record: Record) -> None:
        """Whole, or not at all."""
        at, data = self._file.seek(0, os.SEEK_END), record.model_dump_json(exclude_defaults=True).encode() + b"\n"
        try:
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._file.truncate(at)
            raise _told(error, self._path) from error


@contextmanager
def writing(path: Path) -> Generator[Lines, None, None]:
    """By one process at a time. A line that was cut off by a kill is taken away first."""
    try:
        with ExitStack() as held:
            file = held.enter_context(_opened(path, held))
            yield Lines(path, file)
    except Timeout:
        raise UsageError(f"Another process is writing into {path}. Wait for it to end, or end it.") from None


def _opened(path: Path, held: ExitStack) -> FileIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held.enter_context(FileLock(path.with_name(f".{path.name}.lock"), timeout=0))
        file = path.open("ab+", buffering=0)
    except (PermissionError, NotADirectoryError, IsADirectoryError, FileExistsError) as error:
        raise _told(error, path) from error
    _mend(file)
    return file


def lines(path: Path) -> Iterator[str]:
    """The whole lines; none where there is no file."""
    if not path.is_file():
        return
    with path.open(encoding="utf-8", newline="\n") as file:
        yield from (line for line in file if line.endswith("\n"))


def record(kind: type[Kind], line: str, path: Path) -> Kind:
    try:
        return kind.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        raise DamagedError(f"{path} has a line that cannot be read: {first['msg']}. Mend the line, or delete it.") from error


def _mend(file: FileIO) -> None:
    end = file.seek(0, os.SEEK_END)
    while end and (file.seek(end - 1), file.read(1))[1] != b"\n":
        end -= 1
    file.truncate(end)


def _told(error: OSError, path: Path) -> Exception:
    if error.errno == ENOSPC:
        return DiskFullError(
            f"There is no space left for {path}. What was written is kept: make room and give the same command again."
        )
    if isinstance(error, PermissionError | NotADirectoryError | IsADirectoryError | FileExistsError):
        return UsageError(f"{path} cannot be written: {error.strerror}. Make the folder of the run writable.")
    return error
