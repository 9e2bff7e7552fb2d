"""Whether mouth and sound of a film go together: how far the opening of the one runs before the loudness of the other."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.records import Record
from heartfelt.senses.face.networks import FaceNetworks, MediaPipeNetworks
from heartfelt.senses.face.track import Tracker
from heartfelt.senses.media.media import open_media

Floats = NDArray[np.floating[Any]]

IN_STEP = 0.040
"""Seconds within which mouth and sound go together."""
_UPPER_LIP, _LOWER_LIP, _FOREHEAD, _CHIN = 13, 14, 10, 152
"""Points of the face mesh: the inner rims of the lips, and the ends of the face that they are measured against."""
_RATE = 100
_WINDOW = 0.04
_FARTHEST = 0.2
"""Seconds: further off lies the next syllable, which looks much like this one."""


class InStep(Record):
    offset: float
    """Seconds by which the mouth comes after the sound; below 0 it comes before."""
    correlation: float
    """How much the two have in common at that offset."""
    curve: tuple[float, ...]
    """How much they have in common at each offset, from 200 ms before to 200 ms after."""


def in_step(film: Path, networks: FaceNetworks | None = None) -> InStep:
    """Measured on the film itself, picture by picture."""
    times, gaps = _openings(film, networks or MediaPipeNetworks())
    level = _loudness(film)
    grid = np.arange(times[0], min(times[-1], len(level) / _RATE), 1 / _RATE)
    mouth, sound = np.interp(grid, times, gaps), np.interp(grid, np.arange(len(level)) / _RATE, level)
    return best_offset(mouth, sound)


def best_offset(mouth: Floats, sound: Floats) -> InStep:
    """Both at 100 a second: the shift at which they have the most in common."""
    farthest = round(_FARTHEST * _RATE)
    if len(mouth) < 6 * farthest:
        raise InputError("The film is too short to tell whether mouth and sound go together: it needs more than a second.")
    first, second = _standard(mouth), _standard(sound)
    return _at_best([_common(first, second, lag) for lag in range(-farthest, farthest + 1)])


def pooled(curves: Sequence[Sequence[float]]) -> InStep:
    """Several clips as if they were one: a short sentence has few sounds, and some are loud with a narrow mouth."""
    return _at_best(np.mean(np.array(curves), axis=0).tolist())


def _at_best(curve: Sequence[float]) -> InStep:
    best = int(np.argmax(curve))
    offset = (best - len(curve) // 2) / _RATE
    return InStep(offset=offset, correlation=round(curve[best], 3), curve=tuple(round(value, 4) for value in curve))


def _common(mouth: Floats, sound: Floats, lag: int) -> float:
    """The correlation of the mouth that comes so much later with the sound."""
    late, early = (mouth[lag:], sound[: len(sound) - lag]) if lag >= 0 else (mouth[:lag], sound[-lag:])
    return float(np.corrcoef(late, early)[0, 1])


def _standard(values: Floats) -> Floats:
    return (values - values.mean()) / (values.std() + 1e-9)


def _openings(film: Path, networks: FaceNetworks) -> tuple[Floats, Floats]:
    tracker, times, gaps = Tracker(networks, 1), list[float](), list[float]()
    for picture in open_media(film).frames(rate=60):
        for track in tracker.update(picture.pixels, picture.time):
            points = track.mesh.points
            face = float(np.linalg.norm(points[_CHIN] - points[_FOREHEAD]))
            times.append(picture.time)
            gaps.append(float(np.linalg.norm(points[_LOWER_LIP] - points[_UPPER_LIP])) / face)
    if len(times) < 2:
        raise InputError(f"No face was found in {film}.")
    return np.array(times), np.array(gaps)


def _loudness(film: Path) -> Floats:
    """Its root follows how loud a sound seems, so that one loud vowel does not outweigh the rest."""
    blocks = [sound.samples for sound in open_media(film).audio()]
    rate = 16_000
    samples = np.concatenate(blocks) if blocks else np.zeros(rate, np.float32)
    power = np.convolve(np.square(samples), np.ones(round(_WINDOW * rate)) / round(_WINDOW * rate), mode="same")
    return np.sqrt(np.sqrt(power[:: rate // _RATE]))
