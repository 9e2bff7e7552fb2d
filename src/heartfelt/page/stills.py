"""The stills of a turn, made small enough that a page of them opens at once."""

import base64
import binascii
import io

from PIL import Image, ImageOps

from heartfelt.records import Keyframe
from heartfelt.senses.media.still import MOST_PIXELS, unwarned

MOST = 12
"""Stills on a page; of more, these are spread evenly over them."""
LONG_SIDE = 320
_QUALITY = 80


def stills(frames: tuple[Keyframe, ...]) -> tuple[Keyframe, ...]:
    """Those that can be opened, in the order of time. Equal pictures of one moment are shown once."""
    known = sorted(dict.fromkeys(frame for frame in frames if frame.mime.startswith("image/")), key=lambda frame: frame.time)
    few = known if len(known) <= MOST else [known[place * (len(known) - 1) // (MOST - 1)] for place in range(MOST)]
    return tuple(still for still in map(_still, few) if still is not None)


def _still(frame: Keyframe) -> Keyframe | None:
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
    return Keyframe(time=frame.time, mime="image/jpeg", data=base64.b64encode(file.getvalue()).decode("ascii"))
