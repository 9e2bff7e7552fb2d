"""Pictures of a training and of what came out of it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError, MissingExtra
from heartfelt.files import whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
DEEP, PALE, WARM = "#1f4e79", "#9db8d2", "#c8553d"
BINS = 15


def loss_plot(log: Path, target: Path) -> Path:
    """The loss of each logged step, faint, and its running mean."""
    steps, losses = _logged(log)
    figure = _figure(7, 4)
    axes = figure.add_subplot(xlabel="step", ylabel="loss on what the model decides")
    axes.plot(steps, losses, color=PALE, linewidth=0.8, marker="." if len(steps) < 40 else "", label="each logged step")
    axes.plot(steps, _smoothed(losses), color=DEEP, linewidth=2, label="running mean")
    axes.set_ylim(bottom=0)
    _plain(axes)
    axes.legend(frameon=False)
    return _saved(figure, target)


def label_plot(chosen: dict[str, Any], target: Path, *, before: dict[str, Any] | None = None) -> Path:
    """How often each label is found where it is the true one; beside it, how often another model finds it."""
    names, found = _recall(chosen)
    order = np.argsort(found)
    figure = _figure(7, 0.24 * len(names) + 1.2)
    axes = figure.add_subplot(xlabel="found, of the turns in which it is felt", xlim=(0, 1))
    axes.barh(range(len(names)), found[order], color=DEEP, height=0.7, label="tuned")
    if before:
        axes.plot(_recall(before)[1][order], range(len(names)), "o", color=WARM, markersize=4, label="untuned")
        axes.legend(frameon=False, loc="lower right")
    axes.set_yticks(range(len(names)), [names[i] for i in order])
    axes.margins(y=0.01)
    _plain(axes)
    return _saved(figure, target)


def confusion_plot(chosen: dict[str, Any], target: Path) -> Path:
    """Which label is chosen for which: rows are what is felt, columns what is said, dark is often."""
    names, gold, said = chosen["options"], np.array(chosen["gold"]), np.array(chosen["chosen"])
    table = np.zeros((len(names), len(names)))
    np.add.at(table, (gold, said), 1)
    table /= np.maximum(1, table.sum(1, keepdims=True))
    side = 0.21 * len(names) + 2.2
    figure = _figure(side, side)
    axes = figure.add_subplot(xlabel="said", ylabel="felt")
    axes.imshow(table, cmap="Blues", vmin=0, vmax=max(0.6, float(table.max())))
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0, labelsize=8)
    for row, column in zip(*np.nonzero((table >= 0.12) & ~np.eye(len(names), dtype=bool)), strict=True):
        axes.text(column, row, f"{table[row, column]:.0%}"[:-1], ha="center", va="center", fontsize=6, color=WARM)
    axes.spines[:].set_visible(False)
    return _saved(figure, target)


def calibration_plot(chosen: dict[str, Any], target: Path) -> Path:
    """How often the model is right where it is so sure; the area of a dot is the number of turns."""
    sure, right = np.array(chosen["share"]), np.array(chosen["gold"]) == np.array(chosen["chosen"])
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    kept = [b for b in range(BINS) if (bins == b).any()]
    counts = np.array([(bins == b).sum() for b in kept])
    figure = _figure(4.6, 4.4)
    axes = figure.add_subplot(xlabel="how sure it is", ylabel="how often it is right", xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, linestyle="--")
    means = [(sure[bins == b].mean(), right[bins == b].mean()) for b in kept]
    axes.plot(*zip(*means, strict=True), color=PALE, linewidth=1)
    axes.scatter(*zip(*means, strict=True), s=900 * counts / counts.sum() + 12, color=DEEP, zorder=3)
    _plain(axes)
    return _saved(figure, target)


def _recall(chosen: dict[str, Any]) -> tuple[list[str], Floats]:
    gold, said = np.array(chosen["gold"]), np.array(chosen["chosen"])
    found = [float((said == i)[gold == i].mean()) if (gold == i).any() else 0.0 for i in range(len(chosen["options"]))]
    return chosen["options"], np.array(found)


def _figure(width: float, height: float) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("Drawing", "tune") from None
    return Figure(figsize=(width, height), dpi=150, layout="constrained")


def _plain(axes: "Axes") -> None:
    axes.grid(alpha=0.25)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _saved(figure: "Figure", target: Path) -> Path:
    with whole(target) as draft:
        figure.savefig(draft)
    return target


def _logged(log: Path) -> tuple[list[int], Floats]:
    """Each step once: a run that was killed logs some of them again."""
    rows = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
    losses: dict[int, float] = {row["step"]: row["loss"] for row in rows if "loss" in row}
    if not losses:
        raise InputError(f"{log} holds no step yet, so there is nothing to draw. Train first: heartfelt tune train")
    steps = sorted(losses)
    return steps, np.array([losses[step] for step in steps])


def _smoothed(values: Floats) -> Floats:
    """The mean of each value and the ones before it, over a tenth of all."""
    width = max(1, len(values) // 10)
    sums = np.cumsum(np.concatenate(([0.0], values)))
    ends = np.arange(1, len(values) + 1)
    starts = np.maximum(0, ends - width)
    return (sums[ends] - sums[starts]) / (ends - starts)
