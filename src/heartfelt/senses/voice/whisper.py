"""Whisper: speech in 99 languages to words, with their times and the language, on two cores.

The graphs are the int8 ones that many run in browsers, made quick for short sound by `whisper_graph`.
"""

import json
import threading
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.records import Scores, Word
from heartfelt.senses.voice.mel import HOP, log_mel
from heartfelt.senses.voice.samples import RATE, Samples, checked
from heartfelt.senses.voice.timing import peaks, spans
from heartfelt.senses.voice.transcribe import Transcript
from heartfelt.senses.voice.whisper_graph import write_decoder, write_encoder
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

STEP = 2 * HOP
"""Samples in one frame of the encoder: 20 ms."""
ENGLISH = "en"
SURE, FLUENT = 0.8, -0.9
"""How likely another language must be, and the logarithm of how likely its words on average, before English is given up: a word
or two, and English with an accent, are often taken for something else at first."""
LONGEST = 30 * RATE
"""What is longer is not heard to its end; a stretch never is."""
_THREADS = 2
_SILENCE = RATE
"""After the sound: without it the network does not hear where it ends."""
_ENDING = RATE
"""A sentence that closes so near the end of the sound is the last one."""
_TOKENS_PER_SECOND = 8.0
"""Nobody speaks faster; a network that goes round in circles does."""
_END, _START, _TRANSCRIBE, _TIME = 50257, 50258, 50359, 50364
"""The last is the first of the times, which are 20 ms apart. Below the first are words."""
_LATE = 0.065
"""Seconds by which the attention is late: the mean over words of the embedded voice."""
_PAST = "past_key_values"
_BLANK = "Ġ"
"""How a token begins that begins a word."""
# Conversions are found by their names, so the number goes up whenever `whisper_graph` changes what it writes.
_ENCODER, _DECODER = "encoder-1.onnx", "decoder-1.onnx"

Size: TypeAlias = Literal["base", "small"]
Numbers: TypeAlias = NDArray[np.float32]


class Manual(NamedTuple):
    """What the weights say of themselves."""

    languages: dict[str, int]
    """The token of each, by its code."""
    never: list[int]
    """Tokens that stand for no speech, such as brackets and notes of music."""
    heads: list[tuple[int, int]]
    """Layer and head of the decoder, of those that listen to what they write down."""

    @classmethod
    def read(cls, path: Path) -> "Manual":
        told: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return cls(
            {token.strip("<|>"): number for token, number in told["lang_to_id"].items()},
            told["suppress_tokens"],
            [(layer, head) for layer, head in told["alignment_heads"]],
        )


class _ModelParts(NamedTuple):
    encoder: "InferenceSession"
    decoder: "InferenceSession"
    tokenizer: "Tokenizer"
    manual: Manual


class _Token(NamedTuple):
    number: int
    logprob: float
    attention: Numbers
    """Over the encoder's frames."""


class Whisper:
    """Loaded at the first stretch of speech; safe to share between streams and threads."""

    def __init__(self, size: Size = "base", store: Store | None = None):
        self.name = f"whisper-{size}"
        self.store = store or Store()
        self._loading = threading.Lock()

    def transcribe(self, samples: Samples) -> Transcript:
        samples, parts = checked(samples)[:LONGEST], self.load()
        writing = _Writing(parts, samples)
        language, tokens = _likeliest(writing.languages()), list[_Token]()
        if language != ENGLISH:
            tokens = writing.tokens(language)
        if not _fluent(tokens):
            language, tokens = ENGLISH, writing.tokens(ENGLISH)
        return Transcript(_words(tokens, parts.tokenizer, samples) if tokens else (), "" if language == ENGLISH else language)

    def load(self) -> _ModelParts:
        """Done at the first stretch unless it was done before: whoever cannot wait then calls this at the start."""
        with self._loading:
            return self._parts

    @cached_property
    def _parts(self) -> _ModelParts:
        from tokenizers import Tokenizer

        return _ModelParts(
            open_session(self._graph("encoder_model_quantized.onnx", _ENCODER, write_encoder), _THREADS),
            open_session(self._graph("decoder_model_merged_quantized.onnx", _DECODER, write_decoder), _THREADS),
            Tokenizer.from_file(str(self.store.path(self.name, "tokenizer.json"))),
            Manual.read(self.store.path(self.name, "generation_config.json")),
        )

    def _graph(self, name: str, converted: str, write: Callable[[Path, Path], None]) -> Path:
        """Converted at the first call."""
        source = self.store.path(self.name, name)
        return self.store.converted(self.name, converted, lambda target: write(source, target))


class _Writing:
    """One run of the decoder over one sound: each token that it is given brings the scores of the next."""

    def __init__(self, parts: _ModelParts, samples: Samples):
        whole = -(-(len(samples) + _SILENCE) // STEP) * STEP
        bands = log_mel(np.pad(samples, (0, whole - len(samples))))
        self._parts, self._manual = parts, parts.manual
        self._hidden = parts.encoder.run(["last_hidden_state"], {"input_features": bands[None]})[0]
        self._past: dict[str, Numbers] = {
            entry.name: np.zeros((1, entry.shape[1], 0, entry.shape[3]), np.float32)
            for entry in parts.decoder.get_inputs()
            if entry.name.startswith(_PAST)
        }
        self._begun = False
        self._most = int(len(samples) / RATE * _TOKENS_PER_SECOND) + 2
        self._last = (len(samples) - _ENDING) // STEP
        self._first = self._after(_START)[0]
        self._start = dict(self._past)

    def languages(self) -> Scores:
        """How likely the sound is speech in each."""
        codes, tokens = zip(*self._manual.languages.items(), strict=True)
        scores = self._first[list(tokens)]
        shares = np.exp(scores - scores.max())
        return dict(zip(codes, (shares / shares.sum()).tolist(), strict=True))

    def tokens(self, language: str) -> list[_Token]:
        """Greedy: one token after another, each given all that went before.

        The network writes sentence by sentence, each between its times. After the last it seldom says that it is done where the
        sound is short: it begins again. So the time that closes a sentence tells whether anything can follow.
        """
        self._past = dict(self._start)
        place, found = 0, list[_Token]()
        scores, attention = self._after(self._manual.languages[language], _TRANSCRIBE, _TIME)
        while len(found) < self._most:
            scores[self._manual.never] = scores[_START : _TIME + place + 1] = -np.inf
            number = int(scores[:_START].argmax())
            if np.logaddexp.reduce(scores[_TIME:]) > scores[number]:
                place = int(scores[_TIME:].argmax())
                if place >= self._last:
                    break
                scores, attention = self._after(_TIME + place, _TIME + place)
            elif number == _END:
                break
            else:
                found.append(_Token(number, -float(np.log(np.exp(scores - scores[number]).sum())), attention))
                scores, attention = self._after(number)
        return found

    def _after(self, *tokens: int) -> tuple[Numbers, Numbers]:
        """The scores of what comes after them, and where the network listened for that."""
        for token in tokens[:-1]:
            self._step(token)
        return self._step(tokens[-1])

    def _step(self, token: int) -> tuple[Numbers, Numbers]:
        # What it knows of the sound is worked out in the first step and stays; what it has written grows with every step.
        renewed = [name for name in self._past if not self._begun or ".decoder." in name]
        layers = sorted({layer for layer, _ in self._manual.heads})
        wanted = ["logits", *(f"cross_attentions.{layer}" for layer in layers)]
        inputs = {"encoder_hidden_states": self._hidden, "input_ids": np.array([[token]])}
        inputs |= {"use_cache_branch": np.array([self._begun]), **self._past}
        wanted += [name.replace(_PAST, "present") for name in renewed]
        logits, *rest = cast(list[Numbers], self._parts.decoder.run(wanted, inputs))
        listened = dict(zip(layers, rest, strict=False))
        self._past |= dict(zip(renewed, rest[len(layers) :], strict=True))
        self._begun = True
        heads = [listened[layer][0, head, -1] for layer, head in self._manual.heads]
        return logits[0, -1].copy(), np.mean(heads, axis=0)


def _likeliest(shares: Scores) -> str:
    """English where no other language is likely enough."""
    best = max(shares, key=lambda code: shares[code])
    return best if shares[best] >= SURE else ENGLISH


def _fluent(tokens: list[_Token]) -> bool:
    """Whether the network is at ease with what it wrote. In a language that was not spoken it is not."""
    return bool(tokens) and sum(token.logprob for token in tokens) / len(tokens) >= FLUENT


def _words(tokens: list[_Token], tokenizer: "Tokenizer", samples: Samples) -> tuple[Word, ...]:
    frames = max(1, -(-len(samples) // STEP))
    places = peaks(np.stack([token.attention[:frames] for token in tokens]))
    pieces = [tokenizer.id_to_token(token.number) or "" for token in tokens]
    firsts = [index for index, piece in enumerate(pieces) if index == 0 or piece.startswith(_BLANK)]
    times = spans([places[first] for first in firsts], samples, step=STEP, late=_LATE)
    words: list[Word] = []
    for (first, after), (start, end) in zip(pairwise([*firsts, len(tokens)]), times, strict=True):
        own = tokens[first:after]
        text = tokenizer.decode([token.number for token in own]).strip()
        confidence = exp(sum(token.logprob for token in own) / len(own))
        if text:
            words.append(Word(start=start, end=end, text=text, confidence=confidence))
    return tuple(words)
