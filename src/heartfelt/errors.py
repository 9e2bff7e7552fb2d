"""Everything that Heartfelt raises, as one tree. Each message says what happened, to what, and what to do next.

HeartfeltError
├── UsageError              the request itself is wrong: exit code 2
│   ├── InputError          a text or a dialogue that cannot be answered
│   ├── UnknownName         a recipe, model, label, step or option that does not exist
│   └── LeakError           an exemplar of the scored split or of the answered dialogue was asked for
├── TurnError               the turn was understood and could not be finished: exit code 3
│   ├── ModelError          a language model did not do its part
│   │   ├── ModelUnavailable  not reachable, not installed, no such model
│   │   ├── ModelTimeout      no answer in time
│   │   ├── ModelRefusal      the server answered with an error that retrying does not mend
│   │   └── BadOutput         an answer that is not what was asked for
│   └── GeneratorError      a voice or face generator that runs as a service did not do its part
│       └── GeneratorUnavailable  not reachable, no answer in time, or broken on its own side
├── StoreError              weights are missing or damaged: exit code 4
│   ├── FetchError          the package client could not bring a package
│   ├── DamagedError        a file's hash is not the pinned one
│   └── DiskFullError       no space left for a file
├── EngineError             the embedded language engine cannot be loaded or failed: exit code 4
├── MissingExtra            an optional package is not installed: exit code 4
└── MissingBuild            a page that `make web` builds is not there: exit code 4
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class HeartfeltError(Exception):
    """The root: catching it catches every failure that Heartfelt foresees."""

    exit_code = 1
    told = False
    """True once it has been put into words for the user."""

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it comes whole out of another process, however it was made."""
        return _as_it_was, (type(self), self.args, self.__dict__)


class UsageError(HeartfeltError):
    exit_code = 2


class InputError(UsageError):
    pass


class UnknownName(UsageError):
    """A name that is not among the known ones. The message lists those that are near or all of them."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, where: str = ""):
        names = sorted(known)
        super().__init__(f"There is no {kind} '{name}'{where and ' in ' + where}. {_suggest(name, names)}")
        self.kind, self.name, self.known = kind, name, names


class LeakError(UsageError):
    pass


class TurnError(HeartfeltError):
    exit_code = 3


class ModelError(TurnError):
    pass


class ModelUnavailable(ModelError):
    pass


class ModelTimeout(ModelError):
    pass


class ModelRefusal(ModelError):
    pass


class BadOutput(ModelError):
    """An answer that is not what was asked for; `raw` is that answer."""

    def __init__(self, message: str, raw: str = ""):
        super().__init__(message)
        self.raw = raw


class GeneratorError(TurnError):
    pass


class GeneratorUnavailable(GeneratorError):
    pass


class StoreError(HeartfeltError):
    exit_code = 4


class FetchError(StoreError):
    pass


class DamagedError(StoreError):
    pass


class DiskFullError(StoreError):
    pass


class EngineError(HeartfeltError):
    exit_code = 4


class MissingExtra(HeartfeltError):
    """An optional package is not installed; the message gives the command that installs it."""

    exit_code = 4

    def __init__(self, what: str, extra: str):
        super().__init__(f"{what} needs an optional part. Install it with: pip install 'heartfelt[{extra}]'")


class MissingBuild(HeartfeltError):
    """A page that is built from the sources of the web app is not there; the message gives the command that builds it."""

    exit_code = 4


def _as_it_was(kind: type[HeartfeltError], args: tuple[Any, ...], state: dict[str, Any]) -> HeartfeltError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def _suggest(name: str, names: list[str]) -> str:
    near = get_close_matches(name, names, n=1)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    shown = ", ".join(names[:40]) + (", …" if len(names) > 40 else "")
    return f"{hint}Known: {shown}."
