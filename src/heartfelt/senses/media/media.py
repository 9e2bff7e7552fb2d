"""A recording that can be walked: its frames, its sound, as often and in whatever order."""

from collections.abc import Iterator
from pathlib import Path

from heartfelt.errors import InputError
from heartfelt.senses.media.clip import Clip
from heartfelt.senses.media.pictures import walk_pictures
from heartfelt.senses.media.pieces import FRAME_RATE, LONG_SIDE, MediaNotes, Picture, Sound
from heartfelt.senses.media.probe import Probed, probe
from heartfelt.senses.media.resampling import Chunks
from heartfelt.senses.media.scaling import Scaler, TimeGrid
from heartfelt.senses.media.sounds import walk_sounds
from heartfelt.senses.media.source import MediaSource, source_of
from heartfelt.senses.media.still import Still, still_of


class Media:
    """A recording. Nothing is open between walks, so there is nothing to close."""

    def __init__(self, source: MediaSource, found: Probed, still: Still | None = None):
        self.clip: Clip = found.clip
        self._source = source
        self._found = found
        self._still = still
        self._notes = MediaNotes()

    @property
    def notes(self) -> tuple[str, ...]:
        """What was odd, as far as it has been walked: complete once both walks are."""
        return tuple(dict.fromkeys((*self.clip.notes, *self._notes.all())))

    def frames(self, *, rate: float = FRAME_RATE, long_side: int = LONG_SIDE) -> Iterator[Picture]:
        """At most `rate` frames a second, upright, the long side at most so many pixels. A still picture is one frame at 0."""
        grid, scaler = TimeGrid(rate), Scaler(long_side)
        if self._still:
            return iter((Picture(0.0, self._still.pixels(long_side)),))
        if self._found.picture is None:
            raise InputError(f"{self.clip.name} has no picture. Give a video or a picture, or use its sound only.")
        return walk_pictures(self._source, self._found.picture, self.clip.start, grid=grid, scaler=scaler, notes=self._notes)

    def audio(self, *, seconds: float = 1.0) -> Iterator[Sound]:
        """Chunks of so many seconds that follow each other from time 0 without a hole; the last may be shorter."""
        chunks = Chunks(seconds)
        if self._found.sound is None:
            raise InputError(f"{self.clip.name} has no sound. Give a recording with sound, or use its picture only.")
        return walk_sounds(self._source, self._found.sound, self.clip.start, chunks=chunks, notes=self._notes)


def open_media(given: str | Path | bytes, *, name: str = "", track: int | None = None) -> Media:
    """Open a video, sound or picture by its path, or by its bytes, which then never touch the disk.

    `name` is what messages call it. `track` picks a sound track, counted from 1; without it the speaker's own is looked for.
    """
    source = source_of(given, name)
    still = still_of(source)
    if still is None:
        return Media(source, probe(source, track))
    clip = Clip(name=source.name, kind="picture", picture=still.track, notes=(still.note,) if still.note else ())
    return Media(source, Probed(clip, None, None), still)
