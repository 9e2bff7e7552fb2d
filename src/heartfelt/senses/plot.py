"""A picture of a turn as the senses had it: stills above, emotions over time, the transcript below, contradictions marked."""

import base64
import io
from errno import EISDIR
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heartfelt.errors import MissingExtra, UsageError
from heartfelt.files import writing
from heartfelt.fusion.fuse import LABELS
from heartfelt.labels import label_set
from heartfelt.records import Keyframe, Moment, Readings, Sensed, Source, Word

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = {
    "neutral": "#b8b8b8",
    "joy": "#e8a33d",
    "surprise": "#8a6fb3",
    "anger": "#b8433a",
    "sadness": "#3f6c9b",
    "disgust": "#6b7d3a",
    "fear": "#2f3e52",
}
INK, FAINT, WARN = "#22252a", "#8a8f98", "#b8433a"
_TITLES: dict[Source, str] = {"words": "words", "voice": "voice", "face": "face", "picture": "picture"}
SHORTEST = 1.0
"""Seconds that a picture spans at least: a still has no length."""
MOST_WORDS = 60
MOST_CUES = 3
KINDS = (".png", ".jpg", ".svg", ".pdf", ".webp")


def drawable(target: Path) -> None:
    """Refuse a file that could not be drawn into: before a long recording is watched, not after."""
    if target.suffix.lower() not in KINDS:
        raise UsageError(f"{target} cannot be drawn: its name must end in {', '.join(KINDS[:-1])} or {KINDS[-1]}.")
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder", str(target))
    _canvas(1)


def plot(readings: Readings, keyframes: tuple[Keyframe, ...], target: Path) -> Path:
    """Draw it. The kind of picture follows the name of the file."""
    drawable(target)
    figure, axes = _canvas(len(readings.sensed))
    top, bottom, rows = axes[0], axes[-1], axes[1:-1]
    span = max(readings.duration, SHORTEST)
    _stills(top, keyframes, span)
    for row, sensed in zip(rows, readings.sensed, strict=True):
        _shares(row, sensed, span)
    if readings.conflict and rows:
        span_of_it = [readings.conflict.start, max(readings.conflict.end, readings.conflict.start + span / 100)]
        rows[0].plot(span_of_it, [1.06, 1.06], color=WARN, linewidth=4, clip_on=False)
    _transcript(bottom, readings.words)
    bottom.set_xlim(0, span)
    bottom.set_xlabel("seconds")
    if readings.conflict:
        figure.suptitle(readings.conflict.text, color=WARN, fontsize=11, x=0.02, ha="left")
    handles = (
        [rows[0].fill_between([], [], color=COLOURS[label], label=label) for label in label_set(LABELS).labels] if rows else []
    )
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=7, frameon=False, fontsize=9)
    partial = target.with_name(f"{target.stem}.partial{target.suffix}")
    with writing(target):
        figure.savefig(partial)
        return partial.replace(target)


def _canvas(senses: int) -> "tuple[Figure, list[Axes]]":
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("Drawing", "plot") from None
    figure = Figure(figsize=(10, 2.6 + 1.3 * max(1, senses)), dpi=130, layout="constrained")
    heights = [1.1, *[1.0] * senses, 0.7]
    axes: Any = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights, squeeze=False)
    return figure, list(axes[:, 0])


def _stills(axes: "Axes", keyframes: tuple[Keyframe, ...], span: float) -> None:
    from PIL import Image

    axes.set_axis_off()
    width = span / max(4, len(keyframes))
    for place, frame in enumerate(keyframes):
        picture = Image.open(io.BytesIO(base64.b64decode(frame.data)))
        picture.thumbnail((240, 240))
        middle = min(max(frame.time, width * (place + 0.5)), span - width * (len(keyframes) - place - 0.5))
        inset = axes.inset_axes((middle / span - 0.09, 0.0, 0.18, 0.95))
        inset.imshow(picture)
        inset.set_axis_off()
        inset.set_title(f"{frame.time:.1f} s", fontsize=7, color=FAINT, pad=2)


def _shares(axes: "Axes", sensed: Sensed, span: float) -> None:
    """Shares piled upon each other; the less they can be trusted, the paler."""
    axes.set_ylim(0, 1)
    axes.set_yticks(())
    axes.set_ylabel(_TITLES[sensed.source], rotation=0, ha="right", va="center", color=INK)
    axes.spines[["top", "right", "left"]].set_visible(False)
    if not sensed.moments and not sensed.cues:
        axes.text(span / 2, 0.5, sensed.note or "nothing to go by", ha="center", va="center", color=FAINT, fontsize=9)
    for moment in sensed.moments:
        _moment(axes, moment, span)
    for place, cue in enumerate(sensed.cues[:MOST_CUES]):
        height = 0.85 - 0.25 * place
        axes.plot([cue.start, max(cue.end, cue.start + span / 100)], [height, height], color=INK, linewidth=1, alpha=0.6)
        paper = {"facecolor": "white", "alpha": 0.75, "edgecolor": "none", "pad": 1.0}
        axes.text(
            cue.start + span / 200, height + 0.03, cue.text, fontsize=7.5, color=INK, va="bottom", clip_on=True, bbox=paper
        )


def _moment(axes: "Axes", moment: Moment, span: float) -> None:
    base, end = 0.0, moment.end if moment.end > moment.start else span
    for label in label_set(LABELS).labels:
        share = moment.shares.get(label, 0.0)
        axes.bar(
            moment.start, share, width=end - moment.start, bottom=base, align="edge", color=COLOURS[label],
            alpha=0.25 + 0.75 * moment.reliability, linewidth=0,
        )  # fmt: skip
        base += share


def _transcript(axes: "Axes", words: tuple[Word, ...]) -> None:
    axes.set_ylim(0, 1)
    axes.set_yticks(())
    axes.spines[["top", "right", "left"]].set_visible(False)
    step = -(-len(words) // MOST_WORDS) or 1
    for place, at in enumerate(range(0, len(words), step)):
        group = words[at : at + step]
        axes.text(group[0].start, 0.75 - 0.35 * (place % 3), " ".join(word.text for word in group), fontsize=8, color=INK)
