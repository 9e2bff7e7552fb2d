"""What is telling about a voice, said in a sentence: numbers become cues only where they leave the ordinary.

The limits stand between acted neutral and acted emotional speech of fourteen speakers: few neutral sentences cross one.
"""

from collections.abc import Iterable, Iterator

from heartfelt.records import Measured, Span
from heartfelt.senses.voice.prosody import Prosody
from heartfelt.senses.voice.trust import LEAST, ramp, reliability
from heartfelt.senses.voice.usual import Usual

_LONG_PAUSE, _VERY_LONG_PAUSE = 1.0, 4.0
_NO_PAUSE = 20.0
"""Seconds after which a silence is no pause in speaking any more."""
_MELODY_NEEDS = 0.6
"""Seconds of voice: a single word has no melody to miss."""
_PACE_NEEDS = 0.5


def cues(span: Span, prosody: Prosody, usual: Usual) -> tuple[Measured, ...]:
    """The most telling first; none where the sound cannot be trusted."""
    if reliability(prosody) < LEAST:
        return ()
    found = (*_against_usual(span, prosody, usual), *_pace(span, prosody, usual), *_in_itself(span, prosody))
    return ranked(cue for cue in found if cue.strength > 0)


def ranked(found: Iterable[Measured]) -> tuple[Measured, ...]:
    return tuple(sorted(found, key=lambda cue: (-cue.strength, cue.start)))


def pause(start: float, end: float) -> Measured | None:
    """The cue of a silence between two stretches, if it is one."""
    length = end - start
    if not _LONG_PAUSE <= length <= _NO_PAUSE:
        return None
    strength = 0.3 + 0.7 * ramp(length, _LONG_PAUSE, _VERY_LONG_PAUSE)
    return Measured(source="voice", text="long pause", start=start, end=end, strength=strength)


def _against_usual(span: Span, prosody: Prosody, usual: Usual) -> Iterator[Measured]:
    if usual.stranger(prosody):
        return
    higher, louder = usual.higher(prosody), usual.louder(prosody)
    yield _cue("speaks higher than usual", span, ramp(higher, 2, 7))
    yield _cue("speaks lower than usual", span, ramp(higher, -2, -5))
    yield _cue("louder than usual", span, ramp(louder, 4, 14))
    yield _cue("quieter than usual", span, ramp(louder, -5, -14))


def _pace(span: Span, prosody: Prosody, usual: Usual) -> Iterator[Measured]:
    """Against the speaker's own pace once it is known; before that only what is fast or slow for anybody."""
    if prosody.voiced < _PACE_NEEDS or prosody.pace == 0:
        return
    if usual.known:
        ratio = usual.faster(prosody)
        yield _cue("fast", span, ramp(ratio, 1.25, 1.8))
        yield _cue("slow", span, ramp(ratio, 0.75, 0.45))
    else:
        yield _cue("fast", span, ramp(prosody.pace, 5.5, 7.5))
        yield _cue("slow", span, ramp(prosody.pace, 1.8, 1.0))


def _in_itself(span: Span, prosody: Prosody) -> Iterator[Measured]:
    yield _cue("quieter towards the end", _last_third(span), ramp(prosody.fall, 8, 16))
    yield _cue("unsteady voice", span, ramp(prosody.unsteadiness, 0.2, 0.5))
    if prosody.voiced >= _MELODY_NEEDS:
        yield _cue("flat, little melody", span, ramp(prosody.melody, 3.5, 1))
    if prosody.breaks:
        extent = Span(start=prosody.breaks[0].start, end=prosody.breaks[-1].end)
        yield _cue("voice breaks", extent, ramp(len(prosody.breaks), 0, 4))
    yield from filter(None, (pause(quiet.start, quiet.end) for quiet in prosody.pauses))


def _last_third(span: Span) -> Span:
    return Span(start=span.start + 2 * (span.end - span.start) / 3, end=span.end)


def _cue(text: str, span: Span, strength: float) -> Measured:
    return Measured(source="voice", text=text, start=span.start, end=span.end, strength=strength)
