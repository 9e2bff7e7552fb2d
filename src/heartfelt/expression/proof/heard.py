"""Whether a voice carries what was asked of it: pitch, melody, pace, loudness and brightness, measured on the sound."""

from collections.abc import Mapping
from math import log

import numpy as np

from heartfelt.expression.voice.manner import Manner
from heartfelt.expression.voice.measure import Measures
from heartfelt.records import Carried, Scores

AUDIBLE = 0.5
"""Steps: a change that is asked for and smaller than this is not looked for."""
_AGREES = 0.25
"""The cosine between what was asked for and what was measured, above which they are called the same."""
_FIELDS = ("pitch", "range", "rate", "energy", "brightness")


def asked(manner: Manner, rest: Manner) -> Scores:
    """The changes that a manner asks for against a person's own, in steps to the ear."""
    names = Manner.model_fields
    both = zip(names, manner.steps, rest.steps, strict=True)
    return {name: round(step - own, 3) for name, step, own in both if name in _FIELDS}


def shifted(now: Measures, rest: Measures) -> Scores:
    """The changes that were measured between two stretches of one voice, in the same steps."""
    found = {
        "pitch": 12 * log(now.pitch / rest.pitch, 2) if now.pitch and rest.pitch else 0.0,
        "range": log(max(now.melody, 0.1) / max(rest.melody, 0.1)) / log(1.2),
        "rate": log(max(now.rate, 0.1) / max(rest.rate, 0.1)) / log(1.1),
        "energy": (now.energy - rest.energy) / 3,
        "brightness": (now.brightness - rest.brightness) / 3,
    }
    return {name: round(step, 3) for name, step in found.items()}


def directions(wanted: Mapping[str, float], measured: Mapping[str, float]) -> dict[str, bool]:
    """For each change that can be heard: whether it went the way that it was meant to go."""
    return {name: measured[name] * step > 0 for name, step in wanted.items() if abs(step) >= AUDIBLE}


def voice_carried(emotion: str, wanted: Scores, measured: Scores) -> Carried:
    """All changes taken together. Sentences differ from each other, so no single one is decisive."""
    ask, got = np.array(list(wanted.values())), np.array([measured[name] for name in wanted])
    size = float(np.linalg.norm(ask))
    if size < 2 * AUDIBLE:
        return Carried(
            channel="voice", intended=emotion, wanted=wanted, measured=measured, note="too faint a change to be measured"
        )
    same = float(ask @ got / (size * max(np.linalg.norm(got), 1e-6)))
    agrees = same >= _AGREES
    note = "" if agrees else f"the voice does not sound as it was meant to (cosine {same:+.2f} of what was asked for)"
    return Carried(channel="voice", intended=emotion, wanted=wanted, measured=measured, agrees=agrees, note=note)
