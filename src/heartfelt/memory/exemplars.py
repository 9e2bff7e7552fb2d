"""The shelf of exemplars: exchanges that went well, found by meaning and emotion.

Search is TRACE's (arXiv 2509.21849), with the threshold that its code forgot: first the precise ones, of the same
emotion and more similar than τ; then the fuzzy ones, more similar than τ alone, until there are k.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from heartfelt.memory.embed import DIMENSIONS, Embedder, Vectors
from heartfelt.memory.guard import Guard
from heartfelt.memory.shelf import open_finished, open_shelf, transaction
from heartfelt.records import Exemplar

# Rows are read from the file a few at a time: the guard seldom refuses the first ones.
_PEEK = 16
# Below what float32 can tell apart in a sum of 384 products: equal texts get equal similarities, whatever the hardware.
_DECIMALS = 5


class Memory(Protocol):
    def search(
        self, query: str, *, emotion: str | frozenset[str] | None, k: int, threshold: float, guard: Guard = Guard()
    ) -> tuple[Exemplar, ...]:
        """Up to k exemplars more similar than the threshold, those of the same emotion first.

        Several labels stand for one emotion where the asker's label set is coarser than the memory's.
        """
        ...

    def add(self, exemplars: Iterable[Exemplar]) -> int:
        """Remember what is not remembered yet, all of it or nothing; says how many were new."""
        ...

    def count(self) -> int: ...


class _Column(NamedTuple):
    """A text for each row, kept as a number each: a question is asked once for each different text."""

    names: tuple[str, ...]
    codes: NDArray[np.intp]

    @classmethod
    def of(cls, texts: list[str]) -> Self:
        names = {name: code for code, name in enumerate(dict.fromkeys(texts))}
        return cls(tuple(names), np.array([names[text] for text in texts], np.intp))

    def where(self, accepts: Callable[[str], bool]) -> NDArray[np.bool_]:
        return np.array([accepts(name) for name in self.names], bool)[self.codes]


class _Index(NamedTuple):
    """What a search reads, kept in memory. Row i of each belongs together; ids rise."""

    ids: NDArray[np.int64]
    vectors: Vectors
    emotions: _Column
    splits: _Column
    version: int
    """SQLite's count of changes by others at the time of reading."""


class ExemplarStore:
    """A memory in one SQLite file, or in `:memory:`. Safe to share between threads, and between processes."""

    def __init__(self, path: Path | str, embedder: Embedder):
        self._open(open_shelf(path, embedder.name), embedder)

    @classmethod
    def finished(cls, path: Path, embedder: Embedder) -> Self:
        """A memory that nobody changes any more, opened to be read only."""
        store = cls.__new__(cls)
        store._open(open_finished(path, embedder.name), embedder)
        return store

    def _open(self, connection: sqlite3.Connection, embedder: Embedder) -> None:
        self._connection, self._embedder = connection, embedder
        self._lock = threading.RLock()
        self._index: _Index | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def count(self) -> int:
        with self._lock:
            return int(self._connection.execute("SELECT count(*) FROM exemplar").fetchone()[0])

    def add(self, exemplars: Iterable[Exemplar]) -> int:
        """One transaction. What is known already, by situation and reply, is neither stored nor embedded again."""
        fresh = self._unknown(exemplars)
        if not fresh:
            return 0
        vectors = self._embedder.embed([exemplar.situation for exemplar in fresh.values()])
        with self._lock:
            before = self.count()
            with transaction(self._connection):
                self._connection.executemany(_INSERT, _rows(fresh, vectors))
            self._index = None
            return self.count() - before

    def search(
        self, query: str, *, emotion: str | frozenset[str] | None, k: int, threshold: float, guard: Guard = Guard()
    ) -> tuple[Exemplar, ...]:
        if k <= 0 or not query.strip():
            return ()
        vector = self._embedder.embed([query])[0]
        with self._lock:
            index = self._current()
            similarities = np.round((index.vectors @ vector).astype(np.float64), _DECIMALS)
            # Whole splits are left out in one go; the guard then looks at the few rows that are read.
            near = (similarities > threshold) & ~index.splits.where(guard.is_scored)
            same = index.emotions.where(_spellings(emotion).__contains__)
            order = chain(_ranked(similarities, near & same), _ranked(similarities, near & ~same))
            found = (
                exemplar.model_copy(
                    update={
                        "similarity": float(similarities[row]),
                        "match": "precise" if same[row] else "fuzzy",
                    }
                )
                for row, exemplar in self._read(index, order)
                if guard.allows(exemplar, query)
            )
            return tuple(islice(found, k))

    def save(self, target: Path) -> None:
        """A copy of the whole memory in one plain file, fit for `finished`."""
        with self._lock:
            self._connection.execute("VACUUM INTO ?", (str(target),))

    def _unknown(self, exemplars: Iterable[Exemplar]) -> dict[bytes, Exemplar]:
        given: dict[bytes, Exemplar] = {}
        for exemplar in exemplars:
            given.setdefault(_key(exemplar), exemplar)
        with self._lock:
            known = "SELECT 1 FROM exemplar WHERE key = ?"
            return {key: item for key, item in given.items() if not self._connection.execute(known, (key,)).fetchone()}

    def _current(self) -> _Index:
        """The index, read again if this store or another process has added to the file."""
        version = int(self._connection.execute("PRAGMA data_version").fetchone()[0])
        if self._index is None or self._index.version != version:
            self._index = _load(self._connection, version)
        return self._index

    def _read(self, index: _Index, order: Iterator[int]) -> Iterator[tuple[int, Exemplar]]:
        while rows := {int(index.ids[row]): row for row in islice(order, _PEEK)}:
            marks = ", ".join("?" * len(rows))
            # `marks` holds nothing but question marks.
            select = f"SELECT id, situation, reply, emotion, dialogue, split FROM exemplar WHERE id IN ({marks})"
            read = {row[0]: row[1:] for row in self._connection.execute(select, tuple(rows))}
            for number, row in rows.items():
                yield row, _exemplar(*read[number])


_INSERT = (
    "INSERT OR IGNORE INTO exemplar (key, situation, reply, emotion, dialogue, split, vector) VALUES (?, ?, ?, ?, ?, ?, ?)"
)


def _rows(fresh: dict[bytes, Exemplar], vectors: Vectors) -> Iterator[tuple[bytes | str, ...]]:
    for (key, exemplar), vector in zip(fresh.items(), vectors, strict=True):
        named = exemplar.situation, exemplar.reply, exemplar.emotion, exemplar.dialogue, exemplar.split
        # Little-endian on every machine, so that a file can be carried from one to another.
        yield (key, *named, vector.astype("<f4").tobytes())


def _load(connection: sqlite3.Connection, version: int) -> _Index:
    ids: list[int] = []
    blobs = bytearray()
    emotions: list[str] = []
    splits: list[str] = []
    for number, emotion, split, vector in connection.execute("SELECT id, emotion, split, vector FROM exemplar ORDER BY id"):
        ids.append(number)
        blobs += vector
        emotions.append(emotion.casefold())
        splits.append(split)
    vectors = np.frombuffer(blobs, "<f4").reshape(-1, DIMENSIONS).astype(np.float32, copy=False)
    return _Index(np.array(ids, np.int64), vectors, _Column.of(emotions), _Column.of(splits), version)


def _spellings(emotion: str | frozenset[str] | None) -> frozenset[str]:
    given = {emotion or ""} if isinstance(emotion, str | None) else emotion
    return frozenset(name.casefold() for name in given) - {""}


def _ranked(similarities: NDArray[np.float64], allowed: NDArray[np.bool_]) -> Iterator[int]:
    """The most similar first; among equals the one that was remembered first. Sorts only once it is asked."""
    rows = np.flatnonzero(allowed)
    yield from map(int, rows[np.argsort(-similarities[rows], kind="stable")])


def _key(exemplar: Exemplar) -> bytes:
    return blake2b(f"{exemplar.situation}\0{exemplar.reply}".encode(), digest_size=16).digest()


def _exemplar(situation: str, reply: str, emotion: str, dialogue: str, split: str) -> Exemplar:
    return Exemplar(situation=situation, reply=reply, emotion=emotion, dialogue=dialogue, split=split)
