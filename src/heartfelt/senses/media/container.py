"""Opening a container safely, and decoding one of its tracks as far as it can be decoded."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from time import perf_counter
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
from heartfelt.senses.media.clock import LONGEST
from heartfelt.senses.media.pieces import MediaNotes
from heartfelt.senses.media.source import MediaSource

Track = TypeVar("Track", VideoStream, AudioStream)

MOST_VIDEO_PIXELS = 20_000_000
"""Pixels of one video frame. A decoder holds many frames at once: 4K has 8.8 million, and 8K would take a gigabyte."""
_THREADS = 2
MOST_TRACKS = 64
PATIENCE, EFFORT = 120.0, 10.0
"""Seconds of decoding that are spent at least, and for each second of the recording: a small file can hold hours of work."""
_FORMATS = (
    "matroska,mp4,avi,mpegts,mpeg,mpegvideo,m4v,flv,live_flv,asf,ogg,mxf,nut,dv,wtv,rm,ivf,obu,av1,h264,hevc,vc1,mjpeg,mpjpeg,"
    "wav,w64,mp3,flac,aac,ac3,eac3,aiff,au,caf,amr,amrnb,amrwb,gsm,wv,tta,ape,mpc,mpc8,voc,adts,dts,sln,qcp,"
    "gif,webp,bmp_pipe,gif_pipe,jpeg_pipe,jpegls_pipe,jpegxl_pipe,jpegxl_anim,j2k_pipe,pbm_pipe,pgm_pipe,ppm_pipe,"
    "pam_pipe,qoi_pipe,sgi_pipe,tiff_pipe,webp_pipe"
)
"""What cameras, telephones and browsers record. Playlists, text shown as video and the films of old games are not read."""
UNREAD = frozenset({"png", "apng"})
"""Encodings that a track may not have. What is packed beside the pixels of a PNG is unpacked without a limit: a file of half a
megabyte fills gigabytes. Still pictures are read by another library, which has one."""
_OPTIONS = {
    "format_whitelist": _FORMATS,
    "codec_whitelist": ",".join(sorted(av.codecs_available - UNREAD)),
    # What names other files or addresses all the same: none of them is opened.
    "protocol_whitelist": "none",
    "max_streams": str(MOST_TRACKS),
    "max_pixels": str(MOST_VIDEO_PIXELS),
}


@contextmanager
def opened(source: MediaSource) -> Generator[InputContainer, None, None]:
    with source.open() as file:
        try:
            container = av.open(file, "r", options=_OPTIONS, metadata_errors="replace")
        except (FFmpegError, OSError, ValueError):
            raise InputError(_why_not(source)) from None
        with container:
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


def decoded_pictures(container: InputContainer, stream: VideoStream, notes: MediaNotes) -> Iterator[VideoFrame]:
    return (frame for frame in _decoded(container, stream, notes) if isinstance(frame, VideoFrame))


def decoded_sounds(container: InputContainer, stream: AudioStream, notes: MediaNotes) -> Iterator[AudioFrame]:
    return (frame for frame in _decoded(container, stream, notes) if isinstance(frame, AudioFrame))


def _decoded(container: InputContainer, stream: VideoStream | AudioStream, notes: MediaNotes) -> Iterator[object]:
    """All frames that can be had. What is damaged is left out and noted, so that a cut recording still gives its beginning."""
    damaged, effort = 0, Effort()
    for packet in packets(container, (stream,), notes):
        if packet.is_corrupt and stream.type == "video":  # cut off: some decoders make a picture of it all the same
            damaged += 1
            continue
        try:
            with effort.spent_on(packet):
                frames = packet.decode()
        except (FFmpegError, ValueError):
            damaged += 1
            frames = []
        yield from frames
        if effort.is_too_much:
            notes.add("Decoding takes far longer than the recording itself; the rest of it was left out.")
            break
    if damaged:
        what = "picture" if stream.type == "video" else "sound"
        pieces = "1 piece" if damaged == 1 else f"{damaged} pieces"
        notes.add(f"{pieces} of the {what} could not be decoded and {'was' if damaged == 1 else 'were'} left out.")


class Effort:
    """How long decoding takes beside what is decoded. What others do with the frames does not count."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._first: float | None = None
        self._reached = 0.0

    @contextmanager
    def spent_on(self, packet: "Packet[Stream]") -> Generator[None, None, None]:
        self._reach(packet)
        begun = perf_counter()
        try:
            yield
        finally:
            self._seconds += perf_counter() - begun

    @property
    def is_too_much(self) -> bool:
        return self._seconds > PATIENCE + EFFORT * min(self._reached, LONGEST)

    def _reach(self, packet: "Packet[Stream]") -> None:
        if packet.pts is None:  # the last one, that empties the decoder
            return
        time = float(packet.pts * packet.time_base)
        self._first = time if self._first is None else self._first
        self._reached = max(self._reached, time - self._first)


def packets(container: InputContainer, streams: tuple[Stream, ...], notes: MediaNotes) -> "Iterator[Packet[Stream]]":
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


def _why_not(source: MediaSource) -> str:
    with source.open() as file:
        is_cut = file.read(8)[4:] == b"ftyp"
    if is_cut:
        return (
            f"{source.name} begins like an MP4 but its index is missing, as when a recording is cut off. "
            "Record or export it again."
        )
    return f"{source.name} is no video, sound or picture that can be read. Export it again, for example as MP4, WAV or JPEG."
