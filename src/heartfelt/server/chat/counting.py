"""How many tokens a text has: by the model's own tokenizer where it is at hand, otherwise by a rule that anybody can follow."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from heartfelt.models.seam import Model, Tokenizing

_RULE = "four characters a token"


@dataclass(frozen=True)
class TokenCounter:
    by: str
    """What counts, in words."""
    count: Callable[[str], int]

    async def count_all(self, texts: Iterable[str]) -> int:
        """A long dialogue takes its time, so others go on meanwhile."""
        return await asyncio.to_thread(lambda: sum(map(self.count, texts)))


async def token_counter(model: Model) -> TokenCounter:
    if isinstance(model, Tokenizing):
        return TokenCounter(f"the tokenizer of {model.name}", await model.tokenizer())
    return TokenCounter(_RULE, _by_rule)


def _by_rule(text: str) -> int:
    return -(-len(text) // 4)
