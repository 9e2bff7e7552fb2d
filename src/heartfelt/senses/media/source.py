"""Where a recording's bytes come from. Whatever is no readable file is refused here, before a decoder sees it."""

import io
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from heartfelt.errors import InputError


@dataclass(frozen=True)
class MediaSource:
    """Bytes that can be opened as often as wished, each time from their beginning."""

    name: str
    """What the user calls it, for messages."""
    content: Path | bytes

    def open(self) -> BinaryIO:
        if isinstance(self.content, bytes):
            return io.BytesIO(self.content)
        try:
            return self.content.open("rb")
        except OSError as error:
            raise InputError(
                f"{self.name} cannot be read ({error.strerror}). Check the file and your right to read it."
            ) from None


def source_of(given: str | Path | bytes, name: str = "") -> MediaSource:
    """A source that is known to be a file with something in it."""
    if isinstance(given, bytes):
        source, size = MediaSource(name or "The recording", given), len(given)
    else:
        path = Path(given)
        source = MediaSource(name or str(path), path)
        size = _size(path, source.name)
    if not size:
        raise InputError(f"{source.name} is empty. Record or export it again.")
    source.open().close()
    return source


def _size(path: Path, name: str) -> int:
    try:
        status = path.stat()
    except FileNotFoundError:
        raise InputError(f"There is no file {name}. Check the path.") from None
    except (OSError, ValueError):  # a loop of links, a zero byte in the name
        raise InputError(f"{name} cannot be found as a file. Check the path.") from None
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{name} is a folder. Give one video, sound or picture file.")
    if not stat.S_ISREG(status.st_mode):  # opening a pipe that nobody writes to would wait for ever
        raise InputError(f"{name} is a pipe or a device, not a file. Save it as a file first.")
    return status.st_size
