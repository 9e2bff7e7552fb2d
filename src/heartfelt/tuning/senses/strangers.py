"""How a voice's head does with people it has never met: a corpus is judged by a head that has learnt from the others.

Actors who are left out of a corpus still speak its sentences, in its room and in its manner. Only another corpus shows what a
stranger is to the head; so it is there that its sureness is found.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartfelt.tuning.senses.claims import claimed, least_shares
from heartfelt.tuning.senses.report import figures
from heartfelt.tuning.senses.sounds import NAMES
from heartfelt.tuning.senses.temperature import Floats, fitted, shares

RIGHT = 0.7
"""Of the claims of each emotion in strangers, the share that must be right."""
HEARINGS = ("", "_in_a_bad_hearing")


class Sureness(NamedTuple):
    temperature: float
    least: list[float]
    """For each label the share below which it is not claimed."""


@dataclass(frozen=True)
class Judged:
    """What every utterance was taken for by heads without its corpus (`across`), and without its speaker (`within`)."""

    across: Floats
    """(2, utterances, labels): scores of the recording, and in a bad hearing. `within` too."""
    within: Floats
    labels: NDArray[np.int64]
    corpora: NDArray[np.str_]
    speakers: NDArray[np.str_]

    @classmethod
    def read(cls, path: Path) -> "Judged":
        with np.load(path) as data:
            found = {name: data[name] for name in data.files}
        scores = {name: found.pop(name).astype(np.float64) for name in ("across", "within")}
        return cls(**scores, **found)

    @property
    def shared(self) -> NDArray[np.bool_]:
        """The utterances whose label occurs in every corpus: nobody can know what he has never heard."""
        common = set.intersection(*(set(self.labels[self.corpora == name].tolist()) for name in np.unique(self.corpora)))
        return np.isin(self.labels, sorted(common))


def sureness(judged: Judged, rows: NDArray[np.bool_] | None = None) -> Sureness:
    """By these of the utterances that all corpora can have, clean and in a bad hearing."""
    used = judged.shared if rows is None else judged.shared & rows
    scores, gold = np.concatenate(list(judged.across[:, used])), np.tile(judged.labels[used], len(judged.across))
    temperature = fitted(scores, gold)
    return Sureness(temperature, least_shares(shares(scores, temperature), gold, right=RIGHT))


def corpora_left_out(judged: Judged) -> dict[str, Any]:
    """Each corpus at the sureness that the others ask for."""
    found: dict[str, Any] = {}
    for name in np.unique(judged.corpora):
        inside = judged.corpora == name
        sure = sureness(judged, ~inside)
        for hearing, scores in zip(HEARINGS, judged.across, strict=True):
            found[f"{name}_left_out{hearing}"] = _figures(judged, scores, judged.shared & inside, sure)
    return found


def speakers_left_out(judged: Judged, sure: Sureness) -> dict[str, Any]:
    rows = np.ones(len(judged.labels), np.bool_)
    return {
        f"speakers_left_out{hearing}": _figures(judged, scores, rows, sure)
        for hearing, scores in zip(HEARINGS, judged.within, strict=True)
    }


def _figures(judged: Judged, scores: Floats, rows: NDArray[np.bool_], sure: Sureness) -> Mapping[str, Any]:
    gold, groups = judged.labels[rows], np.unique(judged.speakers[rows], return_inverse=True)[1]
    found = claimed(shares(scores[rows], sure.temperature), gold, sure.least, groups)
    return found | figures(scores[rows], gold, NAMES, temperature=sure.temperature, groups=groups)
