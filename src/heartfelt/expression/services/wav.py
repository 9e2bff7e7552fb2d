"""Sound on its way to a service and back: WAV files."""

from itertools import chain

import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.error import FFmpegError

from heartfelt.errors import InputError
from heartfelt.expression.services.contract import MOST_SECONDS
from heartfelt.expression.voice.spoken import RATE, Samples
from heartfelt.senses.media.container import decoded_sounds, opened, select
from heartfelt.senses.media.pieces import MediaNotes
from heartfelt.senses.media.source import MediaSource
from heartfelt.senses.media.tracks import sound_track

_RATES = range(8_000, 192_001)
_LEAST = 0.05
"""Seconds: in less nothing can be said."""
_FAINT = 10 ** (-58 / 20)
"""Of full scale: nobody hears what stays below."""


class BadSound(Exception):
    """Says what a sound is, as the end of a sentence that begins with who sent it."""


def read_wav(content: bytes) -> Samples:
    """One channel at 24 kHz, from -1 to 1. What is no WAV, or holds nothing that can be heard, is a BadSound."""
    try:
        samples = _decoded(content)
    except (InputError, FFmpegError, ValueError):
        raise BadSound("sent a sound that is no WAV file or is damaged") from None
    if len(samples) < _LEAST * RATE:
        raise BadSound("sent a WAV file without sound in it")
    if not np.isfinite(samples).all():
        raise BadSound("sent a sound with values in it that are no numbers, as a network that has failed does")
    if np.abs(samples).max() < _FAINT:
        raise BadSound("sent a sound that is silent throughout")
    return np.clip(samples, -1, 1).astype(np.float32, copy=False)


def _decoded(content: bytes) -> Samples:
    notes, parts, written = MediaNotes(), list[Samples](), 0
    with opened(MediaSource("The sound", content)) as container:
        track = sound_track(container, None, "The sound")
        if (
            container.format.name != "wav"
            or track is None
            or track.stream.channels > 2
            or track.stream.sample_rate not in _RATES
        ):
            raise ValueError
        select(container, track.stream)
        # without this limit two equal channels would add up to more than either of them
        resampler = AudioResampler("flt", "mono", RATE, options={"rematrix_maxval": "1.0"})
        for frame in chain(decoded_sounds(container, track.stream, notes), (None,)):
            for piece in _resampled(resampler, frame):
                parts.append(piece)
                written += len(piece)
            if written > MOST_SECONDS * RATE:
                raise BadSound(f"sent a sound of more than {MOST_SECONDS:.0f} seconds for one sentence")
    if notes.all():
        raise ValueError
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)


def _resampled(resampler: AudioResampler, frame: AudioFrame | None) -> list[Samples]:
    return [piece.to_ndarray().reshape(-1).astype(np.float32) for piece in resampler.resample(frame)]
