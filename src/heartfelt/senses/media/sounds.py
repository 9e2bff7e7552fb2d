"""Walking a recording's sound: mono chunks at 16 kHz that follow each other without a hole."""

from collections.abc import Iterator

from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.error import FFmpegError

from heartfelt.errors import InputError
from heartfelt.senses.media.clock import Clock
from heartfelt.senses.media.container import decoded_sounds, opened, select, track_at
from heartfelt.senses.media.pictures import note_early_end
from heartfelt.senses.media.pieces import SAMPLE_RATE, MediaNotes, Samples, Sound
from heartfelt.senses.media.resampling import Chunks, Mono
from heartfelt.senses.media.source import MediaSource

TOLERANCE = 0.05
"""Seconds by which a stamp may differ from where the sound has got to: stamps are rounded, and clocks drift."""


def walk_sounds(source: MediaSource, index: int, origin: float, *, chunks: Chunks, notes: MediaNotes) -> Iterator[Sound]:
    """Chunks from time 0 on. Where the stamps leave a gap there is silence; where they overlap the later part gives way."""
    with opened(source) as container:
        stream = track_at(container, index, AudioStream, source.name)
        select(container, stream)
        clock, line = Clock(origin, notes), SoundLine(chunks, notes)
        for frame in decoded_sounds(container, stream, notes):
            time = clock.at(_stamp(frame), frame.samples / frame.sample_rate)
            if clock.is_over:
                break
            yield from line.place(frame, time)
        yield from line.finish()
        if not chunks.written:
            raise InputError(f"No sound of {source.name} could be decoded. Record or export it again.")
        note_early_end(container, stream, clock.reached, origin, notes)


class SoundLine:
    """Lays frames on the line of time. Frames that join without a seam are one run through one resampler."""

    def __init__(self, chunks: Chunks, notes: MediaNotes):
        self._chunks = chunks
        self._notes = notes
        self._run: Mono | None = None
        self._kind: tuple[str, str, int] | None = None
        self._end = 0.0
        """Where the latest frame ended."""
        self._overlap = 0
        """Samples that are still to be left out."""

    def place(self, frame: AudioFrame, time: float) -> Iterator[Sound]:
        kind = (frame.format.name, frame.layout.name, frame.sample_rate)
        if self._run is None or kind != self._kind or abs(time - self._end) > TOLERANCE:
            yield from self._begin_run(time)
            self._kind, self._end = kind, time
        self._end += frame.samples / frame.sample_rate
        assert self._run is not None
        try:
            samples = self._run.push(frame)
        except (FFmpegError, ValueError):
            self._notes.add("A part of the sound has channels that cannot be mixed and was left out.")
            self._run = None
            return
        yield from self._chunks.push(self._without_overlap(samples))

    def finish(self) -> Iterator[Sound]:
        yield from self._end_run()
        yield from self._chunks.rest()

    def _begin_run(self, time: float) -> Iterator[Sound]:
        yield from self._end_run()
        missing = round(time * SAMPLE_RATE) - self._chunks.written
        if missing > TOLERANCE * SAMPLE_RATE and self._chunks.written:
            self._notes.add("Sound is missing in places; they were filled with silence.")
        yield from self._chunks.silence(max(0, missing))
        self._run, self._overlap = Mono(), max(0, -missing)

    def _end_run(self) -> Iterator[Sound]:
        if self._run is not None:
            yield from self._chunks.push(self._without_overlap(self._run.flush()))
            self._run = None

    def _without_overlap(self, samples: Samples) -> Samples:
        left_out = min(self._overlap, len(samples))
        self._overlap -= left_out
        return samples[left_out:]


def _stamp(frame: AudioFrame) -> float | None:
    return None if frame.pts is None or frame.time_base is None else float(frame.pts * frame.time_base)
