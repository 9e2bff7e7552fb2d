"""How far a measurement of a voice can be trusted."""

from heartfelt.senses.voice.prosody import Prosody

LEAST = 0.25
"""Below this nothing is claimed of a stretch."""


def ramp(value: float, low: float, high: float) -> float:
    """0 up to `low`, 1 from `high` on, straight in between; falling where `low` is above `high`."""
    return min(max((value - low) / (high - low), 0.0), 1.0)


def reliability(prosody: Prosody) -> float:
    """The product of three doubts: noise over the voice, too little voice, and a microphone that was overdriven."""
    clear = ramp(prosody.noise, 5, 20)
    enough = ramp(prosody.voiced, 0.1, 0.8)
    whole = 1 - 0.7 * ramp(prosody.clipped, 0.001, 0.03)
    return clear * enough * whole


def doubt(prosody: Prosody) -> str:
    """What was wrong with the sound, in a sentence; empty where nothing was."""
    if prosody.voiced < 0.2:
        return "There was hardly any voice in it."
    if prosody.clipped > 0.005:
        return "The microphone was overdriven."
    if prosody.noise < 10:
        return "There was much noise over the voice."
    return ""
