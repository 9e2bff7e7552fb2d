"""Other hearings of the same utterances, drawn on the device for a whole batch at once.

Another place to begin, another speed and height, another microphone, noise in the room, and stretches that are missed.
"""

import math

import torch
from torch import Tensor

from heartfelt.tuning.senses.features import FLOOR
from heartfelt.tuning.senses.sounds import Heard

FEWER, MORE = 0.86, 1.16
"""Time is stretched within these bounds, without changing the height."""
HIGHER = 0.05
"""The share by which the bands are warped at most, as by a longer or a shorter throat."""
COLOUR = 0.8
"""How far, as a natural logarithm of power, a microphone bends the spectrum."""
EVEN = 0.33
"""What the loudness may differ by, likewise: the evening of it is not exact when there is noise."""


class Views:
    """The bands of all utterances on a device, and the draw of a batch from them."""

    def __init__(self, heard: Heard, device: torch.device):
        self.bands = torch.from_numpy(heard.bands).to(device)
        self.starts, self.lengths = (torch.from_numpy(x).to(device) for x in (heard.starts, heard.lengths))

    def draw(self, rows: Tensor, frames: int, chance: torch.Generator, *, strength: float = 1.0) -> Tensor:
        """(n, 1, bands, frames): the utterances, cut at random and repeated where they are shorter."""
        x = self._cut(rows, frames, chance).transpose(1, 2)
        x = _warped(x, chance, strength)
        x = _coloured(x, chance, strength)
        x = _noisy(x, chance, strength)
        return _missed(x, chance, strength)[:, None]

    def _cut(self, rows: Tensor, frames: int, chance: torch.Generator) -> Tensor:
        count, device = len(rows), rows.device
        speed = torch.randint(self.starts.shape[1], (count,), device=device, generator=chance)
        start, length = self.starts[rows, speed], self.lengths[rows, speed]
        pace = torch.exp(_even(count, math.log(FEWER), math.log(MORE), rows, chance))
        first = _even(count, 0, 1, rows, chance) * length
        place = (first[:, None] + torch.arange(frames, device=device) * pace[:, None]) % length[:, None]
        low = place.long().clamp(max=(length - 1)[:, None])
        high = (low + 1) % length[:, None]
        part = (place - low)[:, :, None]
        return torch.lerp(self.bands[start[:, None] + low].float(), self.bands[start[:, None] + high].float(), part)


def _even(count: int, low: float, high: float, like: Tensor, chance: torch.Generator) -> Tensor:
    return torch.rand(count, device=like.device, generator=chance) * (high - low) + low


def _warped(x: Tensor, chance: torch.Generator, strength: float) -> Tensor:
    count, bands = x.shape[:2]
    scale = 1 + _even(count, -HIGHER, HIGHER, x, chance) * strength
    move = _even(count, -1.5, 1.5, x, chance) * strength
    place = (torch.arange(bands, device=x.device) * scale[:, None] + move[:, None]).clamp(0, bands - 1.001)
    low = place.long()
    gathered = [x.gather(1, at[:, :, None].expand_as(x)) for at in (low, low + 1)]
    return torch.lerp(gathered[0], gathered[1], (place - low)[:, :, None].expand_as(x))


def _coloured(x: Tensor, chance: torch.Generator, strength: float) -> Tensor:
    """A smooth curve over the bands: three waves of random height and place."""
    count, bands = x.shape[:2]
    place = torch.arange(bands, device=x.device) / bands
    curve = sum(
        _even(count, -COLOUR, COLOUR, x, chance)[:, None]
        * torch.cos(math.pi * wave * place + _even(count, 0, 2 * math.pi, x, chance)[:, None])
        for wave in (1, 2, 3)
    )
    level = _even(count, -EVEN, EVEN, x, chance)[:, None]
    return x + ((curve + level) * strength)[:, :, None]


def _noisy(x: Tensor, chance: torch.Generator, strength: float) -> Tensor:
    """Steady noise of a random tilt, 5 to 40 decibels under the loud bands, for half of the utterances."""
    count, bands = x.shape[:2]
    loud = x.amax((1, 2)) - 2  # about where the loud bands lie
    under = _even(count, 5, 40, x, chance) * math.log(10) / 10
    tilt = _even(count, -2.5, 1.0, x, chance)[:, None] * torch.linspace(-1, 1, bands, device=x.device)
    level = (loud - under)[:, None] + tilt
    grain = torch.randn(x.shape, device=x.device, generator=chance) * 0.5
    heard = torch.logaddexp(x, level[:, :, None] + grain)
    hit = _even(count, 0, 1, x, chance) < 0.5 * strength
    return torch.where(hit[:, None, None], heard, x).clamp(min=math.log(FLOOR))


def _missed(x: Tensor, chance: torch.Generator, strength: float) -> Tensor:
    """SpecAugment (Park et al., 2019): two stretches of bands and two of time are put at the mean."""
    middle = x.mean((1, 2), keepdim=True)
    for axis, widest in ((1, 10), (1, 10), (2, 24), (2, 24)):
        size, count = x.shape[axis], len(x)
        width = _even(count, 0, widest, x, chance) * strength
        first = _even(count, 0, 1, x, chance) * (size - width)
        place = torch.arange(size, device=x.device)
        hidden = (place >= first[:, None]) & (place < (first + width)[:, None])
        x = torch.where(hidden[:, :, None] if axis == 1 else hidden[:, None, :], middle, x)
    return x
