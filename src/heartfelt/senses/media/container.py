"""Opening a container safely, and decoding one of its tracks as far as it can be decoded."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import TypeVar

import av
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.error import FFmpegError
from av.packet import Packet
from av.stream import Discard, Stream
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from heartfelt.errors import InputError
from heartfelt.senses.media.notes import Notes
from heartfelt.senses.media.source import Source

Track = TypeVar("Track", VideoStream, AudioStream)

MOST_VIDEO_PIXELS = 20_000_000
"""Pixels of one video frame. A decoder holds many frames at once: 4K has 8.8 million, and 8K would take a gigabyte."""
_THREADS = 2
_OPTIONS = {
    # A playlist inside a file may name other files or addresses: none of them is opened.
    "protocol_whitelist": "none",
    "max_pixels": str(MOST_VIDEO_PIXELS),
}
_NOT_MEDIA = {"tty"}
"""Formats that show plain text as a moving picture: a text file is no video."""


@contextmanager
def opened(source: Source) -> Generator[InputContainer, None, None]:
    with source.open() as file:
        try:
            container = av.open(file, "r", options=_OPTIONS, metadata_errors="replace")
        except (FFmpegError, OSError, ValueError):
            raise InputError(_why_not(source)) from None
        with container:
            if container.format.name in _NOT_MEDIA:
                raise InputError(_why_not(source))
            yield container


def track_at(container: InputContainer, index: int, kind: type[Track], name: str) -> Track:
    """The track that was found when the recording was opened; it may have been replaced by another since."""
    stream = container.streams[index] if index < len(container.streams) else None
    if not isinstance(stream, kind):
        raise InputError(f"{name} has changed since it was opened. Open it again.")
    return stream


def select(container: InputContainer, stream: Stream) -> None:
    """Have only this track read, by few threads and within the pixel limit."""
    for other in container.streams:
        if other.index != stream.index:
            other.discard = Discard.all
    stream.codec_context.options = {"max_pixels": _OPTIONS["max_pixels"]}
    if stream.type == "video":
        stream.codec_context.thread_type = "AUTO"
        stream.codec_context.thread_count = _THREADS


def decoded_pictures(container: InputContainer, stream: VideoStream, notes: Notes) -> Iterator[VideoFrame]:
    return (frame for frame in _decoded(container, stream, notes) if isinstance(frame, VideoFrame))


def decoded_sounds(container: InputContainer, stream: AudioStream, notes: Notes) -> Iterator[AudioFrame]:
    return (frame for frame in _decoded(container, stream, notes) if isinstance(frame, AudioFrame))


def _decoded(container: InputContainer, stream: VideoStream | AudioStream, notes: Notes) -> Iterator[object]:
    """All frames that can be had. What is damaged is left out and noted, so that a cut recording still gives its beginning."""
    damaged = 0
    for packet in packets(container, (stream,), notes):
        try:
            frames = packet.decode()
        except (FFmpegError, ValueError):
            damaged += 1
            continue
        yield from frames
    if damaged:
        what = "picture" if stream.type == "video" else "sound"
        pieces = "1 piece" if damaged == 1 else f"{damaged} pieces"
        notes.add(f"{pieces} of the {what} could not be decoded and {'was' if damaged == 1 else 'were'} left out.")


def packets(container: InputContainer, streams: tuple[Stream, ...], notes: Notes) -> "Iterator[Packet[Stream]]":
    """The tracks' packets up to the end or to where the file breaks off; last, one that empties each decoder."""
    reading = container.demux(streams)
    while True:
        try:
            packet = next(reading, None)
        except (FFmpegError, OSError):
            notes.add("The file breaks off or is damaged; what comes before that was read.")
            yield from (_last(stream) for stream in streams)
            return
        if packet is None:
            return
        yield packet


def _last(stream: Stream) -> "Packet[Stream]":
    packet: Packet[Stream] = Packet()
    packet.stream = stream
    return packet


def _why_not(source: Source) -> str:
    with source.open() as file:
        is_cut = file.read(8)[4:] == b"ftyp"
    if is_cut:
        return (
            f"{source.name} begins like an MP4 but its index is missing, as when a recording is cut off. "
            "Record or export it again."
        )
    return f"{source.name} is no video, sound or picture that can be read. Export it again, for example as MP4, WAV or JPEG."
