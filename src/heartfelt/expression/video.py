"""Writes frames and speech as an MP4 (H.264 and AAC) that says of itself that nobody was filmed.

The file is written beside its target under another name and renamed at the end, so a target is whole or not there.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from heartfelt.errors import InputError
from heartfelt.files import whole

Frame = NDArray[np.uint8]
Samples = NDArray[np.floating[Any]]

FPS = 25
SOURCE_TYPE = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
"""IPTC's term for media that a trained model made; C2PA manifests use the same."""
NOTE = "Synthetic: a computer-generated avatar and voice, made by Heartfelt. No person was filmed or recorded."
_SOUND_FRAME = 1024


def write_video(
    frames: Iterable[Frame],
    samples: Samples | None,
    rate: int,
    target: Path,
    *,
    fps: int = FPS,
    mark: str | None = None,
    title: str = "",
    quality: int = 20,
) -> Path:
    """Write frames [height, width, 3] and mono samples (from -1 to 1, `rate` a second) to `target`.

    Without samples there is no sound. `mark` is a small text in the lower corner of every frame. `quality` is x264's CRF: less
    is better. Frames are taken one by one, so a long film needs no memory; whatever stops them leaves no file behind.
    """
    if target.suffix.lower() != ".mp4":
        raise InputError(f"A film is written as MP4, and '{target.name}' is named otherwise: give a name that ends in .mp4.")
    with whole(target) as draft:
        _write(draft, frames, samples, rate, fps=fps, mark=mark, title=title, quality=quality)
    return target


def _write(
    path: Path,
    frames: Iterable[Frame],
    samples: Samples | None,
    rate: int,
    *,
    fps: int,
    mark: str | None,
    title: str,
    quality: int,
) -> None:
    rest = iter(frames)
    first = next(rest, None)
    if first is None:
        raise InputError("A film needs at least one frame.")
    with av.open(path, "w", options={"movflags": "+faststart+use_metadata_tags"}) as container:
        container.metadata.update(_metadata(title))
        picture = _picture_stream(container, first, fps, quality)
        sound = container.add_stream("aac", rate=rate, layout="mono") if samples is not None else None
        blocks = _blocks(samples, rate) if samples is not None else iter(())
        stamp = _stamp(first, mark)
        for index, frame in enumerate(_chained(first, rest)):
            container.mux(picture.encode(_encoded(frame, first, stamp, index, fps)))
            if sound is not None:  # sound goes along with the pictures, so that a player need not seek
                _mux_until(container, sound, blocks, (index + 1) * rate // fps)
        container.mux(picture.encode())
        if sound is not None:
            _mux_until(container, sound, blocks, None)
            container.mux(sound.encode())


def _metadata(title: str) -> dict[str, str]:
    return {
        "title": title or "Heartfelt avatar",
        "comment": NOTE,
        "description": NOTE,
        "digitalSourceType": SOURCE_TYPE,
        "synthetic": "true",
        "generator": "Heartfelt",
    }


def _picture_stream(container: Any, first: Frame, fps: int, quality: int) -> Any:
    height, width = _checked(first).shape[:2]
    stream = container.add_stream("libx264", rate=fps, options={"crf": str(quality), "preset": "veryfast"})
    stream.width, stream.height, stream.pix_fmt = width - width % 2, height - height % 2, "yuv420p"
    return stream


def _encoded(frame: Frame, first: Frame, stamp: "tuple[Frame, NDArray[np.floating[Any]]] | None", index: int, fps: int) -> Any:
    if _checked(frame).shape != first.shape:
        raise InputError(f"All frames of a film have one size; {frame.shape} follows {first.shape}.")
    height, width = frame.shape[0] - frame.shape[0] % 2, frame.shape[1] - frame.shape[1] % 2
    if stamp is not None:
        colour, share = stamp
        frame = (frame * (1 - share) + colour * share).astype(np.uint8)
    encoded = av.VideoFrame.from_ndarray(np.ascontiguousarray(frame[:height, :width]), format="rgb24")
    encoded.pts, encoded.time_base = index, Fraction(1, fps)
    return encoded


def _checked(frame: Frame) -> Frame:
    if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8 or min(frame.shape[:2]) < 16:
        raise InputError(
            f"A frame is a picture of bytes [height, width, 3] of at least 16 dots a side, not {frame.dtype} {frame.shape}."
        )
    return frame


def _chained(first: Frame, rest: Iterator[Frame]) -> Iterator[Frame]:
    yield first
    yield from rest


def _blocks(samples: Samples, rate: int) -> Iterator[Any]:
    if samples.ndim != 1:
        raise InputError(f"The sound of a film is one channel of samples, not an array of shape {samples.shape}.")
    loud = np.clip(np.nan_to_num(samples), -1, 1).astype(np.float32)
    for start in range(0, len(loud), _SOUND_FRAME):
        block = av.AudioFrame.from_ndarray(
            np.ascontiguousarray(loud[None, start : start + _SOUND_FRAME]), format="fltp", layout="mono"
        )
        block.sample_rate, block.pts, block.time_base = rate, start, Fraction(1, rate)
        yield block


def _mux_until(container: Any, sound: Any, blocks: Iterator[Any], end: int | None) -> None:
    """Encode blocks of sound until the next one would begin at or after the sample `end`."""
    for block in blocks:
        container.mux(sound.encode(block))
        if end is not None and cast(int, block.pts) + _SOUND_FRAME >= end:
            return


def _stamp(frame: Frame, mark: str | None) -> "tuple[Frame, NDArray[np.floating[Any]]] | None":
    """The mark's white and how much of it covers each dot."""
    if not mark:
        return None
    height, width = frame.shape[:2]
    picture = Image.new("L", (width, height))
    draw = ImageDraw.Draw(picture)
    size = max(10, height // 36)
    box = draw.textbbox((0, 0), mark, font_size=size)
    draw.text((width - box[2] - size // 2, height - box[3] - size // 2), mark, fill=170, font_size=size)
    share = (np.asarray(picture, np.float32) / 255)[..., None]
    return np.full((1, 1, 3), 255, np.uint8), share
