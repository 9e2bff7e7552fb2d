"""The pitch of a voice every 10 ms: normalised cross-correlation proposes periods, and a smooth path through them wins.

Proposals alone err by octaves, because two periods repeat as well as one. The path makes leaps, and a change between voiced
and unvoiced, pay for themselves (after Talkin's RAPT, 1995).
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.voice.samples import RATE, Samples

Numbers: TypeAlias = NDArray[np.float64]

HOP = 160
"""Samples between two measurements: 10 ms."""
LOWEST, HIGHEST = 60.0, 600.0
"""Hertz: from a low man's voice to a cry."""
_WINDOW = 480
_SHORTEST, _LONGEST = int(RATE / HIGHEST), int(RATE / LOWEST) + 1
_SIZE = 1024
"""Of the Fourier transform: a window and the longest period fit without wrapping round."""
_CANDIDATES = 5
_PREFER_SHORT = 0.04
"""What a period loses against one of half its length: of two that fit alike the shorter is the true one."""
_LEAP = 1.0
"""The cost of an octave between two frames."""
_SWITCH = 0.15
"""The cost of turning voiced or unvoiced."""
_UNVOICED = 0.5
"""How well a period must fit before it speaks for a voice."""
_FAINT = 10 ** (-45 / 10)
"""Sound so far below the loudest is not voice, however well it repeats: a mains hum does."""


@dataclass(frozen=True)
class PitchTrack:
    """One row for each 10 ms; row n is centred on the sample n · HOP."""

    hertz: Numbers
    """0 where there is no voice."""
    fit: Numbers
    """How well the sound repeats itself, from 0 to 1."""

    @property
    def voiced(self) -> NDArray[np.bool_]:
        return self.hertz > 0

    @property
    def semitones(self) -> Numbers:
        """Of the voiced rows only, above 1 hertz: equal steps sound equal."""
        return 12 * np.log2(self.hertz[self.voiced])


def track(samples: Samples) -> PitchTrack:
    rows = len(samples) // HOP
    if rows == 0:
        return PitchTrack(np.zeros(0), np.zeros(0))
    fits = _correlations(_low_band(samples), rows)
    periods, scores = _candidates(fits)
    chosen = _smoothest(periods, scores)
    everywhere = np.arange(rows)
    found = np.where(chosen < _CANDIDATES, periods[everywhere, np.minimum(chosen, _CANDIDATES - 1)], 0.0)
    hertz = np.divide(RATE, found, out=np.zeros(rows), where=found > 0)
    return PitchTrack(hertz, np.clip(fits.max(axis=1), 0, 1))


def _low_band(samples: Samples) -> Numbers:
    """Only 50 to 1,200 hertz: the pitch lives there, and most noise does not."""
    size = len(samples) + _SIZE  # or the filter would carry the start of the sound round to its end
    hertz = np.fft.rfftfreq(size, 1 / RATE)
    gain = np.clip((hertz - 30) / 20, 0, 1) * np.clip((1400 - hertz) / 400, 0, 1)
    return np.fft.irfft(np.fft.rfft(samples.astype(np.float64), size) * gain, size)[: len(samples)]


def _correlations(sound: Numbers, rows: int) -> Numbers:
    """How well each row repeats after each lag, as [rows, lags]; lag 0 of the answer is `_SHORTEST` samples."""
    span = _WINDOW + _LONGEST + 1
    padded = np.pad(sound, (span // 2, span))
    frames = np.lib.stride_tricks.sliding_window_view(padded, span)[: rows * HOP : HOP]
    heads = np.fft.rfft(frames[:, :_WINDOW], _SIZE)
    products = np.fft.irfft(np.conj(heads) * np.fft.rfft(frames, _SIZE), _SIZE)[:, : _LONGEST + 2]
    sums = np.zeros((len(frames), span + 1), frames.dtype)
    np.cumsum(np.square(frames), axis=1, out=sums[:, 1:])
    energies = sums[:, _WINDOW : _WINDOW + _LONGEST + 2] - sums[:, : _LONGEST + 2]
    faint = _FAINT * energies[:, 0].max() + 1e-9
    fits = products / (np.sqrt(np.maximum(energies[:, :1] * energies, 0)) + faint)
    return fits[:, _SHORTEST - 1 :]


def _candidates(fits: Numbers) -> tuple[Numbers, Numbers]:
    """The best peaks of each row: their periods in samples, between two lags where the peak is, and their scores."""
    middle, before, after = fits[:, 1:-1], fits[:, :-2], fits[:, 2:]
    lags = np.arange(_SHORTEST, _SHORTEST + middle.shape[1])
    preferred = middle - _PREFER_SHORT * np.log2(lags / _SHORTEST)
    scores = np.where((middle >= before) & (middle > after), preferred, -1.0)
    best = np.argpartition(-scores, _CANDIDATES, axis=1)[:, :_CANDIDATES]
    left, peak, right = (np.take_along_axis(part, best, axis=1) for part in (before, middle, after))
    bend = left - 2 * peak + right
    shift = np.divide(0.5 * (left - right), bend, out=np.zeros_like(bend), where=bend < -1e-12)
    return lags[best] + np.clip(shift, -0.5, 0.5), np.take_along_axis(scores, best, axis=1)


def _smoothest(periods: Numbers, scores: Numbers) -> NDArray[np.intp]:
    """The cheapest path: for each row the number of a candidate, or `_CANDIDATES` for unvoiced."""
    rows = len(periods)
    costs = np.hstack([1 - scores, np.full((rows, 1), 1 - _UNVOICED)])
    octaves = np.log2(periods)
    moves = np.full((_CANDIDATES + 1, _CANDIDATES + 1), _SWITCH)
    moves[-1, -1] = 0
    total, backs = costs[0], np.zeros((rows, _CANDIDATES + 1), np.intp)
    everything = np.arange(_CANDIDATES + 1)
    for row in range(1, rows):
        moves[:-1, :-1] = _LEAP * np.abs(octaves[row - 1][:, None] - octaves[row][None, :])
        through = total[:, None] + moves
        backs[row] = through.argmin(axis=0)
        total = through[backs[row], everything] + costs[row]
    path = np.zeros(rows, np.intp)
    path[-1] = int(total.argmin())
    for row in range(rows - 1, 0, -1):
        path[row - 1] = backs[row, path[row]]
    return path
