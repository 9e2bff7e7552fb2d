"""Still pictures."""

import io
import zlib

import numpy as np
import pytest
from PIL import Image

from heartfelt.errors import InputError
from heartfelt.senses.media import open_media

from .studio import corners, noise, quarters

UPRIGHT = ["red", "green", "blue", "white"]


def picture(kind: str, pixels=None, **options) -> bytes:
    file = io.BytesIO()
    Image.fromarray(quarters(80, 60) if pixels is None else pixels).save(file, kind, **options)
    return file.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP", "TIFF", "GIF"])
def test_a_still_is_one_upright_frame_at_zero(kind):
    media = open_media(picture(kind))
    frames = list(media.frames())
    assert [frame.time for frame in frames] == [pytest.approx(0)]
    assert corners(frames[0].pixels) == UPRIGHT
    if kind != "GIF":
        assert media.clip.kind == "picture" and media.clip.duration is None


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photograph_stands_upright(orientation):
    exif = Image.Exif()
    exif[0x0112] = orientation
    undo = {1: None, 2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}[orientation]
    stored = Image.fromarray(quarters(80, 60))
    stored = stored if undo is None else stored.transpose(Image.Transpose(undo))
    file = io.BytesIO()
    stored.save(file, "JPEG", exif=exif)
    media = open_media(file.getvalue())
    assert corners(next(media.frames()).pixels) == UPRIGHT
    assert media.clip.picture and (media.clip.picture.width, media.clip.picture.height) == (80, 60)


def test_a_single_pixel_is_a_picture():
    pixels = next(open_media(picture("PNG", np.full((1, 1, 3), 7, np.uint8))).frames()).pixels
    assert pixels.tolist() == [[[7, 7, 7]]]


@pytest.mark.parametrize("size", [(3000, 1000), (1000, 3000), (5000, 1)])
def test_the_long_side_is_bounded(size):
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    for kind in ("JPEG", "PNG"):
        assert max(next(open_media(picture(kind, pixels)).frames()).pixels.shape) == 640


def test_grey_deep_and_see_through_pictures_become_plain():
    deep = (np.arange(256, dtype=np.uint16) * 256).reshape(16, 16)
    pixels = next(open_media(picture("PNG", deep)).frames()).pixels
    assert pixels.shape == (16, 16, 3) and pixels[8, 0, 0] == 128
    clear = np.zeros((8, 8, 4), np.uint8)
    assert next(open_media(picture("PNG", clear)).frames()).pixels.min() == 255


def test_a_cut_photograph_gives_what_can_be_seen():
    whole = picture("JPEG", noise(320, 240))
    media = open_media(whole[: len(whole) // 2])
    assert media.clip.kind == "picture"
    assert next(media.frames()).pixels.shape == (240, 320, 3)
    assert any("damaged" in note for note in media.notes)


def test_of_a_moving_picture_the_first_is_read():
    first, second = Image.fromarray(quarters(80, 60)), Image.fromarray(noise(80, 60))
    file = io.BytesIO()
    first.save(file, "WEBP", save_all=True, append_images=[second], lossless=True)
    media = open_media(file.getvalue())
    assert corners(next(media.frames()).pixels) == UPRIGHT
    assert any("only the first" in note for note in media.notes)


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims a huge size."""

    def part(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    data = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", data) + part(b"IEND", b"")


@pytest.mark.parametrize("size", [(10_000, 6_000), (10_000, 10_000), (60_000, 60_000), (2**31 - 1, 2**31 - 1)])
def test_a_decompression_bomb_is_refused_before_decoding(size):
    with pytest.raises(InputError, match="50 million"):
        open_media(bomb(*size))


def test_a_still_has_no_sound():
    with pytest.raises(InputError, match="has no sound"):
        open_media(picture("PNG")).audio()
