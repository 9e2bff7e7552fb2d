"""Which way up a stored picture is to be shown."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from heartfelt.senses.media.pieces import Pixels

_FILMED = frozenset(
    {
        "h264",
        "hevc",
        "vp8",
        "vp9",
        "av1",
        "libdav1d",
        "libvpx",
        "libvpx-vp9",
        "mpeg4",
        "mpeg2video",
        "h263",
        "prores",
        "vc1",
        "dvvideo",
    }
)
"""Encodings that cameras film in. Of others the side data is not touched: where it has a name of its own, as the colour profile
of a PNG has, the library frees that twice, and the whole process dies."""
_TURNS = {(1, 0): 0, (0, 1): 1, (-1, 0): 2, (0, -1): 3}


@dataclass(frozen=True)
class Orientation:
    """What is to be done with a stored picture: mirror it left to right if so, then turn it clockwise by quarters."""

    turns: int = 0
    mirrored: bool = False

    @property
    def degrees(self) -> Literal[0, 90, 180, 270]:
        return (0, 90, 180, 270)[self.turns]

    def size(self, width: int, height: int) -> tuple[int, int]:
        return (height, width) if self.turns % 2 else (width, height)

    def upright(self, pixels: Pixels) -> Pixels:
        return np.ascontiguousarray(np.rot90(pixels[:, ::-1] if self.mirrored else pixels, -self.turns))


class Orientations:
    """The orientation of each frame of a track, read in full once for each angle.

    A frame whose side data was looked at refers to itself and stays in memory until the garbage collector comes by: at 4K a
    few hundred such frames are gigabytes. Its angle alone can be had without that.
    """

    def __init__(self, stream: VideoStream):
        self._stream = stream
        self._known: dict[int, Orientation] = {}

    def of(self, frame: VideoFrame) -> Orientation:
        if frame.rotation not in self._known:
            self._known[frame.rotation] = orientation_of(frame, self._stream)
        return self._known[frame.rotation]


def orientation_of(frame: VideoFrame, stream: VideoStream) -> Orientation:
    """As the frame's display matrix says; else as the track's `rotate` tag says, which older recorders wrote."""
    matrix = _matrix(frame) if stream.codec_context.name in _FILMED else None
    if matrix is not None:
        return of_matrix(np.frombuffer(matrix, np.int32)[[0, 1, 3, 4]].tolist())
    if frame.rotation:
        return Orientation(turns=round(-frame.rotation / 90) % 4)
    tag = next((value for key, value in stream.metadata.items() if key.lower() == "rotate"), "0")
    try:
        return Orientation(turns=round(float(tag) / 90) % 4)
    except (ValueError, OverflowError):
        return Orientation()


def _matrix(frame: VideoFrame) -> Any:
    try:
        return cast(Mapping[str, Any], frame.side_data).get("DISPLAYMATRIX")
    except ValueError:  # beside it is something that the library has no name for, such as the second eye of a telephone
        return None


def of_matrix(matrix: list[int]) -> Orientation:
    """From the matrix [a, b, c, d] that takes column x and row y to column ax + cy and row bx + dy.

    A slanted picture is turned to the nearest quarter: a face detector forgives the rest.
    """
    a, b, c, d = matrix
    mirrored = a * d - b * c < 0
    across, down = (-a, -b) if mirrored else (a, b)
    nearest = (_sign(across), 0) if abs(across) >= abs(down) else (0, _sign(down))
    return Orientation(_TURNS.get(nearest, 0), mirrored)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
