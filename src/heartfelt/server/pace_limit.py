"""How fast each caller may go on, whichever worker they come to."""

from heartfelt.server.archive import Archive
from heartfelt.server.callers import RateLimit, TooFast


class PaceLimit:
    """So many calls a minute for each caller, counted in the database where several workers share one, and otherwise here."""

    def __init__(self, archive: Archive, a_minute: float):
        self._archive, self._here = archive, RateLimit(a_minute)

    async def take(self, caller: str) -> None:
        store, limit = self._archive.kept, self._here
        if not store.address:
            limit.take(caller)
        elif wait := await self._archive.run(store.take_pace, caller, limit.each, limit.most):
            raise TooFast(wait)
