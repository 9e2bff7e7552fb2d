"""What a face in a film does and shows, against the same face at rest: measured by the senses, as in a film of anybody."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.expression.proof.build import build_of
from heartfelt.records import Scores
from heartfelt.senses.emotions.network import ExpressionNetwork
from heartfelt.senses.face.networks import FaceNetworks, MediaPipeNetworks
from heartfelt.senses.face.sense import FaceSense
from heartfelt.senses.face.shape import Shape, shape
from heartfelt.senses.face.units import units
from heartfelt.senses.media.media import open_media

Frame = NDArray[np.uint8]

LOOKS = 5.0
"""Pictures a second that are looked at."""
_LEAST = 0.01
"""A share below which a network's certainty says nothing."""


@dataclass(frozen=True)
class SeenLook:
    """A film, or a few pictures of a person, in the mean."""

    units: Scores
    """What the muscles of the face do, against the same face at rest: see `senses.face.units`."""
    shares: Scores
    """How likely the face network finds each emotion."""
    risen: Scores
    """The same as logarithms, against the same face at rest."""
    build: tuple[float, ...]
    """How the face is built: see `build`."""


class Onlooker:
    """Watches. The networks are loaded once."""

    def __init__(self, networks: FaceNetworks | None = None):
        self.networks = networks or MediaPipeNetworks()
        self.expression = ExpressionNetwork()

    def film(self, film: Path, rest: Frame) -> SeenLook | None:
        """All of a film; None where no face is found in it."""
        return self.pictures((picture.pixels for picture in open_media(film).frames(rate=LOOKS)), rest)

    def pictures(self, pictures: Iterable[Frame], rest: Frame) -> SeenLook | None:
        calm = self._seen(rest)
        if calm is None:
            raise InputError("No face is found in the picture at rest, so nothing can be measured against it.")
        seen = [found for found in map(self._seen, pictures) if found is not None]
        if not seen:
            return None
        logs = {label: float(np.mean([np.log(each.shares[label] + _LEAST) for each in seen])) for label in calm.shares}
        return SeenLook(
            units=_mean([units(each.shape, calm.shape) for each in seen]),
            shares=_mean([each.shares for each in seen]),
            risen={label: round(value - float(np.log(calm.shares[label] + _LEAST)), 4) for label, value in logs.items()},
            build=tuple(np.round(np.mean([each.build for each in seen], axis=0), 5).tolist()),
        )

    def _seen(self, picture: Frame) -> "_Face | None":
        """The largest face of a picture."""
        seen = FaceSense(self.networks, expression=self.expression, most=1).see(picture, 0.0).main
        if seen is None or seen.shares is None:
            return None
        upright = seen.head.normalised(seen.points)
        return _Face(shape(upright), seen.shares, build_of(upright))


@dataclass(frozen=True)
class _Face:
    shape: Shape
    shares: Scores
    build: NDArray[np.floating[Any]]


def _mean(rows: list[dict[str, Any]]) -> Scores:
    return {name: round(float(np.mean([row[name] for row in rows])), 4) for name in rows[0]}
