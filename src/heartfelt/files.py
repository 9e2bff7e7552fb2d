"""Writing files: whole or not at all, and what a failing disk means in words."""

import errno
import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from heartfelt.errors import DiskFullError, UsageError


@contextmanager
def whole(target: Path) -> Generator[Path, None, None]:
    """The path to write to, beside the target and renamed at the end.

    Whatever stops the writing leaves no file behind, and an earlier one as it was.
    """
    draft = target.with_name(f".{target.stem}.{secrets.token_hex(4)}.partial{target.suffix}")
    try:
        yield draft
        os.replace(draft, target)  # noqa: PTH105 - the atomic rename is the point of this line
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def writing(
    path: Path,
    *,
    full: str = "Free some, or choose a place on another disk.",
    refused: str = "Choose a place that you may write to.",
) -> Generator[None, None, None]:
    """Says what a failing disk means for the user."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError(f"There is no space left for {path}. {full}") from error
        why = "a file is in the way" if isinstance(error, FileExistsError | NotADirectoryError) else error.strerror
        raise UsageError(f"{path} cannot be written: {why}. {refused}") from error
