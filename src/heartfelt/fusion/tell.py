"""Measured things as a step reads them: a sentence with its time and its strength, and what it tells."""

from heartfelt.fusion.fuse import TRUSTED, overall
from heartfelt.records import Cue, Measured, Readings, Sensed

MOST = 3
"""Measured cues that a step is told of."""
MOST_LINES = 12
"""Measured cues of each sense that a model is shown: an hour has thousands, and a prompt is no place for them."""
_STRENGTHS = ((0.66, "strong"), (0.33, "clear"), (0.0, "slight"))


def sentence(measured: Measured) -> str:
    """«brows drawn together, 2.1–3.4 s, strong»; of a picture, which has no time, «brows drawn together, strong»."""
    when = f"{measured.start:.1f}–{measured.end:.1f} s, " if measured.end > 0 else ""
    return f"{measured.text}, {when}{strength_of(measured)}"


def strength_of(measured: Measured) -> str:
    return next(word for least, word in _STRENGTHS if measured.strength >= least)


def measured_cues(readings: Readings | None) -> tuple[Cue, ...]:
    """The most telling thing of each sense, then the next ones; none where nothing was measured."""
    if readings is None:
        return ()
    ranked = sorted(
        ((place, -cue.strength, sensed, cue) for sensed in readings.sensed for place, cue in enumerate(sensed.cues)),
        key=lambda each: each[:2],
    )
    return tuple(
        Cue(source=sensed.source, quote=sentence(cue), meaning=_meaning(sensed, cue), start=cue.start, end=cue.end)
        for _, _, sensed, cue in ranked[:MOST]
    )


def measured_lines(readings: Readings | None) -> tuple[str, ...]:
    """What was measured, for a model that can weigh it: cues, what each sense makes of them where it can be trusted, and
    contradictions."""
    if readings is None:
        return ()
    lines = [f"{sensed.source}: {sentence(cue)}" for sensed in readings.sensed for cue in sensed.cues[:MOST_LINES]]
    for sensed in readings.sensed:
        shares, reliability = overall(sensed.moments)
        if shares and reliability >= TRUSTED:
            best = max(shares, key=lambda label: shares[label])
            lines.append(f"{sensed.source}: {best} {shares[best]:.0%}, reliability {reliability:.0%}")
    return (*lines, f"Contradiction: {readings.conflict.text}") if readings.conflict else tuple(lines)


def _meaning(sensed: Sensed, cue: Measured) -> str:
    """The emotion that the sense sees at that time."""
    near = [moment for moment in sensed.moments if moment.start < cue.end and moment.end > cue.start] or sensed.moments
    shares, reliability = overall(near)
    if not shares or reliability < TRUSTED:
        return "unclear"
    return max(shares, key=lambda label: shares[label])
