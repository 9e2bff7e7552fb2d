"""The stills of a turn, made small enough that a page of them opens at once."""

import base64
import binascii
import io
from dataclasses import dataclass

from PIL import Image, ImageOps

from heartfelt.page.axis import clock
from heartfelt.records import Keyframe
from heartfelt.senses.media.still import MOST_PIXELS, unwarned

MOST = 12
"""Stills on a page; of more, these are spread evenly over them."""
LEAST_ROOM = 4
"""Stills that a row has room for at least: a single one shall not fill it."""
LONG_SIDE = 320
_QUALITY = 80


@dataclass(frozen=True)
class PageStill:
    time: float
    when: str
    width: int
    height: int
    data: str
    """A JPEG in base64."""


def stills(frames: tuple[Keyframe, ...]) -> list[PageStill]:
    """Those that can be opened, in the order of time. Equal pictures of one moment are shown once."""
    known = sorted(dict.fromkeys(frame for frame in frames if frame.mime.startswith("image/")), key=lambda frame: frame.time)
    few = known if len(known) <= MOST else [known[place * (len(known) - 1) // (MOST - 1)] for place in range(MOST)]
    return [still for still in map(_still, few) if still is not None]


def row(shown: list[PageStill], seconds: float) -> list[tuple[PageStill, float, float]]:
    """Each still with its width and the gap before it, in percent: as near to its time as its neighbours leave room for."""
    width, reached, placed = 100 / max(LEAST_ROOM, len(shown)), 0.0, list[tuple[PageStill, float, float]]()
    for place, still in enumerate(shown):
        wished = 100 * still.time / seconds - width / 2
        left = min(max(wished, reached), 100 - width * (len(shown) - place))
        placed.append((still, round(width, 2), round(max(0.0, left - reached), 2)))
        reached = max(left, reached) + width
    return placed


def _still(frame: Keyframe) -> PageStill | None:
    try:
        with unwarned(), Image.open(io.BytesIO(base64.b64decode(frame.data, validate=True))) as image:
            if image.width * image.height > MOST_PIXELS:
                return None
            image.thumbnail((LONG_SIDE, LONG_SIDE), reducing_gap=3.0)
            small = ImageOps.exif_transpose(image).convert("RGB")
    except (binascii.Error, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None  # whatever it is, it is no picture; what was measured of it stands nevertheless
    file = io.BytesIO()
    small.save(file, "JPEG", quality=_QUALITY)
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return PageStill(frame.time, clock(frame.time), small.width, small.height, data)
