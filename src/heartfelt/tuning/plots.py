"""Pictures of a training."""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError, MissingExtra

Floats = NDArray[np.float64]


def loss_plot(log: Path, target: Path) -> Path:
    """The loss of each logged step, faint, and its running mean."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtra("The plot of the loss", "tune") from None
    steps, losses = _logged(log)
    figure = Figure(figsize=(7, 4), dpi=150, layout="constrained")
    axes = figure.add_subplot(xlabel="step", ylabel="loss on what the model decides")
    axes.plot(steps, losses, color="#9db8d2", linewidth=0.8, marker="." if len(steps) < 40 else "", label="each logged step")
    axes.plot(steps, _smoothed(losses), color="#1f4e79", linewidth=2, label="running mean")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.25)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    partial = target.with_name(f"{target.stem}.partial{target.suffix}")
    figure.savefig(partial)
    return partial.replace(target)


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
