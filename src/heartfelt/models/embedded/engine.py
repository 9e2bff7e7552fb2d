"""A language model in this process: reads tokens, remembers what it has read, gives the logits of what comes next.

Reading is what a turn of several steps spends its time on, so the engine never reads the same prefix twice: it keeps a few
sequences, and a new prompt starts on the one that shares most with it. All methods are for one thread at a time.
"""

import ctypes as c
import threading
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import EngineError, InputError
from heartfelt.models.embedded.llama import Llama, LlamaBatch, _AbortCallback
from heartfelt.models.embedded.machine import has_matrix_unit
from heartfelt.models.embedded.pace import ThreadPace
from heartfelt.weights import mapped
from heartfelt.weights.right_of_way import RIGHT_OF_WAY

Logits = NDArray[np.float32]

KEPT_SEQUENCES = 4
SCORED_AT_ONCE, SCORED_AT_ONCE_LARGE = 60, 16
"""Options of a closed choice that are read side by side, each as a sequence of its own. Room is kept for the logits of all:
with a large vocabulary 0.6 MB each, so for fewer."""

PIECE = 128
"""Tokens that are read at once: few enough that a cancelled call ends soon and that the pace can be adapted."""
AT_ONCE, AT_ONCE_LARGE = 512, 32
"""Tokens that one pass through the model may hold. Room is kept for the logits of all: with a large vocabulary, of fewer."""
LARGE_VOCABULARY = 100_000
IN_MEMORY, MAPPED = 0, 1
"""llama.cpp's ways of loading. Weights that it repacks are in memory twice where the file is mapped, unless its pages are let
go; then the table of embeddings, of which a turn needs a few rows, is not in memory at all (130 MB of the large model)."""
ROOM = 400
"""Tokens that a prompt leaves free for its answer and for options read side by side."""
HOPELESS = 7.0
"""Nats below the best: e^-7 is less than a thousandth."""


_open: dict[tuple[Path, Path], tuple[int, int]] = {}
"""By library and file: weights that are in memory, and how many engines use them."""
_opening = threading.Lock()


class Cancelled(Exception):
    """The caller no longer wants the answer."""


@dataclass
class _KeptSequence:
    """A sequence in the engine's memory."""

    id: int
    tokens: list[int] = field(default_factory=list)
    used_at: int = 0


class Engine:
    def __init__(
        self,
        llama: Llama,
        weights: Path,
        *,
        adapter: Path | None = None,
        context: int = 4096,
        threads: int = 2,
    ):
        """`adapter`: applied while running, for weights that are used as they are. Merged ones need none. Engines on the same
        weights, each with its own adapter, share them."""
        self.llama, self.context = llama, context
        self._weights = weights
        self._model = self._shared(weights)
        self._vocab = llama.llama_model_get_vocab(self._model)
        self.vocabulary = llama.llama_vocab_n_tokens(self._vocab)
        large = self.vocabulary > LARGE_VOCABULARY
        self.scored_at_once = SCORED_AT_ONCE_LARGE if large else SCORED_AT_ONCE
        self._ctx = self._open_context(threads, at_once=AT_ONCE_LARGE if large else AT_ONCE)
        if adapter is not None:
            self._apply(adapter)
        self._memory = llama.llama_get_memory(self._ctx)
        self._kept = [_KeptSequence(i) for i in range(KEPT_SEQUENCES)]
        self._clock = 0
        self._pace = ThreadPace(threads)
        self._alone = ThreadPoolExecutor(1, thread_name_prefix="llama") if has_matrix_unit() else None
        self.wanted: Callable[[], bool] = lambda: True
        """Asked while reading: once it says no, the engine stops with `Cancelled`."""
        self._abort = _AbortCallback(self._unwanted)
        llama.llama_set_abort_callback(self._ctx, self._abort, None)
        self.masks: dict[str, NDArray[np.bool_]] = {}
        """Sets of tokens that a writer forbids, made once a set."""
        self._warm_up()
        self.ends = frozenset(t for t in range(self.vocabulary) if llama.llama_vocab_is_eog(self._vocab, t))

    @cached_property
    def pieces(self) -> list[bytes]:
        """What each token writes. Made when first asked for: who only scores needs none."""
        return [self._piece(token) for token in range(self.vocabulary)]

    def tokens(self, text: str, *, special: bool = False) -> list[int]:
        """`special` lets markers such as `<|im_start|>` become tokens; a person's words never get it."""
        data = text.encode()
        room = (c.c_int32 * (len(data) + 8))()
        count = self.llama.llama_tokenize(self._vocab, data, len(data), room, len(room), False, special)
        return list(room[:count])

    def text(self, tokens: Sequence[int]) -> str:
        return b"".join(self.pieces[token] for token in tokens).decode(errors="replace")

    def read(self, tokens: list[int]) -> "Cursor":
        """Read `tokens` from the start, leaving out what a kept sequence has in common with them."""
        if len(tokens) > self.context - ROOM:
            raise InputError(
                f"The prompt has {len(tokens)} tokens and the embedded model holds {self.context} with its answer. "
                "Shorten the dialogue, or use a model with a longer context."
            )
        kept, shared = self._best_start(tokens)
        self._forget(kept.id, shared)
        kept.tokens = tokens[:shared]
        cursor = Cursor(self, kept, cached=shared)
        cursor.feed(tokens[shared:])
        return cursor

    def forget(self) -> None:
        """Everything that was read. What comes next is then the same, bit by bit, whatever came before."""
        self.llama.llama_memory_clear(self._memory, False)
        self._kept = [_KeptSequence(i) for i in range(KEPT_SEQUENCES)]

    def close(self) -> None:
        if self._ctx:
            if self._alone is not None:
                self._alone.shutdown()
            self.llama.llama_free(self._ctx)
            self._give_up()
            self._ctx = self._model = None

    # ── what the cursor uses ────────────────────────────────────────────────────────────────────────────────────────

    def decode(self, tokens: Sequence[int], positions: Sequence[int], sequences: Sequence[int], wanted: list[int]) -> None:
        """One batch through the model. `wanted` are the indices whose logits are to be kept."""
        batch, alive = _batch(tokens, positions, sequences, wanted)
        with RIGHT_OF_WAY.taken(self._pace.threads):
            threads = self._pace.begin(len(tokens))
            self.llama.llama_set_n_threads(self._ctx, threads, threads)
            status = self._compute(batch)
            self._pace.end()
        if status == 1 and self._drop_oldest(keep=set(sequences)):
            return self.decode(tokens, positions, sequences, wanted)
        del alive
        if status == 2 or not self.wanted():
            raise Cancelled
        if status != 0:
            raise EngineError(f"The embedded model failed while reading (code {status}): {self.llama.last_words}")
        return None

    def logits(self, index: int) -> Logits:
        pointer = self.llama.llama_get_logits_ith(self._ctx, index)
        return np.ctypeslib.as_array(pointer, (self.vocabulary,)).copy()

    def branch(self, source: int, target: int) -> None:
        self.llama.llama_memory_seq_cp(self._memory, source, target, -1, -1)

    def drop(self, sequence: int) -> None:
        self._forget(sequence, 0)

    # ── inside ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _compute(self, batch: LlamaBatch) -> int:
        """An x86 processor has a matrix unit that is set up by the thread. llama.cpp does so once, onnxruntime
        does otherwise, and what llama.cpp computes in the same thread from then on is wrong. So it gets its own."""
        if self._alone is None:
            return self.llama.llama_decode(self._ctx, batch)
        return self._alone.submit(self.llama.llama_decode, self._ctx, batch).result()

    def _unwanted(self, _data: object) -> bool:
        return not self.wanted()

    def _warm_up(self) -> None:
        """A few tokens, so that the first prompt finds warm memory and a pace that fits the machine."""
        for _ in range(2):
            self.decode([0] * 8, range(8), [0] * 8, [7])
            self.drop(0)

    def _shared(self, weights: Path):
        key = (self.llama.path, weights)
        with _opening:
            model, users = _open.get(key) or (self._load(weights), 0)
            _open[key] = (model, users + 1)
        return model

    def _give_up(self) -> None:
        key = (self.llama.path, self._weights)
        with _opening:
            model, users = _open.pop(key)
            if users > 1:
                _open[key] = (model, users - 1)
            else:
                self.llama.llama_model_free(model)

    def _load(self, weights: Path):
        params = self.llama.llama_model_default_params()
        params.n_gpu_layers, params.load_mode = 0, MAPPED if mapped.LETS_GO else IN_MEMORY
        model = self.llama.llama_model_load_from_file(str(weights).encode(), params)
        if not model:
            raise EngineError(f"The weights at {weights} cannot be loaded: {self.llama.last_words}")
        mapped.let_go(weights)
        return model

    def _open_context(self, threads: int, *, at_once: int):
        params = self.llama.llama_context_default_params()
        params.n_ctx, params.n_batch, params.n_ubatch = self.context, 2048, at_once
        params.n_seq_max, params.kv_unified = KEPT_SEQUENCES + self.scored_at_once, True
        params.n_threads = params.n_threads_batch = threads
        # Flash attention adds up in another order for another number of threads, so the same turn could end otherwise on a
        # busy machine. Without it the logits are the same bits for any number of threads, and no slower.
        params.flash_attn_type = 0
        context = self.llama.llama_init_from_model(self._model, params)
        if not context:
            raise EngineError(f"No memory for a context of {self.context} tokens: {self.llama.last_words}")
        return context

    def _apply(self, adapter: Path) -> None:
        with _opening:
            loaded = self.llama.llama_adapter_lora_init(self._model, str(adapter).encode())  # freed with the model
        if not loaded:
            raise EngineError(f"The adapter {adapter} does not fit the weights: {self.llama.last_words}")
        if self.llama.llama_set_adapters_lora(self._ctx, (c.c_void_p * 1)(loaded), 1, (c.c_float * 1)(1.0)) != 0:
            raise EngineError(f"The adapter {adapter} cannot be applied: {self.llama.last_words}")

    def _piece(self, token: int) -> bytes:
        room = c.create_string_buffer(128)
        length = self.llama.llama_token_to_piece(self._vocab, token, room, len(room), 0, True)
        return room.raw[: max(length, 0)]

    def _best_start(self, tokens: list[int]) -> tuple[_KeptSequence, int]:
        """The sequence to go on with, and how much of it holds. Another conversation is copied from, not cut down."""
        self._clock += 1
        best = max(self._kept, key=lambda kept: _common(kept.tokens, tokens))
        shared = min(_common(best.tokens, tokens), len(tokens) - 1)  # the last token is read again for its logits
        if 2 * shared < len(best.tokens):
            oldest = min(self._kept, key=lambda kept: kept.used_at)
            if oldest is not best:
                self._forget(oldest.id, 0)
                self.llama.llama_memory_seq_cp(self._memory, best.id, oldest.id, 0, shared)
                best = oldest
        best.used_at = self._clock
        return best, shared

    def _forget(self, sequence: int, start: int) -> None:
        self.llama.llama_memory_seq_rm(self._memory, sequence, start, -1)

    def _drop_oldest(self, *, keep: set[int]) -> bool:
        """Make room by forgetting the sequence that was used longest ago; false when there is none to forget."""
        others = [kept for kept in self._kept if kept.tokens and kept.id not in keep and kept.used_at < self._clock]
        if not others:
            return False
        oldest = min(others, key=lambda kept: kept.used_at)
        self._forget(oldest.id, 0)
        oldest.tokens = []
        return True


class Cursor:
    """A place in a text that the engine has read, with the logits of what comes next."""

    def __init__(self, engine: Engine, kept: _KeptSequence, *, cached: int):
        self._engine, self._kept = engine, kept
        self.cached = cached
        """Tokens of the prompt that were not read again."""
        self.next: Logits = np.zeros(0, dtype=np.float32)

    @property
    def length(self) -> int:
        return len(self._kept.tokens)

    @property
    def room(self) -> int:
        return self._engine.context - self.length

    def feed(self, tokens: list[int]) -> None:
        for start in range(0, len(tokens), PIECE):
            piece = tokens[start : start + PIECE]
            at = self.length
            self._engine.decode(piece, range(at, at + len(piece)), [self._kept.id] * len(piece), [len(piece) - 1])
            self._kept.tokens.extend(piece)
        self.next = self._engine.logits(-1)

    def score(self, options: list[list[int]], *, taught: bool = False) -> NDArray[np.float64]:
        """The log-probability of each option coming next, whole. The cursor stays where it is.

        Where the options were `taught`, one that begins like no other is as likely as its beginning, and is not read on.

        An option is never likelier than its first token, so those whose first token is already hopeless against the best
        whole option are not read further: they keep that upper bound, which is below a thousandth of the best.
        """
        first = _log_softmax(self.next)
        scores = np.array([first[option[0]] for option in options], dtype=np.float64)
        begins = Counter(option[0] for option in options)
        known = [len(option) == 1 or (taught and begins[option[0]] == 1) for option in options]
        unread = sorted((i for i in range(len(options)) if not known[i]), key=lambda i: -scores[i])
        whole = max((scores[i] for i in range(len(options)) if known[i]), default=-np.inf)
        while unread and scores[unread[0]] > whole - HOPELESS:
            bar = max(whole, scores[unread[0]]) - HOPELESS
            group = [i for i in unread if scores[i] > bar][: self._engine.scored_at_once]
            for i, rest in zip(group, self._rest([options[i] for i in group]), strict=True):
                scores[i] += rest
                whole = max(whole, scores[i])
            unread = [i for i in unread if i not in group]
        return scores

    def likely(self, texts: list[list[int]]) -> list[float]:
        """The log-probability of each text coming next, all of it. The cursor stays where it is."""
        return [log_probability(self.next, text[0]) + rest for text, rest in zip(texts, self._rest(texts), strict=True)]

    def after(self, texts: list[list[int]]) -> list[Logits]:
        """The logits of what comes after each text, were it said next. The cursor stays where it is."""
        found: list[Logits] = []
        at_once = self._engine.scored_at_once
        for start in range(0, len(texts), at_once):
            group = texts[start : start + at_once]
            with self.branches(len(group)) as branches:
                flat = [
                    (token, self.length + j, s)
                    for s, text in zip(branches.ids, group, strict=True)
                    for j, token in enumerate(text)
                ]
                last = [int(place) - 1 for place in np.cumsum([len(text) for text in group])]
                self._engine.decode(*map(list, zip(*flat, strict=True)), wanted=last)  # type: ignore[arg-type]
                found += [self._engine.logits(place) for place in last]
        return found

    @contextmanager
    def branches(self, count: int) -> "Generator[Branches, None, None]":
        """So many ways on from here. The cursor stays where it is."""
        most = self._engine.scored_at_once
        if count > most:
            raise InputError(f"The embedded model writes {most} texts side by side at most, and {count} are asked for.")
        ids = range(KEPT_SEQUENCES, KEPT_SEQUENCES + count)
        for sequence in ids:
            self._engine.branch(self._kept.id, sequence)
        try:
            yield Branches(self._engine, ids, self.length, self.next)
        finally:
            for sequence in ids:
                self._engine.drop(sequence)

    def _rest(self, options: list[list[int]]) -> list[float]:
        """Log-probabilities of the tokens after the first of each option, read as branches of this sequence."""
        with self.branches(len(options)) as branches:
            flat = [
                (token, self.length + j, s)
                for s, option in zip(branches.ids, options, strict=True)
                for j, token in enumerate(option[:-1])
            ]
            if flat:
                self._engine.decode(*map(list, zip(*flat, strict=True)), wanted=list(range(len(flat))))  # type: ignore[arg-type]
            logs, at = [], 0
            for option in options:
                steps = [log_probability(self._engine.logits(at + j), token) for j, token in enumerate(option[1:])]
                logs.append(float(sum(steps)))
                at += len(option) - 1
            return logs


class Branches:
    """Ways on from one place, read side by side, each with the logits of what comes next on it."""

    def __init__(self, engine: Engine, ids: range, at: int, logits: Logits):
        self._engine, self.ids = engine, ids
        self._at = [at] * len(ids)
        self.next = [logits.copy() for _ in ids]

    def after(self, branch: int, token: int) -> Logits:
        """The logits after one more token on a branch, which stays where it is."""
        spare = self.ids.stop
        self._engine.branch(self.ids[branch], spare)
        try:
            self._engine.decode([token], [self._at[branch]], [spare], wanted=[0])
            return self._engine.logits(0)
        finally:
            self._engine.drop(spare)

    def feed(self, tokens: dict[int, int]) -> None:
        """One more token on each of the named branches."""
        chosen = list(tokens)
        self._engine.decode(
            [tokens[i] for i in chosen],
            [self._at[i] for i in chosen],
            [self.ids[i] for i in chosen],
            wanted=list(range(len(chosen))),
        )
        for place, i in enumerate(chosen):
            self.next[i] = self._engine.logits(place)
            self._at[i] += 1


def _common(left: list[int], right: list[int]) -> int:
    limit = min(len(left), len(right))
    return next((i for i in range(limit) if left[i] != right[i]), limit)


def log_probability(logits: Logits, token: int) -> float:
    peak = float(logits.max())
    return float(logits[token]) - peak - float(np.log(np.exp(logits - peak).sum(dtype=np.float64)))


def _log_softmax(logits: Logits) -> NDArray[np.float64]:
    peak = float(logits.max())
    return logits.astype(np.float64) - (peak + float(np.log(np.exp(logits - peak).sum(dtype=np.float64))))


def _batch(
    tokens: Sequence[int], positions: Sequence[int], sequences: Sequence[int], wanted: list[int]
) -> tuple[LlamaBatch, object]:
    """The batch, and the arrays that it points into: they must live until the call returns."""
    count = len(tokens)
    ids = (c.c_int32 * count)(*sequences)
    arrays = (
        (c.c_int32 * count)(*tokens),
        (c.c_int32 * count)(*positions),
        (c.c_int32 * count)(*([1] * count)),
        (c.POINTER(c.c_int32) * count)(*(c.pointer(c.c_int32.from_buffer(ids, i * 4)) for i in range(count))),
        (c.c_int8 * count)(*_flags(count, wanted)),
    )
    return LlamaBatch(count, arrays[0], None, *arrays[1:]), (ids, arrays)


def _flags(count: int, wanted: list[int]) -> list[int]:
    flags = [0] * count
    for index in wanted:
        flags[index] = 1
    return flags
