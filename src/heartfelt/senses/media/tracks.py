"""Which of a container's tracks are looked at and listened to."""

from typing import NamedTuple

from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Disposition, Stream
from av.video.stream import VideoStream

from heartfelt.errors import InputError
from heartfelt.senses.media.container import UNREAD

_COVER = Disposition.attached_pic | Disposition.timed_thumbnails
_ASIDE = (
    Disposition.comment
    | Disposition.descriptions
    | Disposition.visual_impaired
    | Disposition.clean_effects
    | Disposition.non_diegetic
    | Disposition.karaoke
    | Disposition.dub
)
"""Tracks that hold someone else's voice, or none."""
_SAMPLE_RATES = range(1_000, 800_000)
"""What a recorder can be thought to use: a claim of one sample a second would swell sixteen thousandfold."""


class Choice(NamedTuple):
    stream: AudioStream
    number: int
    tracks: int
    why: str


def picture_track(container: InputContainer) -> VideoStream | None:
    """The one marked as default, else the largest. The cover of a song is no video."""
    tracks = [stream for stream in container.streams.video if _is_decodable(stream) and not stream.disposition & _COVER]
    return max(tracks, key=lambda stream: (_is_default(stream), stream.width * stream.height, -stream.index), default=None)


def sound_track(container: InputContainer, wished: int | None, name: str) -> Choice | None:
    """The wished one, counted from 1; else the speaker's own voice as far as the marks on the tracks tell."""
    tracks = container.streams.audio
    if wished is not None:
        if not 1 <= wished <= len(tracks):
            raise InputError(f"{name} has {len(tracks)} sound tracks, so there is no number {wished}. Choose another.")
        if not _is_audible(tracks[wished - 1]):
            raise InputError(f"Sound track {wished} of {name} cannot be decoded. Choose another.")
        return Choice(tracks[wished - 1], wished, len(tracks), "asked for")
    usable = [stream for stream in tracks if _is_audible(stream)]
    if not usable:
        return None
    chosen, why = _preferred(usable)
    return Choice(chosen, tracks.index(chosen) + 1, len(tracks), "the only one" if len(tracks) == 1 else why)


def _preferred(tracks: list[AudioStream]) -> tuple[AudioStream, str]:
    own = [stream for stream in tracks if not stream.disposition & _ASIDE]
    if not own:
        return tracks[0], "the first; all are marked as commentary or the like"
    default = [stream for stream in own if _is_default(stream)]
    if len(default) == 1 and len(own) > 1:
        return default[0], "marked as the default"
    original = [stream for stream in default or own if stream.disposition & Disposition.original]
    if original:
        return original[0], "marked as the original"
    if len(own) == 1:
        return own[0], "the only one that is not commentary or the like and can be decoded"
    return (default or own)[0], "the first, as no single one is marked as the default"


def _is_audible(stream: AudioStream) -> bool:
    return _is_decodable(stream) and stream.sample_rate in _SAMPLE_RATES and stream.channels > 0


def _is_decodable(stream: Stream) -> bool:
    # The type promises a decoder; where there is none for the encoding, the library gives None nevertheless.
    return getattr(stream, "codec_context", None) is not None and stream.codec_context.name not in UNREAD


def _is_default(stream: Stream) -> bool:
    return bool(stream.disposition & Disposition.default)
