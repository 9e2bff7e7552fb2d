"""Of what kind a message is, what the person feels, and how a reply to it would be rated: the sentence encoder, taught to tell.

It takes some ten milliseconds where the large language model takes a second, and is as often right (docs/design/words.md).
"""

import threading
from collections.abc import Sequence
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from heartfelt.agents.kinds import KINDS
from heartfelt.labels import label_set
from heartfelt.memory.embed import open_tokenizer
from heartfelt.memory.taught_graph import FORM, write_graph
from heartfelt.records import Dialogue, Scores
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

FEELINGS = "ed32"
"""The set in which a message's feelings are told."""
MARKS = (1, 2, 3, 4, 5)
TAUGHT = Path(__file__).parent / "weights" / "classifier-2.npz"
LONGEST, LONGEST_BEFORE = 120, 96
"""Tokens of the message, and of what was said before it."""
LONGEST_REPLY, BEFORE_REPLIED = 80, 72
"""The same where a reply stands beside them, and of the reply."""
START, END = 101, 102
_CHARACTERS = 2000
_THREADS = 2
Tokens = list[int]


class Classified(NamedTuple):
    kinds: Scores
    """How likely the message is of each kind of `KINDS`."""
    feelings: Scores
    """How likely each emotion is."""


class Classifier(Protocol):
    name: str

    def classify(self, dialogue: Dialogue) -> Classified: ...

    def marks(self, dialogue: Dialogue, replies: Sequence[str]) -> list[float]:
        """What a rater would give each of them, from 1 to 5."""
        ...


class TaughtClassifier:
    """Loaded at the first message; safe to share between threads."""

    def __init__(self, taught: Path = TAUGHT, *, store: Store | None = None):
        self.name = taught.stem
        self._taught, self._store = taught, store or Store()
        self._loading = threading.Lock()

    def classify(self, dialogue: Dialogue) -> Classified:
        message, before = self._tokens(dialogue, LONGEST_BEFORE)
        kinds, feelings, _ = self._scores([(message, before)])
        return Classified(_shares(tuple(KINDS), kinds[0]), _shares(label_set(FEELINGS).labels, feelings[0]))

    def marks(self, dialogue: Dialogue, replies: Sequence[str]) -> list[float]:
        message, before = self._tokens(dialogue, BEFORE_REPLIED)
        _, _, marks = self._scores([(self._encoded(reply)[:LONGEST_REPLY], [*message, END, *before]) for reply in replies])
        return [float(mark) for mark in _softmax(marks) @ np.array(MARKS)]

    def warm(self) -> None:
        self._loaded()

    def _tokens(self, dialogue: Dialogue, room: int) -> tuple[Tokens, Tokens]:
        """Those of the last message, and of as many whole turns before it as there is room for."""
        *turns, last = (self._encoded(turn.text) for turn in dialogue.turns)
        before: Tokens = []
        for turn in reversed(turns):
            if len(before) + len(turn) + 1 > room:
                break
            before = [*turn, END, *before]
        return last[:LONGEST], before

    def _encoded(self, text: str) -> Tokens:
        return self._loaded()[0].encode(text[:_CHARACTERS], add_special_tokens=False).ids

    def _scores(self, rows: Sequence[tuple[Tokens, Tokens]]) -> tuple[NDArray[np.float64], ...]:
        """Of kinds, feelings and marks, for each row of what is asked about and what stands around it."""
        length = max(len(own) + len(around) for own, around in rows) + 2
        ids, mask, types = np.zeros((3, len(rows), length), np.int64)
        for row, (own, around) in enumerate(rows):
            tokens = [START, *own, END, *around]
            ids[row, : len(tokens)], mask[row, : len(tokens)], types[row, len(own) + 2 : len(tokens)] = tokens, 1, 1
        scores = self._loaded()[1].run(["scores"], {"input_ids": ids, "mask": mask, "types": types})[0]
        ends = np.cumsum([len(KINDS), len(label_set(FEELINGS).labels)])
        return tuple(np.split(np.asarray(scores, np.float64), ends, axis=1))

    def _loaded(self) -> "tuple[Tokenizer, InferenceSession]":
        with self._loading:
            return self._parts

    @cached_property
    def _parts(self) -> "tuple[Tokenizer, InferenceSession]":
        tokenizer = open_tokenizer(self._store.path("minilm", "tokenizer.json"))
        weights, config = (self._store.path("minilm", each) for each in ("model.safetensors", "config.json"))

        def write(target: Path) -> None:
            write_graph(weights, config, (self._taught,), target, eight_bits=True)

        name = f"{self.name}-{FORM}-{sha256(self._taught.read_bytes()).hexdigest()[:12]}.onnx"
        return tokenizer, open_session(self._store.converted("minilm", name, write), _THREADS)


@cache
def usual_classifier() -> TaughtClassifier:
    """One for the whole process: whoever listens shares it."""
    return TaughtClassifier()


def _shares(names: tuple[str, ...], scores: NDArray[np.float64]) -> Scores:
    return {name: float(share) for name, share in zip(names, _softmax(scores), strict=True)}


def _softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    odds = np.exp(scores - scores.max(-1, keepdims=True))
    return odds / odds.sum(-1, keepdims=True)
