"""A file that is whole or not there: it is written beside its target under another name, and renamed at the end."""

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(target: Path) -> Generator[Path, None, None]:
    """The path to write to. Whatever stops the writing leaves no file behind, and an earlier one as it was."""
    draft = target.with_name(f".{target.stem}.{secrets.token_hex(4)}.partial{target.suffix}")
    try:
        yield draft
        os.replace(draft, target)  # noqa: PTH105 - the atomic rename is the point of this line
    finally:
        draft.unlink(missing_ok=True)
