"""Choosing, while a turn goes by, the few stills that show most of it."""

import base64
import io
import math
from bisect import insort
from dataclasses import dataclass

from PIL import Image

from heartfelt.errors import InputError
from heartfelt.records import Keyframe
from heartfelt.senses.media.pieces import Picture

_NO_FACE = 0.05
"""What a frame without a face still counts: better than nothing where no frame has one."""
_NO_CHANGE = 0.25
"""What an unchanging expression counts beside one that changes fully."""
_QUALITY = 85


@dataclass(frozen=True)
class _KeptFrame:
    picture: Picture
    face: float
    sharpness: float
    change: float


class Keyframes:
    """Sees every sampled frame and keeps the best few, never more than one above their number.

    A frame's worth is how well the face is seen, how sharp it is beside the mean frame so far, and how much the expression
    changes there. Whenever there is one too many, the frame goes whose worth times its distance from its nearest neighbour is
    least: of two that show the same moment the poorer, and a dull one before a telling one. Distance counts less and less
    beyond an even spread, so that frames gather where something happens and yet cover the turn.
    """

    def __init__(self, most: int = 4):
        if most < 0:
            raise InputError(f"{most} keyframes cannot be kept. Wish for 0 or more.")
        self.most = most
        self._kept: list[_KeptFrame] = []
        self._seen = 0
        self._mean_sharpness = 0.0
        self._first = math.inf
        self._last = -math.inf

    def offer(self, picture: Picture, *, face: float, sharpness: float, change: float) -> None:
        """Show it a frame with what was measured: face visible 0 to 1, sharpness, expression change 0 to 1."""
        sharp = max(0.0, _finite(sharpness))
        self._seen += 1
        self._mean_sharpness += (sharp - self._mean_sharpness) / self._seen
        self._first, self._last = min(self._first, picture.time), max(self._last, picture.time)
        insort(self._kept, _KeptFrame(picture, _share(face), sharp, _share(change)), key=lambda kept: kept.picture.time)
        if len(self._kept) > self.most:
            del self._kept[min(range(len(self._kept)), key=self._value)]

    def pictures(self) -> tuple[Picture, ...]:
        """Those that are kept, in the order of time."""
        return tuple(kept.picture for kept in self._kept)

    def records(self) -> tuple[Keyframe, ...]:
        """The same as JPEG, for a turn."""
        return tuple(jpeg(picture) for picture in self.pictures())

    def _value(self, index: int) -> tuple[float, float]:
        """What would be lost without it; of equals the later goes."""
        kept = self._kept[index]
        return self._worth(kept) * self._spread(index), -kept.picture.time

    def _worth(self, kept: _KeptFrame) -> float:
        face = _NO_FACE + (1 - _NO_FACE) * kept.face
        change = _NO_CHANGE + (1 - _NO_CHANGE) * kept.change
        sharp = kept.sharpness / (kept.sharpness + self._mean_sharpness) if kept.sharpness else 0.01
        return face * change * sharp

    def _spread(self, index: int) -> float:
        """From 0 on top of a neighbour towards 1 far from all; one half at an even spread."""
        time = self._kept[index].picture.time
        neighbours = self._kept[max(0, index - 1) : index] + self._kept[index + 1 : index + 2]
        if not neighbours or self._last <= self._first:
            return 1.0
        nearest = min(abs(time - other.picture.time) for other in neighbours)
        return nearest / (nearest + (self._last - self._first) / self.most)


def jpeg(picture: Picture, *, quality: int = _QUALITY) -> Keyframe:
    """A picture as a model that can see takes it."""
    file = io.BytesIO()
    Image.fromarray(picture.pixels).save(file, "JPEG", quality=quality)
    return Keyframe(time=picture.time, data=base64.b64encode(file.getvalue()).decode("ascii"))


def _share(value: float) -> float:
    return min(1.0, max(0.0, _finite(value)))


def _finite(value: float) -> float:
    """A measurement that failed counts as nothing seen."""
    return value if math.isfinite(value) else 0.0
