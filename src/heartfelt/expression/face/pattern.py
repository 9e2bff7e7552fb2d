"""Pictures of strands: what hair of one kind looks like close by, as numbers from 0 to 1 that repeat in both directions."""

from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
Kind: TypeAlias = Literal["straight", "wavy", "coiled"]

ROWS, COLUMNS = 256, 512


def strands(kind: Kind, seed: int) -> Floats:
    """Columns run across the hair and rows along it. All numbers are equally frequent, so a cover of 0.3 shows 30 %."""
    noise = np.random.default_rng(seed + 29).normal(size=(ROWS, COLUMNS))
    fine, broad, long = {"straight": (1.1, 4.5, 60.0), "wavy": (0.9, 5.0, 26.0), "coiled": (1.6, 4.0, 1.9)}[kind]
    picture = _blurred(noise, long, fine) + 0.45 * _blurred(noise[::-1], 1.4 * long, broad)
    if kind == "coiled":
        picture = -np.abs(_blurred(noise, long, fine)) - 0.5 * np.abs(_blurred(noise[:, ::-1], 1.5 * long, 1.5 * fine))
    rank = picture.ravel().argsort().argsort().reshape(picture.shape)
    return (rank / picture.size).astype(np.float32)


def _blurred(noise: Floats, along: float, across: float) -> Floats:
    """Noise that was smoothed round its borders, with a spread of 1."""
    rows, columns = np.fft.fftfreq(ROWS)[:, None], np.fft.fftfreq(COLUMNS)[None]
    kept = np.exp(-2 * (np.pi * along * rows) ** 2 - 2 * (np.pi * across * columns) ** 2)
    smooth = np.real(np.fft.ifft2(np.fft.fft2(noise) * kept))
    return smooth / (smooth.std() + 1e-9)
