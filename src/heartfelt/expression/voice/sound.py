"""What is done to the finished sound: how loud it is, and how bright."""

from collections.abc import Callable

import numpy as np

from heartfelt.expression.voice.spoken import RATE, Samples

_FROM, _TO = 1200.0, 3000.0
"""Hertz between which the brightness sets in."""
_KNEE = 0.85
"""Above it the loudest peaks are bent, so that nothing is ever cut off."""


def brightened(samples: Samples, decibels: float) -> Samples:
    """More or less of the high sounds, as loud as before on the whole."""
    return brightener(decibels)(samples)


def brightener(decibels: float) -> Callable[[Samples], Samples]:
    """For one sentence in pieces: all are made louder or quieter by what the first needs to be as loud as before."""
    loudness: list[float] = []

    def brighten(samples: Samples) -> Samples:
        if not decibels or not samples.size:
            return samples
        size = len(samples) + RATE // 10  # or the end would be heard at the start
        hertz = np.fft.rfftfreq(size, 1 / RATE)
        ramp = np.clip(np.log(np.maximum(hertz, 1.0) / _FROM) / np.log(_TO / _FROM), 0, 1)
        shaped = np.fft.irfft(np.fft.rfft(samples, size) * 10 ** (decibels * ramp / 20), size)[: len(samples)]
        if not loudness:
            loudness.append(np.sqrt(np.mean(np.square(samples)) / max(float(np.mean(np.square(shaped))), 1e-12)))
        return (shaped * loudness[0]).astype(np.float32)

    return brighten


def louder(samples: Samples, decibels: float) -> Samples:
    raised = samples * np.float32(10 ** (decibels / 20))
    over = np.abs(raised) > _KNEE
    if over.any():
        bent = _KNEE + (1 - _KNEE) * np.tanh((np.abs(raised[over]) - _KNEE) / (1 - _KNEE))
        raised[over] = np.sign(raised[over]) * bent
    return raised.astype(np.float32, copy=False)
