"""Finding out what a container holds: its tracks, its size as shown, its length."""

from typing import Literal, NamedTuple

from av import time_base
from av.container import InputContainer
from av.stream import Stream
from av.video.stream import VideoStream

from heartfelt.errors import InputError
from heartfelt.senses.media.clip import Clip, PictureTrack, SoundTrack
from heartfelt.senses.media.clock import LONGEST
from heartfelt.senses.media.container import decoded_pictures, opened, packets, select
from heartfelt.senses.media.orientation import orientation_of
from heartfelt.senses.media.pictures import refuse_huge, shown_size
from heartfelt.senses.media.pieces import MediaNotes
from heartfelt.senses.media.source import MediaSource
from heartfelt.senses.media.tracks import Choice, picture_track, sound_track

_STILL_FORMATS = ("_pipe", "image2")


class Probed(NamedTuple):
    clip: Clip
    picture: int | None
    """The index of the picture track in the container."""
    sound: int | None


class _Looked(NamedTuple):
    """What is taken out of a container before it is closed: its own objects may not be touched after that."""

    picture: PictureTrack | None
    sound: SoundTrack | None
    picture_index: int | None
    sound_index: int | None
    start: float
    length: float | None
    is_still: bool


def probe(source: MediaSource, wished: int | None) -> Probed:
    notes = MediaNotes()
    seen = _look(source, wished, notes)
    if not seen.picture and not seen.sound:
        raise InputError(f"{source.name} holds neither picture nor sound that can be decoded. Record or export it again.")
    length, picture = seen.length, seen.picture
    kind: Literal["video", "sound", "picture"] = "video" if picture else "sound"
    if picture and seen.is_still:
        notes.add("The picture is damaged or of a rare kind; what can be seen of it was read.")
        kind, length, picture = "picture", None, picture.model_copy(update={"rate": None})
    elif length is None:
        length = _measured(source, seen, notes)
    name, start, sound = source.name, seen.start, seen.sound
    clip = Clip(name=name, kind=kind, duration=length, start=start, picture=picture, sound=sound, notes=notes.all())
    return Probed(clip, seen.picture_index, seen.sound_index)


def _look(source: MediaSource, wished: int | None, notes: MediaNotes) -> _Looked:
    with opened(source) as container:
        picture, choice = picture_track(container), sound_track(container, wished, source.name)
        track = _picture(container, picture, source.name, notes) if picture else None
        used = (picture if track else None, choice.stream if choice else None)
        return _Looked(
            picture=track,
            sound=_sound(choice) if choice else None,
            picture_index=picture.index if picture and track else None,
            sound_index=choice.stream.index if choice else None,
            start=_start(tuple(stream for stream in used if stream)),
            length=_claimed(container.duration),
            is_still=container.format.name.endswith(_STILL_FORMATS),
        )


def _picture(container: InputContainer, stream: VideoStream, name: str, notes: MediaNotes) -> PictureTrack | None:
    """Which way up a video stands is only known from a frame, so the first one is decoded."""
    refuse_huge(stream.width, stream.height, name)
    select(container, stream)
    frame = next(decoded_pictures(container, stream, MediaNotes()), None)
    if frame is None:
        notes.add("The picture cannot be decoded; only the sound is read.")
        return None
    orientation = orientation_of(frame, stream)
    width, height = orientation.size(*shown_size(frame.width, frame.height, stream))
    rate = stream.average_rate or stream.guessed_rate
    return PictureTrack(
        width=width,
        height=height,
        rate=float(rate) if rate else None,
        rotation=orientation.degrees,
        mirrored=orientation.mirrored,
        codec=stream.codec_context.name,
    )


def _sound(choice: Choice) -> SoundTrack:
    stream = choice.stream
    return SoundTrack(
        number=choice.number,
        tracks=choice.tracks,
        why=choice.why,
        channels=stream.channels,
        sample_rate=stream.sample_rate,
        language=stream.language or "",
        codec=stream.codec_context.name,
    )


def _start(streams: tuple[Stream, ...]) -> float:
    """The earliest stamp of the tracks that are read: their common zero, so that voice and face stay in step."""
    stamps = [(stream.start_time, stream.time_base) for stream in streams]
    return min((float(stamp * base) for stamp, base in stamps if stamp is not None and base), default=0.0)


def _claimed(duration: int | None) -> float | None:
    """As the file says; nothing where it says what no recording has."""
    length = duration / time_base if duration else 0.0
    return length if 0 < length <= LONGEST else None


def _measured(source: MediaSource, seen: _Looked, notes: MediaNotes) -> float | None:
    """The end of the last packet: browsers record files that do not say how long they are. Nothing is decoded."""
    end = seen.start
    with opened(source) as container:
        indices = (index for index in (seen.picture_index, seen.sound_index) if index is not None)
        for packet in packets(container, tuple(container.streams[index] for index in indices), notes):
            if packet.pts is not None:
                end = max(end, float((packet.pts + (packet.duration or 0)) * packet.time_base))
    notes.add("The file does not say how long it is; its length was measured.")
    return min(end - seen.start, LONGEST) if end > seen.start else None
