"""A file of records, one a line, that a killed process leaves whole: each line is on the disk before the next is begun."""

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path
from typing import BinaryIO, Generic, TypeVar

from filelock import FileLock, Timeout
from pydantic import ValidationError

from heartfelt.errors import DamagedError, DiskFullError, UsageError
from heartfelt.records import Record

Kind = TypeVar("Kind", bound=Record)


class Lines(Generic[Kind]):
    def __init__(self, path: Path, kind: type[Kind]):
        self.path, self._kind = path, kind

    def __iter__(self) -> Iterator[Kind]:
        """The records so far. A last line without an end was being written when the process stopped: it is left out."""
        if not self.path.is_file():
            return
        with self.path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if line.endswith("\n"):
                    yield self._read(line, number)

    @contextmanager
    def writing(self) -> "Generator[Pen[Kind], None, None]":
        """For adding records, by one process at a time."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with (
                FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=0),
                self.path.open("ab+", buffering=0) as file,
            ):
                _cut_torn_line(file)
                yield Pen(file)
        except Timeout:
            raise UsageError(f"Another process is writing {self.path}. Wait for it, or use another folder.") from None
        except OSError as error:
            raise self._failure(error) from error

    def _read(self, line: str, number: int) -> Kind:
        try:
            return self._kind.model_validate_json(line)
        except ValidationError as error:
            raise DamagedError(
                f"{self.path} is damaged in line {number}: {error.errors()[0]['msg']}. Delete that line: it is then made again."
            ) from error

    def _failure(self, error: OSError) -> Exception:
        if error.errno == ENOSPC:
            return DiskFullError(f"There is no space left for {self.path}. Make room and give the same command again.")
        if isinstance(error, PermissionError | NotADirectoryError | IsADirectoryError | FileExistsError):
            return UsageError(f"{self.path} cannot be written: {error.strerror}. Use another folder.")
        return error


class Pen(Generic[Kind]):
    def __init__(self, file: BinaryIO):
        self._file = file

    def add(self, record: Kind) -> None:
        """Whole and on the disk, or not at all."""
        at, data = self._file.seek(0, os.SEEK_END), record.model_dump_json().encode() + b"\n"
        try:
            while data:
                data = data[self._file.write(data) :]
            os.fsync(self._file.fileno())
        except OSError:
            self._file.truncate(at)
            raise


def _cut_torn_line(file: BinaryIO) -> None:
    end = file.seek(0, os.SEEK_END)
    while end:
        file.seek(end - 1)
        if file.read(1) == b"\n":
            break
        end -= 1
    file.truncate(end)
