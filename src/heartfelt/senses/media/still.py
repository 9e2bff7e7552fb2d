"""Reading a still picture: its size first, and its pixels only once the size is known to be bearable."""

import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from heartfelt.errors import InputError
from heartfelt.senses.media.clip import PictureTrack
from heartfelt.senses.media.pictures import refuse_huge
from heartfelt.senses.media.pieces import Pixels
from heartfelt.senses.media.source import MediaSource

MOST_PIXELS = 50_000_000
"""Pixels of a still picture. Telephones take 12 to 50 million; a bomb claims thousands of millions in a few bytes."""
_FORMATS = ("JPEG", "PNG", "WEBP", "BMP", "TIFF", "AVIF")
_DEEP = ("I;16", "I;16B", "I;16L", "I;16N", "I")
_TILED = (b"heic", b"heix", b"heim", b"heis", b"mif1")
_UPENDED = range(5, 9)
"""Orientations of a photograph that swap width and height."""


@dataclass(frozen=True)
class Still:
    source: MediaSource
    track: PictureTrack
    note: str = ""

    def pixels(self, long_side: int) -> Pixels:
        with self.source.open() as file, Image.open(file, formats=_FORMATS) as image:
            upright = ImageOps.exif_transpose(_scaled(image, long_side))
            return np.array(_plain(upright), np.uint8)


@contextmanager
def unwarned() -> Generator[None, None, None]:
    """A large picture is refused in a sentence of our own, without the library's warning about it on the terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        yield


def still_of(source: MediaSource) -> Still | None:
    """The still picture that the source holds, or None where it holds none or a damaged one."""
    try:
        with unwarned(), source.open() as file, Image.open(file, formats=_FORMATS) as image:
            refuse_huge(image.width, image.height, source.name, MOST_PIXELS)
            still = Still(source, _track(image), _note(image))
        still.pixels(1)
    except Image.DecompressionBombError:
        raise InputError(
            f"{source.name} is a huge picture; at most {MOST_PIXELS / 1e6:.0f} million pixels are read. Scale it down first."
        ) from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError):
        _refuse_tiles(source)
        return None
    return still


def _refuse_tiles(source: MediaSource) -> None:
    """A telephone's HEIC picture would be taken for a video, and one tile of it for the whole."""
    with source.open() as file:
        head = file.read(12)
    if head[4:8] == b"ftyp" and head[8:] in _TILED:
        raise InputError(f"{source.name} is a HEIC picture, which cannot be read. Export it as JPEG.")


def _track(image: Image.Image) -> PictureTrack:
    upended = image.getexif().get(0x0112) in _UPENDED
    width, height = (image.height, image.width) if upended else (image.width, image.height)
    return PictureTrack(width=width, height=height, codec=(image.format or "").lower())


def _note(image: Image.Image) -> str:
    return "The picture moves or has pages; only the first one was read." if getattr(image, "n_frames", 1) > 1 else ""


def _scaled(image: Image.Image, long_side: int) -> Image.Image:
    if image.mode in _DEEP:
        exif = image.getexif()
        image = Image.fromarray((np.clip(np.asarray(image), 0, 65535) // 256).astype(np.uint8))
        image.getexif().update(exif)
    image.thumbnail((long_side, long_side), reducing_gap=3.0)
    return image


def _plain(image: Image.Image) -> Image.Image:
    """Red, green and blue. What is see-through is put on white, as on paper."""
    if not image.has_transparency_data:
        return image.convert("RGB")
    solid = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", solid.size, "white"), solid).convert("RGB")
