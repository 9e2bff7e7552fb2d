"""How something was said, in numbers that a person can picture: pitch, melody, loudness, pace, pauses, breaks."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from heartfelt.records import Record, Span
from heartfelt.senses.voice.breaks import breaks
from heartfelt.senses.voice.levels import Levels, measure_levels
from heartfelt.senses.voice.pitch import HOP, Numbers, PitchTrack, track
from heartfelt.senses.voice.samples import RATE, Samples, runs
from heartfelt.senses.voice.syllables import syllables

STEP = HOP / RATE
_PAUSE = 0.25
"""Seconds: shorter silences belong to consonants."""
_AUDIBLE = 6.0
"""Decibels above the noise from which a frame is sound and not background."""
_REACH = 1.3
"""Octaves from a voice's middle to its ends within one stretch; what is beyond is a consonant that was taken for voice."""
_CLIPPED = 0.99
"""A sample this near to full scale was probably cut off there."""


class Prosody(Record):
    """One stretch of speech. Times are in seconds, of the same clock as the stretch."""

    pitch: float | None
    """The median in hertz; None where there was no voice."""
    melody: float = Field(ge=0)
    """From the 10th to the 90th percentile of the pitch, in semitones: below 2 is monotonous."""
    level: float
    """The median loudness of the voiced sound in decibels, where 0 is full scale."""
    fall: float
    """How many decibels the last third is quieter than what came before; below 0 where it is louder."""
    pace: float = Field(ge=0)
    """Syllables a second, pauses left out."""
    unsteadiness: float = Field(ge=0)
    """How much the pitch trembles from one 10 ms to the next, in semitones: the coarse cousin of jitter."""
    pauses: tuple[Span, ...] = ()
    breaks: tuple[Span, ...] = ()
    """Where the voice gives way in the middle of a vowel."""
    voiced: float = Field(ge=0)
    """Seconds of voiced sound: what all of this stands on."""
    noise: float = Field(ge=0)
    """How many decibels the voice stands above the background: the signal-to-noise ratio."""
    clipped: float = Field(ge=0, le=1)
    """The share of samples that were cut off at full scale."""


@dataclass(frozen=True)
class Listened:
    """The numbers and the frames that they came from, which a speaker's usual voice is learned from."""

    prosody: Prosody
    pitch: PitchTrack
    levels: Levels


def listen(
    samples: Samples,
    start: float = 0.0,
    *,
    speech: tuple[float, float] | None = None,
    background: float | None = None,
) -> Listened:
    """Measure one stretch that begins at `start`; `speech` is where in it, in its own seconds, the speech itself is.

    `background` is how loud the place was before, in decibels. Without it the quietest tenth of the stretch stands for it,
    and speech without any gap is trusted too little.
    """
    pitch, levels = track(samples), measure_levels(samples, background)
    voiced = _voice(pitch, levels)
    pitch = PitchTrack(np.where(voiced, pitch.hertz, 0), pitch.fit)
    begin, end = speech or (0.0, len(samples) / RATE)
    inside = levels.level[int(begin / STEP) : int(end / STEP)]
    pauses = _pauses(inside, levels.floor, start + begin)
    talking = max(end - begin - sum(pause.end - pause.start for pause in pauses), STEP)
    count = int(voiced.sum())
    loud = levels.level[voiced]
    prosody = Prosody(
        pitch=float(np.median(pitch.hertz[voiced])) if count else None,
        melody=float(np.subtract(*np.percentile(pitch.semitones, [90, 10]))) if count else 0.0,
        level=float(np.median(loud)) if count else float(levels.level.max(initial=-100.0)),
        fall=_fall(loud),
        pace=len(syllables(levels, voiced)) / talking,
        unsteadiness=_unsteadiness(pitch),
        pauses=pauses,
        breaks=tuple(_span(first, last, start) for first, last in breaks(pitch, levels)),
        voiced=count * STEP,
        noise=max(float(np.median(loud)) - levels.floor, 0.0) if count else 0.0,
        clipped=float(np.mean(np.abs(samples) >= _CLIPPED)) if samples.size else 0.0,
    )
    return Listened(prosody, pitch, levels)


def _voice(pitch: PitchTrack, levels: Levels) -> NDArray[np.bool_]:
    """The rows that stand out of the background, less those whose pitch no voice of this middle could reach."""
    voiced = pitch.voiced & (levels.level > levels.floor + _AUDIBLE)
    if not voiced.any():
        return voiced
    octaves = np.log2(np.maximum(pitch.hertz, 1))
    return voiced & (np.abs(octaves - np.median(octaves[voiced])) < _REACH)


def _span(first: int, last: int, start: float) -> Span:
    return Span(start=start + first * STEP, end=start + last * STEP)


def _pauses(inside: Numbers, floor: float, start: float) -> tuple[Span, ...]:
    """Silences between two sounds; the quiet before the first and after the last is no pause."""
    quiet = inside < max(floor + _AUDIBLE, float(inside.max(initial=-100.0)) - 35)
    long = [(first, last) for first, last in runs(quiet) if (last - first) * STEP >= _PAUSE]
    return tuple(_span(first, last, start) for first, last in long if first > 0 and last < len(quiet))


def _fall(loud: Numbers) -> float:
    """By the upper quartile of either part: vowels carry the voice, and every word fades at its own end."""
    cut = 2 * len(loud) // 3
    if cut < 10:
        return 0.0
    return float(np.percentile(loud[:cut], 75) - np.percentile(loud[cut:], 75))


def _unsteadiness(pitch: PitchTrack) -> float:
    """The median bend of the pitch: a glide has none, however steep it is."""
    bends = [
        np.abs(np.diff(12 * np.log2(pitch.hertz[first:last]), 2)) for first, last in runs(pitch.voiced) if last - first >= 6
    ]
    return float(np.median(np.concatenate(bends))) if bends else 0.0
