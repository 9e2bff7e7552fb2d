"""Walking a video's frames: as many a second as wished, upright, scaled, one at a time."""

from collections.abc import Iterator
from fractions import Fraction

from av import time_base
from av.container import InputContainer
from av.error import FFmpegError
from av.stream import Stream
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from heartfelt.errors import InputError
from heartfelt.senses.media.clock import Clock
from heartfelt.senses.media.container import MOST_VIDEO_PIXELS, decoded_pictures, opened, select, track_at
from heartfelt.senses.media.orientation import Orientations
from heartfelt.senses.media.pieces import MediaNotes, Picture
from heartfelt.senses.media.scaling import Scaler, TimeGrid
from heartfelt.senses.media.source import MediaSource

_SANE_ASPECT = (Fraction(1, 4), Fraction(4))


def walk_pictures(
    source: MediaSource, index: int, origin: float, *, grid: TimeGrid, scaler: Scaler, notes: MediaNotes
) -> Iterator[Picture]:
    """Every frame that the grid takes. Only the frame in hand and what the decoder needs are ever in memory."""
    with opened(source) as container:
        stream = track_at(container, index, VideoStream, source.name)
        select(container, stream)
        clock, orientations, found = Clock(origin, notes), Orientations(stream), False
        for frame in decoded_pictures(container, stream, notes):
            time = clock.at(_stamp(frame), _length(frame, stream))
            if clock.is_over:
                break
            if not grid.takes(time):
                continue
            try:
                pixels = scaler.scaled(frame, *shown_size(frame.width, frame.height, stream))
            except (FFmpegError, ValueError):
                notes.add("Some frames have colours that cannot be converted; they were left out.")
                continue
            found = True
            yield Picture(time, orientations.of(frame).upright(pixels))
        if not found:
            raise InputError(f"No frame of {source.name} could be decoded. Record or export it again.")
        note_early_end(container, stream, clock.reached, origin, notes)


def shown_size(width: int, height: int, stream: VideoStream) -> tuple[int, int]:
    """The size with square pixels, before turning: some cameras store narrow pixels, and a face must not look thin."""
    aspect = stream.sample_aspect_ratio
    if not aspect or not _SANE_ASPECT[0] <= aspect <= _SANE_ASPECT[1]:
        return width, height
    return (round(width * aspect), height) if aspect > 1 else (width, round(height / aspect))


def refuse_huge(width: int, height: int, name: str, limit: int = MOST_VIDEO_PIXELS) -> None:
    if width * height > limit:
        raise InputError(
            f"{name} claims {width} × {height} pixels; at most {limit / 1e6:.0f} million can be read. Scale it down first."
        )


def note_early_end(container: InputContainer, stream: Stream, reached: float, origin: float, notes: MediaNotes) -> None:
    """A track that stops long before its claimed end was cut short, even where the decoder found nothing wrong."""
    claimed = _claimed_end(container, stream) - origin
    if reached < claimed - max(1.0, 0.05 * claimed):
        what = "picture" if stream.type == "video" else "sound"
        notes.add(f"The {what} ends after {reached:.1f} s although {claimed:.1f} s are claimed: the file may be cut short.")


def _claimed_end(container: InputContainer, stream: Stream) -> float:
    """The track's own claim; else the whole file's, which sound beside a picture need not fill."""
    if stream.duration and stream.time_base:
        return float((stream.duration + (stream.start_time or 0)) * stream.time_base)
    if container.duration and (stream.type == "video" or len(container.streams) == 1):
        return (container.duration + (container.start_time or 0)) / time_base
    return 0.0


def _stamp(frame: VideoFrame) -> float | None:
    return None if frame.pts is None or frame.time_base is None else float(frame.pts * frame.time_base)


def _length(frame: VideoFrame, stream: VideoStream) -> float:
    if frame.duration and frame.time_base:
        return float(frame.duration * frame.time_base)
    rate = stream.average_rate or stream.guessed_rate
    return float(1 / rate) if rate else 0.0
