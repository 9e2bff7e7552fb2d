"""The film and the sound of a reply, put into the page as far as they are small enough. What a trace names is looked for beside
the page and nowhere else."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias
from urllib.parse import quote

from heartfelt.errors import HeartfeltError
from heartfelt.page.captions import captions
from heartfelt.page.score import read_score
from heartfelt.senses.media.keyframes import jpeg
from heartfelt.senses.media.media import open_media

LARGEST = 6_000_000
"""Bytes: what has more stays a file of its own, or the page would not open at once."""
_POSTER_SIDE = 512
_LOOKS = 25.0
"""Pictures a second among which the poster is found."""

Kind: TypeAlias = Literal["film", "sound"]
_KINDS: dict[str, tuple[Kind, str]] = {".mp4": ("film", "video/mp4"), ".wav": ("sound", "audio/wav")}


@dataclass(frozen=True)
class Poster:
    width: int
    height: int
    data: str
    """A JPEG in base64."""


@dataclass(frozen=True)
class Medium:
    kind: Kind
    name: str
    bytes: int
    source: str
    """A data: URL; empty where it is too large."""
    poster: Poster | None = None
    captions: str = ""
    """WebVTT as a data: URL; empty where nobody wrote down when each word is said."""

    @property
    def link(self) -> str:
        """The file beside the page. The dot in front keeps a colon in the name from being read as a protocol."""
        return "./" + quote(self.name, errors="replace")


@dataclass(frozen=True)
class PageMedia:
    """What there is to play, and what there is to say about what there is not."""

    shown: tuple[Medium, ...] = ()
    remarks: tuple[str, ...] = ()


def media_beside(names: Sequence[str], folder: Path | None, *, seconds: float, text: str) -> PageMedia:
    """The film where there is one that can be put in; the sound where there is none, or where the film has to stay outside."""
    if folder is None:
        return PageMedia()
    plain = [name for name in dict.fromkeys(names) if is_plain(name)]
    remarks = [f"«{name}» is not the plain name of a file, so it was not opened." for name in names if name not in plain]
    found: dict[Kind, Medium] = {}
    for name in plain:
        kind, mime = _KINDS.get(Path(name).suffix.lower(), (None, ""))
        if kind is None or kind in found:
            continue
        medium = _medium(kind, mime, folder / name)
        if medium is None:
            remarks.append(f"The {kind} {name} does not lie beside this page, so it cannot be played here.")
        else:
            found[kind] = medium
    if "film" in found:
        score = read_score([folder / name for name in plain if name.endswith(".json")], text)
        poster = _poster(folder / found["film"].name, score.quietest(seconds))
        found["film"] = replace(found["film"], poster=poster, captions=captions(score.words, text))
    film, sound = found.get("film"), found.get("sound")
    wanted = (film,) if film and film.source else (film, sound)
    return PageMedia(tuple(medium for medium in wanted if medium), tuple(remarks))


def is_plain(name: str) -> bool:
    """Whether a name leads nowhere but into the folder itself, on any system."""
    return bool(name) and name not in (".", "..") and not any(sign in name for sign in "/\\:\0")


def _medium(kind: Kind, mime: str, file: Path) -> Medium | None:
    try:
        if not file.is_file():
            return None
        size = file.stat().st_size
        data = base64.b64encode(file.read_bytes()).decode("ascii") if size <= LARGEST else ""
    except OSError:  # it may not be read, or its name is too long for the disk
        return None
    return Medium(kind, file.name, size, data and f"data:{mime};base64,{data}")


def _poster(film: Path, at: float) -> Poster | None:
    last = None
    try:
        for last in open_media(film).frames(rate=_LOOKS, long_side=_POSTER_SIDE):
            if last.time >= at:
                break
    except HeartfeltError:  # whatever it is, it shows nothing; the player will say so itself
        return None
    if last is None:
        return None
    height, width = last.pixels.shape[:2]
    return Poster(width, height, jpeg(last).data)
