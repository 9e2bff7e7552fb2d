"""Of what kind a message is and what the person feels: the sentence encoder with layers taught to tell, in some ten milliseconds.

On messages of strangers it is as often right as the large language model, which takes a second (docs/design/words.md).
"""

import threading
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from heartfelt.agents.kinds import KINDS
from heartfelt.labels import label_set
from heartfelt.memory.taught_graph import write_graph
from heartfelt.records import Dialogue, Scores
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FEELINGS = "ed32"
"""The set in which a message's feelings are told."""
TAUGHT = Path(__file__).parent / "weights" / "classifier-1.npz"
LONGEST, LONGEST_BEFORE = 120, 96
"""Tokens of the message, and of what was said before it."""
START, END = 101, 102
_CHARACTERS = 2000
_THREADS = 2


class Classified(NamedTuple):
    kinds: Scores
    """How likely the message is of each kind of `KINDS`."""
    feelings: Scores
    """How likely each emotion is."""


class Classifier(Protocol):
    name: str

    def classify(self, dialogue: Dialogue) -> Classified: ...


class TaughtClassifier:
    """Loaded at the first message; safe to share between threads."""

    def __init__(self, taught: Path = TAUGHT, *, store: Store | None = None):
        self.name = taught.stem
        self._taught, self._store = taught, store or Store()
        self._loading = threading.Lock()

    def classify(self, dialogue: Dialogue) -> Classified:
        tokenizer, session = self._loaded()
        ids, types = encoded([turn.text for turn in dialogue.turns], tokenizer)
        given = {"input_ids": ids, "mask": [1] * len(ids), "types": types}
        scores: NDArray[np.float32] = session.run(["scores"], {name: np.array([row], np.int64) for name, row in given.items()})[
            0
        ]
        labels = tuple(KINDS), label_set(FEELINGS).labels
        ends = np.cumsum([0, *map(len, labels)])
        return Classified(*(_shares(each, scores[0, a:b]) for each, (a, b) in zip(labels, pairwise(ends), strict=True)))

    def warm(self) -> None:
        self._loaded()

    def _loaded(self) -> "tuple[Tokenizer, InferenceSession]":
        with self._loading:
            return self._parts

    @cached_property
    def _parts(self) -> "tuple[Tokenizer, InferenceSession]":
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._store.path("minilm", "tokenizer.json")))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        weights, config = (self._store.path("minilm", each) for each in ("model.safetensors", "config.json"))
        name = f"{self.name}-{sha256(self._taught.read_bytes()).hexdigest()[:12]}.onnx"
        graph = self._store.converted("minilm", name, lambda target: write_graph(weights, config, (self._taught,), target))
        return tokenizer, open_session(graph, _THREADS)


def encoded(turns: list[str], tokenizer: "Tokenizer") -> tuple[list[int], list[int]]:
    """Tokens, and of which type each is: 0 for the last message, 1 for as many whole turns before it as there is room for."""
    *before, last = (tokenizer.encode(text[:_CHARACTERS], add_special_tokens=False).ids for text in turns)
    own, context = [START, *last[:LONGEST], END], list[int]()
    for turn in reversed(before):
        if len(context) + len(turn) + 1 > LONGEST_BEFORE:
            break
        context = [*turn, END, *context]
    return own + context, [0] * len(own) + [1] * len(context)


def _shares(names: tuple[str, ...], scores: NDArray[np.float32]) -> Scores:
    odds = np.exp(scores.astype(np.float64) - scores.max())
    return {name: float(share) for name, share in zip(names, odds / odds.sum(), strict=True)}
