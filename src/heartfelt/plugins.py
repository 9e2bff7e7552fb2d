"""Parts that other packages bring: found by the names under which those packages list them as entry points.

A package that says in its pyproject.toml

    [project.entry-points."heartfelt.recipes"]
    brief = "my_package:BRIEF"

brings the recipe `brief`. It is imported when it is asked for, and not before.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from heartfelt.errors import UsageError

Part = TypeVar("Part")


class Registry(MutableMapping[str, Part]):
    """Heartfelt's own parts of a kind, and those that other packages bring. An own name is never taken by another package."""

    def __init__(self, group: str, own: Mapping[str, Part]):
        self._group, self._own = group, dict(own)

    def __getitem__(self, name: str) -> Part:
        if name not in self._own:
            self._own[name] = _loaded(_brought(self._group)[name])
        return self._own[name]

    def package(self, name: str) -> str:
        """Which package brings it."""
        point = _brought(self._group).get(name)
        return _package(point) if point else "heartfelt"

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in _brought(self._group)

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys((*self._own, *_brought(self._group)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __setitem__(self, name: str, part: Part) -> None:
        self._own[name] = part

    def __delitem__(self, name: str) -> None:
        del self._own[name]


@cache
def _brought(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.module


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:
        raise UsageError(
            f"The package {_package(point)} brings '{point.name}' to {point.group}, and it cannot be loaded: {error}. "
            "Mend the package or uninstall it."
        ) from error
