"""A model that is never asked the same thing twice about one item: conditions of a grid share most of their questions.

An ablation that leaves the audit out asks up to there exactly what the whole recipe asks, with the same seed. The answer is
taken over, with its cost, and the two differ only in what was ablated.
"""

from collections.abc import AsyncIterator, Callable

from heartfelt.models.seam import Capabilities, Completion, Model, Request


class Remembering:
    """`looked_at` sees every request before it is answered."""

    def __init__(self, inner: Model, looked_at: Callable[[Request, Completion | None], None] = lambda _asked, _answer: None):
        self.inner, self.looked_at = inner, looked_at
        self._known: dict[str, Completion] = {}

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def capabilities(self) -> Capabilities:
        return self.inner.capabilities

    def forget(self) -> None:
        """Another item: nothing of the last one helps, and nothing of it may change what comes."""
        self._known.clear()
        inner = getattr(self.inner, "forget", None)
        if inner is not None:
            inner()

    async def complete(self, request: Request) -> Completion:
        key = request.model_dump_json(exclude={"timeout"})
        self.looked_at(request, None)
        if key not in self._known:
            self._known[key] = await self.inner.complete(request)
        self.looked_at(request, self._known[key])
        return self._known[key]

    async def stream(self, request: Request) -> AsyncIterator[str | Completion]:
        """In one piece: nobody watches."""
        completion = await self.complete(request)
        yield completion.text
        yield completion

    async def close(self) -> None:
        await self.inner.close()
