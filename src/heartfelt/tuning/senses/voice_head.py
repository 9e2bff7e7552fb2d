"""The head that hears a feeling: one linear layer over what the speech recogniser's inner layers heard.

With two dozen voices to learn from, anything larger learns the voices. So the head is worked out, not searched for: each
emotion is a point, and whatever makes one emotion sound in different ways is noise. That is above all who speaks, and where.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.voice.layers import WIDTH
from heartfelt.tuning.senses.graph import TrainedGraph

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Ints = NDArray[np.int64]
NEVER = -1e4
"""The score of a label that there was nothing to learn of."""


@dataclass(frozen=True)
class VoiceHead:
    weight: Floats
    """(classes, WIDTH)"""
    bias: Floats

    def scores(self, heard: Floats) -> Floats:
        return heard @ self.weight.T + self.bias

    def write(self, path: Path, *, half: bool = False) -> Path:
        graph = TrainedGraph("voice", source=("heard", ["n", WIDTH]), half=half)
        return graph.save(path, graph.linear("heard", self.weight, self.bias), width=len(self.bias))


@dataclass(frozen=True)
class Lessons:
    """Hearings to learn from, one a row."""

    heard: Floats
    labels: Ints
    speakers: Ints
    corpora: Ints


def learnt(lessons: Lessons, classes: int, *, shrink: float) -> VoiceHead:
    """Linear discriminant analysis; `shrink` is the share of the noise that is taken to be alike in all directions.

    A label that nobody acts never comes first. The scores differ by 1 on average: how sure that is has to be found on others.
    """
    mean, spread = lessons.heard.mean(0), lessons.heard.std(0) + 1e-3
    rows = ((lessons.heard - mean) / spread).astype(np.float64)
    points, noise = _points_and_noise(rows, lessons)
    level = np.trace(noise) / len(noise)
    known = np.unique(lessons.labels)
    weight, bias = np.zeros((classes, rows.shape[1])), np.full(classes, NEVER)
    found = np.linalg.solve((1 - shrink) * noise + shrink * level * np.eye(len(noise)), points.T).T
    weight[known] = found - found.mean(0)  # what raises all labels alike says nothing
    bias[known] = -0.5 * np.sum(found * points, axis=1)
    scale = float(np.std((rows @ weight.T + bias)[:, known], axis=1).mean())
    plain = weight / scale / spread  # what was centred for the fit is folded in: the head takes what was heard
    bias[known] = bias[known] / scale - plain[known] @ mean
    return VoiceHead(plain.astype(np.float32), bias.astype(np.float32))


def _points_and_noise(rows: Doubles, lessons: Lessons) -> tuple[Doubles, Doubles]:
    """The place of each label, and how what is heard of it is scattered: from hearing to hearing, and from speaker to speaker.

    Every speaker counts the same. A label that only one corpus has would stand for that corpus: so corpora are laid over one
    another by the labels that all of them have, before the places are taken.
    """
    cells, of = np.unique(np.stack([lessons.labels, lessons.speakers, lessons.corpora], 1), axis=0, return_inverse=True)
    of = of.ravel()
    counts = np.bincount(of)
    means = np.zeros((len(cells), rows.shape[1]))
    np.add.at(means, of, rows)
    means /= counts[:, None]
    apart = (rows - means[of]) / np.sqrt(counts[of] * len(cells))[:, None]
    label, corpus = cells[:, 0], cells[:, 2]
    laid = means - _shifts(means, label, corpus)[corpus]
    points = np.stack([laid[label == each].mean(0) for each in np.unique(label)])
    away = (means - points[np.searchsorted(np.unique(label), label)]) / np.sqrt(len(cells))
    return points, apart.T @ apart + away.T @ away


def _shifts(means: Doubles, label: Ints, corpus: Ints) -> Doubles:
    """How far each corpus lies from the middle of all."""
    kinds = range(corpus.max() + 1)
    common = set.intersection(*(set(label[corpus == each].tolist()) for each in kinds if (corpus == each).any()))
    centres = np.zeros((len(kinds), means.shape[1]))
    for each in np.unique(corpus):
        centres[each] = np.mean([means[(corpus == each) & (label == one)].mean(0) for one in sorted(common)], axis=0)
    return centres - centres[np.unique(corpus)].mean(0)
