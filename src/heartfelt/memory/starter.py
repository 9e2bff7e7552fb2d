"""The starter memory: exchanges written for Heartfelt, a few for each of the 32 emotions of EmpatheticDialogues.

They come from no corpus, so they leak into no score, and they make recall work before anything was built.
"""

from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from heartfelt.memory.embed import Embedder, MiniLM
from heartfelt.memory.exemplars import ExemplarStore
from heartfelt.memory.shelf import FORMAT
from heartfelt.records import Exemplar

SPLIT = "heartfelt/starter"


def exchanges() -> tuple[Exemplar, ...]:
    """The exchanges themselves, in the order of the file."""
    lines = _source().decode("utf-8").splitlines()
    return tuple(Exemplar.model_validate_json(line).model_copy(update={"split": SPLIT}) for line in lines)


def starter(embedder: Embedder) -> ExemplarStore:
    """The starter memory, ready to be searched. With MiniLM it is embedded once, and read from the store after that."""
    if not isinstance(embedder, MiniLM):
        return _embedded(embedder)
    # Converted first: it takes the lock that the next conversion holds while it embeds.
    embedder.graph()
    path = embedder.store.converted("minilm", _filename(), lambda target: _write(embedder, target))
    return ExemplarStore.finished(path, embedder)


def _embedded(embedder: Embedder) -> ExemplarStore:
    store = ExemplarStore(":memory:", embedder)
    store.add(exchanges())
    return store


def _write(embedder: Embedder, target: Path) -> None:
    with _embedded(embedder) as store:
        store.save(target)


def _filename() -> str:
    """Another text makes another file, and so does another format of the file."""
    return f"starter-{FORMAT}-{sha256(_source()).hexdigest()[:16]}.sqlite"


def _source() -> bytes:
    return files("heartfelt.memory").joinpath("starter.jsonl").read_bytes()
