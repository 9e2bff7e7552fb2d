"""Where the time goes: one row a pass, each step as long as it took, one after the other; then the voice and the face."""

from dataclasses import dataclass

from heartfelt.page.passes import made_anew, spent
from heartfelt.trace import Trace

HUES = 8
"""Colours that the style sheet has for steps."""


@dataclass(frozen=True)
class Segment:
    step: str
    ms: float
    percent: float
    hue: int


@dataclass(frozen=True)
class TimelineRow:
    number: int | None
    """Of the pass; none for the performance."""
    ms: float
    offset: float
    """Where the pass starts, in percent of the whole."""
    segments: tuple[Segment, ...]

    @property
    def label(self) -> str:
        return "Express" if self.number is None else f"Pass {self.number}"


def timeline(trace: Trace) -> list[TimelineRow]:
    parts = trace.performance.ms if trace.performance else {}
    total = sum(spent(trace, made) for made in trace.passes) + sum(parts.values())
    rows: list[TimelineRow] = []
    gone = 0.0
    for made in trace.passes:
        took = [(record.step, record.ms) for record in made_anew(trace, made)]
        took += [("audit", made.audit.ms)] if made.audit else []
        segments = tuple(Segment(step, ms, _percent(ms, total), _hue(trace, step)) for step, ms in took)
        ms = spent(trace, made)
        rows.append(TimelineRow(made.number, ms, _percent(gone, total), segments))
        gone += ms
    if parts:
        after = tuple(
            Segment(part, ms, _percent(ms, total), _later(trace, place)) for place, (part, ms) in enumerate(parts.items())
        )
        rows.append(TimelineRow(None, sum(parts.values()), _percent(gone, total), after))
    return rows


def hues(rows: list[TimelineRow]) -> dict[str, int]:
    """The steps in the picture and their colours."""
    return {segment.step: segment.hue for row in rows for segment in row.segments}


def told(rows: list[TimelineRow]) -> str:
    """The picture in one sentence, for those who do not see it."""
    total = sum(row.ms for row in rows)
    by_step: dict[str, float] = {}
    for row in rows:
        for segment in row.segments:
            by_step[segment.step] = by_step.get(segment.step, 0.0) + segment.ms
    longest = sorted(by_step.items(), key=lambda item: -item[1])[:3]
    return "Most time went into " + ", ".join(f"{step} ({_percent(ms, total):.0f} %)" for step, ms in longest) + "."


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 3) if whole else 0.0


def _hue(trace: Trace, step: str) -> int:
    names = trace.start.steps
    return names.index(step) % HUES if step in names else len(names) % HUES


def _later(trace: Trace, place: int) -> int:
    """The colours after those of the steps and of the audit."""
    return (len(trace.start.steps) + 1 + place) % HUES
