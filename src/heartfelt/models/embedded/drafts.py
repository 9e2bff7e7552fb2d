"""Several texts written side by side after the same prompt, each with how likely it is.

The prompt is read once. The drafts are branches of it, and the next tokens of all of them go through the model together, which
costs little more than those of one.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from heartfelt.models.embedded.engine import Cursor, Engine, Logits, log_probability
from heartfelt.models.embedded.guided import Sampler, first_stop, markers, softmax
from heartfelt.models.seam import MarkedPiece
from heartfelt.text import sentences_of


@dataclass
class WrittenDraft:
    """A text in the making: its tokens, and whether it has come to its end."""

    tokens: list[int] = field(default_factory=list)
    data: bytes = b""
    likely: float = 0.0
    """The log-probability of its tokens."""
    ended: bool = False
    mark: float | None = None
    """What a rater would give it, where the model was taught to tell."""

    @property
    def text(self) -> str:
        return self.data.decode(errors="replace")


END = "<|im_end|>"
MARKS = ("1", "2", "3", "4", "5")


def write(
    engine: Engine,
    cursor: Cursor,
    samplers: list[Sampler],
    limit: int,
    stop: tuple[str, ...],
    *,
    marked: bool = False,
    until: float | None = None,
    emit: Callable[[str], None] = lambda _piece: None,
) -> list[WrittenDraft]:
    """A text from each sampler, with its mark if `marked`. The cursor stays where it is. One text alone is given to `emit`
    piece by piece.

    `until`: the time, as `time.perf_counter` tells it, at which writing stops. A text that is not whole by then is left out.
    """
    made = [WrittenDraft() for _ in samplers]
    forbidden, late, told = markers(engine), False, 0
    end = engine.tokens(END, special=True)[0]
    with cursor.branches(len(samplers)) as branches:
        for _ in range(limit):
            open_ones = [i for i, text in enumerate(made) if not text.ended]
            for i in open_ones:
                logits = branches.next[i].copy()
                logits[forbidden] = float("-inf")
                token = samplers[i].token(logits)
                made[i].likely += log_probability(branches.next[i], token)
                before = made[i].text
                _go_on(made[i], token, engine, stop)
                if len(made) == 1 and marked and begins_second(before, made[i].text):
                    emit(MarkedPiece("", expected_mark(engine, branches.after(i, end))))
            if len(made) == 1:
                told += _emitted(made[0], told, emit)
            open_ones = [i for i in open_ones if not made[i].ended]
            if not open_ones:
                break
            if until is not None and time.perf_counter() >= until:
                late = True
                break
            branches.feed({i: made[i].tokens[-1] for i in open_ones})
        if marked:
            branches.feed(dict.fromkeys(range(len(made)), end))
            for text, logits in zip(made, branches.next, strict=True):
                text.mark = expected_mark(engine, logits)
    return [text for text in made if text.ended] if late else made


def marks(engine: Engine, cursor: Cursor, texts: list[str]) -> list[float]:
    """What a rater would give each text, were it said next. The cursor stays where it is."""
    end = engine.tokens(END, special=True)
    return [expected_mark(engine, logits) for logits in cursor.after([engine.tokens(text) + end for text in texts])]


def expected_mark(engine: Engine, logits: Logits) -> float:
    """The model says the mark as one digit: the mean over how likely each is."""
    digits = [engine.tokens(digit)[0] for digit in MARKS]
    shares = softmax(logits[digits].astype(np.float64))
    return float(shares @ np.arange(1, len(MARKS) + 1))


def begins_second(before: str, now: str) -> bool:
    """Whether the second sentence of a text has just begun, so that the text before was its first one whole."""
    return len(sentences_of(before)) == 1 < len(sentences_of(now)) and sentences_of(now)[0] == before.strip()


def _emitted(text: WrittenDraft, told: int, emit: Callable[[str], None]) -> int:
    """Gives on what is new and whole letters; how many bytes that were."""
    try:
        piece = text.data[told:].decode()
    except UnicodeDecodeError:  # a letter of which more is to come
        return 0
    emit(piece)
    return len(piece.encode())


def _go_on(text: WrittenDraft, token: int, engine: Engine, stop: tuple[str, ...]) -> None:
    text.tokens.append(token)
    if token in engine.ends:
        text.ended = True
        return
    text.data += engine.pieces[token]
    if (cut := first_stop(text.data, stop)) is not None:
        text.data, text.ended = text.data[:cut], True
