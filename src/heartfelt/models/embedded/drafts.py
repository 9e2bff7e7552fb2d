"""Several texts written side by side after the same prompt, each with how likely it is.

The prompt is read once. The drafts are branches of it, and the next tokens of all of them go through the model together, which
costs little more than those of one.
"""

from dataclasses import dataclass, field

from heartfelt.models.embedded.engine import Cursor, Engine, log_probability
from heartfelt.models.embedded.guided import Sampler, first_stop, markers


@dataclass
class Written:
    """A text in the making: its tokens, and whether it has come to its end."""

    tokens: list[int] = field(default_factory=list)
    data: bytes = b""
    likely: float = 0.0
    """The log-probability of its tokens."""
    ended: bool = False

    @property
    def text(self) -> str:
        return self.data.decode(errors="replace")


def write(engine: Engine, cursor: Cursor, samplers: list[Sampler], limit: int, stop: tuple[str, ...]) -> list[Written]:
    """A text from each sampler. The cursor stays where it is."""
    made = [Written() for _ in samplers]
    forbidden = markers(engine)
    with cursor.branches(len(samplers)) as branches:
        for _ in range(limit):
            open_ones = [i for i, text in enumerate(made) if not text.ended]
            for i in open_ones:
                logits = branches.next[i].copy()
                logits[forbidden] = float("-inf")
                token = samplers[i].token(logits)
                made[i].likely += log_probability(branches.next[i], token)
                _go_on(made[i], token, engine, stop)
            open_ones = [i for i in open_ones if not made[i].ended]
            if not open_ones:
                break
            branches.feed({i: made[i].tokens[-1] for i in open_ones})
    return made


def _go_on(text: Written, token: int, engine: Engine, stop: tuple[str, ...]) -> None:
    text.tokens.append(token)
    if token in engine.ends:
        text.ended = True
        return
    text.data += engine.pieces[token]
    if (cut := first_stop(text.data, stop)) is not None:
        text.data, text.ended = text.data[:cut], True
