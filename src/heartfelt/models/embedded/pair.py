"""`embedded:`: two models side by side. The small one chooses labels, the large one finds the words."""

import asyncio
from collections.abc import AsyncIterator, Callable

from heartfelt.models.embedded.model import EmbeddedModel
from heartfelt.models.seam import Capabilities, Completion, Request

WORDS = frozenset({"understand", "respond"})
"""The steps whose answers are sentences."""


class EmbeddedPair:
    """Each keeps what it has read, so no prompt is read twice by either."""

    def __init__(self, *, labels: EmbeddedModel, words: EmbeddedModel):
        self.labels, self.words = labels, words

    @property
    def name(self) -> str:
        return f"{self.labels.name}+{self.words.name.removeprefix('embedded:')}"

    @property
    def capabilities(self) -> Capabilities:
        return self.words.capabilities

    async def complete(self, request: Request) -> Completion:
        return await self._of(request).complete(request)

    def stream(self, request: Request) -> AsyncIterator[str | Completion]:
        return self._of(request).stream(request)

    async def begin(self, request: Request) -> None:
        await self._of(request).begin(request)

    async def warm(self) -> None:
        await asyncio.gather(self.labels.warm(), self.words.warm())

    async def tokenizer(self) -> Callable[[str], int]:
        """That of whoever writes the reply."""
        return await self.words.tokenizer()

    async def close(self) -> None:
        await asyncio.gather(self.labels.close(), self.words.close())

    def forget(self) -> None:
        self.labels.forget()
        self.words.forget()

    def _of(self, request: Request) -> EmbeddedModel:
        return self.words if request.purpose in WORDS else self.labels
