"""Moonshine tiny: English speech to words, with the times of the words, on two cores and without any package of its own."""

import threading
from functools import cached_property
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.records import Word
from heartfelt.senses.voice.moonshine_graph import ATTENTION, HEAD, write_decoder
from heartfelt.senses.voice.samples import RATE, Samples, checked
from heartfelt.senses.voice.timing import peaks, spans
from heartfelt.senses.voice.transcribe import Transcript
from heartfelt.senses.voice.vocabulary import BEGIN, END, Vocabulary
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

_THREADS = 2
_STEP, _LATE = 384, 0.03
"""Samples in one frame of the encoder (24 ms), and by how many seconds its attention is late."""
_LEAST = RATE // 4
"""The encoder's first layers swallow shorter sound whole."""
_TOKENS_PER_SECOND = 6.5
"""Nobody speaks faster; a network that goes round in circles does."""
_HEADS, _HEAD_SIZE = 8, 36
_PAST = "past_key_values"
# A conversion is found by its name, so the number goes up whenever `moonshine_graph` changes what it writes.
_DECODER = "decoder-1.onnx"


class _ModelParts(NamedTuple):
    encoder: "InferenceSession"
    decoder: "InferenceSession"
    vocabulary: Vocabulary


class _Token(NamedTuple):
    number: int
    logprob: float
    attention: NDArray[np.float32]
    """Over the encoder's frames."""


class Moonshine:
    """Loaded at the first stretch of speech; safe to share between streams and threads."""

    name = "moonshine-tiny-en"

    def __init__(self, store: Store | None = None):
        self.store = store or Store()
        self._loading = threading.Lock()

    def transcribe(self, samples: Samples) -> Transcript:
        samples = checked(samples)
        if len(samples) < _LEAST:
            samples = np.pad(samples, (0, _LEAST - len(samples)))
        parts = self.load()
        tokens = _decode(parts, samples)
        return Transcript(_words(tokens, parts.vocabulary, samples) if tokens else ())

    def load(self) -> _ModelParts:
        """Done at the first stretch unless it was done before: whoever cannot wait then calls this at the start."""
        with self._loading:
            return self._parts

    @cached_property
    def _parts(self) -> _ModelParts:
        return _ModelParts(
            open_session(self.store.path("moonshine", "encoder_model.ort"), _THREADS),
            open_session(self.decoder(), _THREADS),
            Vocabulary.read(self.store.path("moonshine", "tokenizer.bin")),
        )

    def decoder(self) -> Path:
        """The decoder that tells where it listens, converted at the first call."""
        source = self.store.path("moonshine", "decoder_model_merged.ort")
        return self.store.converted("moonshine", _DECODER, lambda target: write_decoder(source, target))


def _decode(parts: _ModelParts, samples: Samples) -> list[_Token]:
    """Greedy: one token after another, each given all that went before, until the network says that it is done."""
    mask = np.ones((1, len(samples)), np.int64)
    hidden = cast(Samples, parts.encoder.run(None, {"input_values": samples[None], "attention_mask": mask})[0])
    # Despite its name this mask counts samples: the decoder thins it out itself.
    fixed = {"encoder_hidden_states": hidden, "encoder_attention_mask": mask}
    past = {
        entry.name: np.zeros((1, _HEADS, 0, _HEAD_SIZE), np.float32)
        for entry in parts.decoder.get_inputs()
        if entry.name.startswith(_PAST)
    }
    # What it knows of the sound is worked out in the first step and stays; what it has written grows with every step.
    growing = [name for name in past if ".decoder." in name]
    tokens: list[_Token] = []
    last = BEGIN
    for step in range(int(len(samples) / RATE * _TOKENS_PER_SECOND) + 2):
        inputs = {**fixed, **past, "input_ids": np.array([[last]]), "use_cache_branch": np.array([step > 0])}
        renewed = growing if step else list(past)
        wanted = ["logits", ATTENTION, *(name.replace(_PAST, "present") for name in renewed)]
        logits, attention, *present = cast(list[NDArray[np.float32]], parts.decoder.run(wanted, inputs))
        token = _chosen(logits[0, -1], attention[0, HEAD, -1])
        if token.number == END:
            break
        tokens.append(token)
        last = token.number
        past |= dict(zip(renewed, present, strict=True))
    return tokens


def _chosen(logits: NDArray[np.float32], attention: NDArray[np.float32]) -> _Token:
    number = int(logits.argmax())
    return _Token(number, -float(np.log(np.exp(logits - logits[number]).sum())), attention)


def _words(tokens: list[_Token], vocabulary: Vocabulary, samples: Samples) -> tuple[Word, ...]:
    places = peaks(np.stack([token.attention for token in tokens]))
    firsts = [index for index, token in enumerate(tokens) if index == 0 or vocabulary.begins_word(token.number)]
    times = spans([places[first] for first in firsts], samples, step=_STEP, late=_LATE)
    words: list[Word] = []
    for (first, after), (start, end) in zip(pairwise([*firsts, len(tokens)]), times, strict=True):
        own = tokens[first:after]
        text = vocabulary.text([token.number for token in own])
        confidence = exp(sum(token.logprob for token in own) / len(own))
        if text:
            words.append(Word(start=start, end=end, text=text, confidence=confidence))
    return tuple(words)
