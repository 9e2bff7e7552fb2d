"""Reading the files of a corpus piece by piece: lines, cells and items of a JSON list, plain or gzipped."""

import codecs
import csv
import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from heartfelt.datasets.notes import DatasetNotes
from heartfelt.errors import InputError

CHUNK = 1 << 16
AGAIN = "It may be half-downloaded: fetch it again."
_END, _CUT = object(), object()


def lines(path: Path, notes: DatasetNotes) -> Iterator[tuple[int, str]]:
    """The lines and their numbers. Each is UTF-8 or, alone, Windows-1252, for people mend single rows with other tools.

    Only line feeds and carriage returns end a line: `splitlines` would also cut at odd separators that people's texts hold.
    """
    number = 0
    for raw in _raw_lines(path):
        for piece in raw.rstrip(b"\r\n").split(b"\r"):
            number += 1
            yield number, _decoded(piece.removeprefix(b"\xef\xbb\xbf") if number == 1 else piece, path, number, notes)


def first_line(path: Path) -> str:
    """Empty where there is none or the file cannot be read."""
    try:
        return next(lines(path, DatasetNotes()), (1, ""))[1]
    except InputError:
        return ""


def cells(line: str) -> list[str]:
    """One line is one row in these corpora, so an unbalanced quote spoils no more than its own row."""
    try:
        return next(csv.reader([line]), [])
    except csv.Error:  # such as a cell of more than 128 KiB
        return []


def json_items(path: Path, notes: DatasetNotes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON list or of JSON lines, from 0, without holding the whole file."""
    if suffix(path) in (".jsonl", ".txt"):
        yield from _json_lines(path, notes)
    else:
        yield from _json_list(path, notes)


def suffix(path: Path) -> str:
    """Without the compression: `.csv` for `train.csv.gz`."""
    suffixes = [each.casefold() for each in path.suffixes if each.casefold() != ".gz"]
    return suffixes[-1] if suffixes else ""


def split_of(path: Path, known: dict[str, str]) -> str:
    """What a file's name says of its split; empty where it says nothing."""
    words = re.split(r"[^a-z]+", path.name.casefold())
    return next((split for name, split in known.items() if name in words), "")


def files_below(folder: Path, *suffixes: str, depth: int = 3) -> list[Path]:
    """Files of these kinds, those near the top first. Hidden ones, and what Macs leave behind, are passed over."""
    found = [path for path in _walk(folder, depth) if path.is_file() and suffix(path) in suffixes]
    return sorted(found, key=lambda path: (len(path.parts), str(path)))


def folders_named(folder: Path, name: str, depth: int = 3) -> list[Path]:
    """The folder itself where it has that name, and those below it that have."""
    below = [path for level in range(depth) for path in folder.glob("*/" * level + name) if path.is_dir()]
    return ([folder] if folder.match(name) else []) + sorted(below)


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name.startswith("."):
            continue
        yield path
        if depth > 1 and path.is_dir():
            yield from _walk(path, depth - 1)


def _json_lines(path: Path, notes: DatasetNotes) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in lines(path, notes):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            notes.add("row", f"{path.name}:{number}", f"not JSON ({error})")
            continue
        if isinstance(item, dict):
            yield number - 1, cast(dict[str, Any], item)
        else:
            notes.add("row", f"{path.name}:{number}", "not an object")


def _json_list(path: Path, notes: DatasetNotes) -> Iterator[tuple[int, dict[str, Any]]]:
    decoder, chunks = json.JSONDecoder(), _text_chunks(path)
    rest = next(chunks, "").lstrip(" \t\r\n\ufeff")
    if not rest.startswith("["):
        raise InputError(f"{path} is not a JSON list. Give the file as it was published.")
    rest, number = rest[1:], 0
    while True:
        item, rest = _next_item(decoder, rest, chunks)
        if item is _END:
            return
        if item is _CUT:
            raise InputError(f"{path} ends in the middle of item {number}, or is broken there. {AGAIN}")
        if isinstance(item, dict):
            yield number, cast(dict[str, Any], item)
        else:
            notes.add("row", f"{path.name}, item {number}", "not an object")
        number += 1


def _next_item(decoder: json.JSONDecoder, rest: str, chunks: Iterator[str]) -> tuple[Any, str]:
    """The first value of a text, and what stands after it. Reads on, twice as much each time, until it is whole."""
    want = CHUNK
    while True:
        rest = rest.lstrip(" \t\r\n,")
        if rest.startswith("]"):
            return _END, ""
        try:
            item, end = decoder.raw_decode(rest)
            return item, rest[end:]
        except (ValueError, RecursionError):
            more = _read_on(chunks, want)
            if not more:
                return _CUT, rest
            rest, want = rest + more, want * 2


def _read_on(chunks: Iterator[str], want: int) -> str:
    found: list[str] = []
    size = 0
    while size < want and (chunk := next(chunks, "")):
        found.append(chunk)
        size += len(chunk)
    return "".join(found)


def _text_chunks(path: Path) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    try:
        with _open(path) as file:
            while chunk := file.read(CHUNK):
                yield decoder.decode(chunk)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read ({error}). {AGAIN}") from None


def _raw_lines(path: Path) -> Iterator[bytes]:
    try:
        with _open(path) as file:
            yield from file
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read ({error}). {AGAIN}") from None


def _open(path: Path) -> BinaryIO:
    return cast(BinaryIO, gzip.open(path, "rb")) if path.suffix.casefold() == ".gz" else path.open("rb")


def _decoded(raw: bytes, path: Path, number: int, notes: DatasetNotes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        if number == 1 and raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise InputError(f"{path} is UTF-16. Save it as UTF-8.") from None
        notes.add("encoding", f"{path.name}:{number}", f"byte {error.start}")
        return raw.decode("cp1252", errors="replace")  # a few bytes mean nothing in it; they must not cost the file
