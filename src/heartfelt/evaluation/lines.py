"""A file of records, one a line, that a killed process leaves whole: each line is on the disk before the next is begun."""

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Generic

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from heartfelt.errors import DamagedError, UsageError
from heartfelt.files import whole, writing
from heartfelt.records import Kind

saving = partial(
    writing,
    full="What was done is kept: make room and give the same command again.",
    refused="Make its folder writable, or use another.",
)
"""Says what a failing disk means for a command that goes on where it was stopped."""


class Lines(Generic[Kind]):
    def __init__(self, path: Path, kind: type[Kind] | TypeAdapter[Kind], *, writer: str = "process"):
        self.path, self._writer = path, writer
        self._kind = kind if isinstance(kind, TypeAdapter) else TypeAdapter(kind)

    def __iter__(self) -> Iterator[Kind]:
        return (record for _, record in self.read())

    def read(self) -> Iterator[tuple[bytes, Kind]]:
        """The lines as they are written, with their records. A last one without an end was being written at a kill."""
        for number, line in enumerate(whole_lines(self.path), 1):
            try:
                yield line, self._kind.validate_json(line)
            except ValidationError as error:
                raise DamagedError(
                    f"{self.path} is damaged: line {number} cannot be read ({error.errors()[0]['msg']}). "
                    "Mend that line, or delete it: what it held is then made again."
                ) from error

    @contextmanager
    def writing(self) -> "Generator[Pen[Kind], None, None]":
        """For changing the file, by one process at a time."""
        with ExitStack() as held:
            with saving(self.path):
                self._hold(held)
                with self.path.open("ab") as file:
                    file.truncate(sum(map(len, whole_lines(self.path))))
            yield Pen(self)

    def _hold(self, held: ExitStack) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            held.enter_context(FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=0))
        except Timeout:
            raise UsageError(
                f"Another {self._writer} is writing {self.path}. Wait for it to end, or use another folder."
            ) from None


class Pen(Generic[Kind]):
    def __init__(self, lines: Lines[Kind]):
        self._lines, self._path = lines, lines.path

    def add(self, record: Kind) -> None:
        """Whole and on the disk, or not at all."""
        line = record.model_dump_json().encode() + b"\n"
        with saving(self._path), self._path.open("ab", buffering=0) as file:
            end = file.tell()
            try:
                while line:
                    line = line[file.write(line) :]
                os.fsync(file.fileno())
            except OSError:
                file.truncate(end)
                raise

    def drop(self, unwanted: Callable[[Kind], bool]) -> None:
        """Take records out, so that they are made again."""
        with saving(self._path), whole(self._path) as draft:
            draft.write_bytes(b"".join(line for line, record in self._lines.read() if not unwanted(record)))


def whole_lines(path: Path) -> Iterator[bytes]:
    """Those that have an end; none where there is no file."""
    if path.is_file():
        with path.open("rb") as file:
            yield from (line for line in file if line.endswith(b"\n"))
