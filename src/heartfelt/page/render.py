"""From a trace to a page: the data that the templates show, and the templates filled in."""

import base64
import json
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from heartfelt.agents.notes import gist
from heartfelt.agents.strategy import STRATEGIES
from heartfelt.page.axis import clock
from heartfelt.page.difference import difference
from heartfelt.page.highlight import TextPiece, find, highlighted, quotes_of
from heartfelt.page.lanes import anchor
from heartfelt.page.passes import PassColumn, all_calls, columns, spent
from heartfelt.page.performance import panel
from heartfelt.page.senses import name_of, sensed_turns
from heartfelt.page.timeline import hues, timeline, told
from heartfelt.records import Cue, Evidence, Forecast, Keyframe, Output, Plan, Scores
from heartfelt.trace import Trace

TOP = 5
"""Emotions in a forecast's bar list."""
LONG = 1_500
"""Characters from which on a bubble scrolls in itself."""


@dataclass(frozen=True)
class Bubble:
    speaker: str
    pieces: list[TextPiece]
    listener: bool
    pictures: list[Keyframe]
    """Of a turn that was sensed they stand with what was sensed."""

    @property
    def long(self) -> bool:
        return sum(len(piece.text) for piece in self.pieces) > LONG


@dataclass(frozen=True)
class Totals:
    ms: float
    calls: int
    read: int
    cached: int
    written: int


@dataclass(frozen=True)
class Story:
    """The turn in a sentence or two."""

    forecast: Forecast | None
    plan: Plan | None
    mended: list[str]


def render(trace: Trace, folder: Path | None = None) -> str:
    """The whole page as text. `folder` is where it will lie: the film and the sound of the reply are looked for there."""
    return _environment().get_template("page.html").render(_page(trace, folder))


def write_page(trace: Trace, target: Path, media: Path | None = None) -> None:
    """Write the page. `media` is the folder with the film and the sound of the reply, if they do not lie beside the page."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(render(trace, media or target.parent), encoding="utf-8", errors="xmlcharrefreplace")


def _page(trace: Trace, folder: Path | None) -> dict[str, object]:
    shown, rows, bubbles = columns(trace), timeline(trace), _bubbles(trace)
    performed = panel(trace.performance, folder, _reply(trace))
    return {
        "trace": trace,
        "start": trace.start,
        "dialogue": trace.start.dialogue,
        "state": "failed" if trace.failed else "finished" if trace.finished else "unfinished",
        "reply": _reply(trace),
        "recipe": str(trace.start.setup.get("recipe", "")),
        "setup": json.dumps(trace.start.setup, indent=2, ensure_ascii=False),
        "totals": _totals(trace),
        "story": _story(trace, shown),
        "bubbles": bubbles,
        "marked": {origin for bubble in bubbles for piece in bubble.pieces for origin in piece.origins},
        "noticed": _noticed(trace),
        "performed": performed,
        "sensed": sensed_turns(trace.start.dialogue, _noticed(trace)),
        "at": partial(_at, trace),
        "columns": shown,
        "rows": rows,
        "hues": hues(rows),
        "told": told(rows),
        "unsaid": partial(_unsaid, trace),
        "policy": _policy(played=performed is not None and performed.media.embedded),
    }


def _reply(trace: Trace) -> str:
    if trace.finished:
        return trace.finished.reply
    return next((made.reply for made in reversed(trace.passes) if made.reply), "")


def _totals(trace: Trace) -> Totals:
    calls = all_calls(trace)
    return Totals(
        ms=trace.finished.ms if trace.finished else sum(spent(trace, made) for made in trace.passes),
        calls=len(calls),
        read=sum(max(0, call.prompt_tokens - call.cached_tokens) for call in calls),
        cached=sum(call.cached_tokens for call in calls),
        written=sum(call.output_tokens for call in calls),
    )


def _story(trace: Trace, shown: list[PassColumn]) -> Story:
    outputs = _outputs(trace)
    mended = [column.started_from for column in shown if not column.first]
    return Story(
        forecast=next((output for output in outputs if isinstance(output, Forecast)), None),
        plan=next((output for output in outputs if isinstance(output, Plan)), None),
        mended=list(dict.fromkeys(mended)),
    )


def _outputs(trace: Trace) -> list[Output]:
    return [record.output for record in trace.best.steps] if trace.passes else []


def _bubbles(trace: Trace) -> list[Bubble]:
    dialogue = trace.start.dialogue
    cut = highlighted([turn.text for turn in dialogue.turns], quotes_of(_outputs(trace)))
    return [
        Bubble(
            speaker=turn.speaker,
            pieces=pieces,
            listener=turn.speaker == dialogue.listener,
            pictures=[frame for frame in turn.keyframes if frame.mime.startswith("image/") and not turn.readings],
        )
        for turn, pieces in zip(dialogue.turns, cut, strict=True)
    ]


def _noticed(trace: Trace) -> list[Cue]:
    """Cues that are no words, so that the text cannot show them."""
    evidence = [output for output in _outputs(trace) if isinstance(output, Evidence)]
    return [cue for output in evidence for cue in output.cues if cue.source != "words"]


def _at(trace: Trace, cue: Cue) -> str:
    """Where on the page a cue is drawn at its time; empty where it was not measured."""
    turns = trace.start.dialogue.turns
    return anchor(turns[-1].readings, cue, name_of(len(turns) - 1))


def _unsaid(trace: Trace, quote: str) -> bool:
    """Whether a quote stands nowhere in the dialogue."""
    return not any(find(quote, turn.text) for turn in trace.start.dialogue.turns)


# ── how values are written ──────────────────────────────────────────────────────────────────────────────────────────


def duration(ms: float) -> str:
    if ms < 1000:
        return f"{ms:.0f} ms"
    return f"{ms / 1000:.1f} s" if ms < 60_000 else f"{ms // 60_000:.0f} min {ms % 60_000 / 1000:.0f} s"


def percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 or share == 0 else "< 1 %"


def number(count: int) -> str:
    return f"{count:,}".replace(",", "\u202f")


def top(scores: Scores) -> list[tuple[str, float]]:
    return sorted(scores.items(), key=lambda item: -item[1])[:TOP]


def size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1_000_000 else f"{max(1, round(count / 1000))} kB"


# ── the templates ───────────────────────────────────────────────────────────────────────────────────────────────────


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("heartfelt.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters, names = cast(dict[str, Any], environment.filters), cast(dict[str, Any], environment.globals)
    filters.update(clock=clock, duration=duration, percent=percent, number=number, top=top, size=size, gist=gist)
    names.update(difference=difference, strategies=STRATEGIES, script=Markup(_script()))
    return environment


@cache
def _script() -> str:
    return Path(__file__).with_name("templates").joinpath("page.js").read_text("utf-8")


def _policy(*, played: bool) -> str:
    """What the browser may do: draw the page, and play what is in it. No other script than the page's own runs, and nothing is
    fetched."""
    fingerprint = base64.b64encode(sha256(_script().encode()).digest()).decode()
    media = " media-src data:;" if played else ""
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:;{media} script-src 'sha256-{fingerprint}'"
