"""Those who may come in: a file with a name and the SHA-256 of a token each. The token itself is shown once, then gone."""

import hashlib
import hmac
import logging
import re
import secrets
import tomllib
from pathlib import Path

from heartfelt.errors import StoreError, UnknownName, UsageError

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_HEAD = "# Written by `heartfelt token`: a name, and the SHA-256 of its token, a line.\n"
_log = logging.getLogger(__name__)


def names(path: Path) -> list[str]:
    return sorted(_read(path))


def add(path: Path, name: str) -> str:
    """The new token, which nobody can look up again."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"'{name}' is no name for a token. Use up to 40 letters, digits, hyphens and underscores.")
    known = _read(path) if path.exists() else {}
    if name in known:
        raise UsageError(f"'{name}' has a token already. Remove it first: heartfelt token remove {name} --file {path}")
    token = secrets.token_urlsafe(32)
    _write(path, known | {name: _hashed(token)})
    return token


def remove(path: Path, name: str) -> None:
    known = _read(path)
    if name not in known:
        raise UnknownName("token", name, known, where=str(path))
    _write(path, {other: kept for other, kept in known.items() if other != name})


class TokenFile:
    """A token file, read again whenever it was changed, so that whoever is removed is out at once."""

    def __init__(self, path: Path):
        self._path = path
        self._known, self._seen = _read(path), _stamp(path)

    def name_of(self, token: str) -> str | None:
        """Whose it is. Every entry is compared, each in the same time, so that the time tells nothing."""
        found, hashed = None, _hashed(token)
        for name, kept in self._current().items():
            if hmac.compare_digest(kept, hashed):
                found = name
        return found

    def _current(self) -> dict[str, str]:
        """A file that cannot be read any more lets nobody in."""
        if (stamp := _stamp(self._path)) != self._seen:
            try:
                self._known = _read(self._path)
            except (StoreError, UsageError) as error:
                self._known = {}
                _log.error("Nobody can come in. %s", error)
            self._seen = stamp
        return self._known


def _read(path: Path) -> dict[str, str]:
    try:
        known = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"There is no token file {path}. Make one: heartfelt token add NAME --file {path}") from None
    except (OSError, ValueError) as error:
        raise StoreError(f"The token file {path} cannot be read ({error}). Put back a copy, or add the tokens again.") from None
    if not all(isinstance(kept, str) and kept.isascii() for kept in known.values()):
        raise StoreError(f"The token file {path} holds something else than hashes. Put back a copy, or add the tokens again.")
    return known


def _write(path: Path, known: dict[str, str]) -> None:
    """Whole or not at all, and for nobody else on the machine to read."""
    new = path.with_name(f".{path.name}.new")
    path.parent.mkdir(parents=True, exist_ok=True)
    new.touch(mode=0o600)
    new.write_text(_HEAD + "".join(f'{name} = "{kept}"\n' for name, kept in sorted(known.items())), "utf-8")
    new.replace(path)


def _stamp(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_ino


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
