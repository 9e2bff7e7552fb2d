"""Sound as every part here takes it: one channel, 16,000 samples a second, float32 between -1 and 1."""

from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from heartfelt.errors import InputError

Samples: TypeAlias = NDArray[np.float32]

RATE = 16_000
_LOUDEST = 16.0
"""A decoder may overshoot 1 a little; what is far beyond it was never scaled."""


def checked(samples: NDArray[np.floating]) -> Samples:
    """The samples as float32, or InputError. Nothing is mended: a broken decoder must not pass for a quiet speaker."""
    if samples.ndim != 1:
        raise InputError(f"Sound must be one channel, and this has the shape {samples.shape}: average its channels first.")
    if not np.issubdtype(samples.dtype, np.floating):
        raise InputError(f"Sound must be float32 between -1 and 1, not {samples.dtype}: divide 16-bit samples by 32768 first.")
    if not np.isfinite(samples).all():
        raise InputError(
            "The sound has samples that are not numbers (NaN or infinite): leave this chunk out or decode it again."
        )
    if samples.size and np.abs(samples).max() > _LOUDEST:
        raise InputError("The sound has samples far beyond -1 and 1: divide 16-bit samples by 32768 first.")
    return samples.astype(np.float32, copy=False)


def decibels(power: ArrayLike) -> NDArray[np.float64]:
    """Power in decibels, where 0 is full scale and digital silence is -100."""
    return 10 * np.log10(np.maximum(np.asarray(power, np.float64), 1e-10))


def runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The first index and the one after the last, of each run of true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [(int(first), int(last)) for first, last in zip(edges[::2], edges[1::2], strict=True)]
