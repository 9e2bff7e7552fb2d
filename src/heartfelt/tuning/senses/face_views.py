"""Other views of the same faces, drawn on the device for a whole batch at once: what a camera and a crop may do to a face.

The network learns from small, clean, centred pictures and will see crops of films and of web cameras. So faces are turned,
moved and scaled, lit from the side, blurred, made coarse, squeezed like a JPEG, made noisy, and covered in part; and then
brought to one light, as the runtime does.
"""

import math

import torch
from torch import Tensor
from torch.nn import functional as F

from heartfelt.senses.face.light import LEVELS

TURN, MOVE, SCALE, SHEAR = 18.0, 0.12, 0.22, 0.08
"""Degrees, share of the half side, share of the size, and slant, at most."""
BLOCK = 8
"""The side of a JPEG's blocks."""


def views(pictures: Tensor, chance: torch.Generator, *, strength: float = 1.0) -> Tensor:
    """(n, 1, side, side) grey values from 0 to 255, seen otherwise and equalised."""
    draw = _Drawn(len(pictures), pictures.device, chance)
    x = _moved(pictures, draw, strength)
    x = _lit(x, draw, strength)
    x = _kept_or(x, _blurred(x, draw), draw, 0.25 * strength)
    x = _kept_or(x, _coarse(x), draw, 0.12 * strength)
    x = _kept_or(x, _squeezed(x, draw), draw, 0.2 * strength)
    x = _noisy(x, draw, strength)
    return equalised(_covered(x, draw, 0.35 * strength))


def equalised(x: Tensor) -> Tensor:
    """What `light.equalised` does to one picture, to a whole batch."""
    grey = x.flatten(1).round().clamp(0, LEVELS - 1).long()
    counts = torch.zeros(len(x), LEVELS, device=x.device).scatter_add_(1, grey, torch.ones_like(grey, dtype=torch.float32))
    darker = counts.cumsum(1) - counts / 2
    return ((LEVELS - 1) * darker / grey.shape[1]).gather(1, grey).reshape(x.shape)


class _Drawn:
    """Random numbers of a batch, one a picture."""

    def __init__(self, count: int, device: torch.device, chance: torch.Generator):
        self.count, self.device, self.chance = count, device, chance

    def even(self, low: float, high: float) -> Tensor:
        """(n, 1, 1, 1) between two bounds."""
        return torch.rand(self.count, 1, 1, 1, device=self.device, generator=self.chance) * (high - low) + low

    def hit(self, share: float) -> Tensor:
        return self.even(0, 1) < share

    def noise(self, like: Tensor) -> Tensor:
        return torch.randn(like.shape, device=self.device, generator=self.chance)


def _kept_or(x: Tensor, changed: Tensor, draw: _Drawn, share: float) -> Tensor:
    return torch.where(draw.hit(share), changed, x)


def _moved(x: Tensor, draw: _Drawn, strength: float) -> Tensor:
    """Mirrored, turned, scaled, slanted and moved, in one pass. What lies outside is black for some, and goes on for others."""
    turn = draw.even(-1, 1).flatten() * math.radians(TURN) * strength
    scale = 1 + draw.even(-1, 1).flatten() * SCALE * strength
    slant = draw.even(-1, 1).flatten() * SHEAR * strength
    stretch = 1 + draw.even(-1, 1).flatten() * 0.08 * strength
    mirror = torch.where(draw.hit(0.5).flatten(), -1.0, 1.0)
    aside, along = (draw.even(-1, 1).flatten() * MOVE * strength for _ in range(2))
    cosine, sine = turn.cos() * scale, turn.sin() * scale
    rows = [torch.stack([cosine * mirror * stretch, slant - sine, aside], 1), torch.stack([sine * mirror, cosine, along], 1)]
    grid = F.affine_grid(torch.stack(rows, 1), list(x.shape), align_corners=False)
    goes_on = F.grid_sample(x, grid, padding_mode="border", align_corners=False)
    black = F.grid_sample(x, grid, padding_mode="zeros", align_corners=False)
    return torch.where(draw.hit(0.3), black, goes_on)


def _lit(x: Tensor, draw: _Drawn, strength: float) -> Tensor:
    """Gamma, contrast and brightness, which matter where they cut off light or dark, and light that falls from one side."""
    x = 255 * (x / 255).clamp(1e-4, 1) ** torch.exp(draw.even(-0.5, 0.5) * strength)
    middle = x.mean((2, 3), keepdim=True)
    x = (x - middle) * torch.exp(draw.even(-0.5, 0.3) * strength) + middle + draw.even(-30, 30) * strength
    way = torch.linspace(-1, 1, x.shape[-1], device=x.device)
    slope = draw.even(-0.35, 0.35) * way[None, None, None, :] + draw.even(-0.35, 0.35) * way[None, None, :, None]
    return torch.where(draw.hit(0.4 * strength), x * (1 + slope), x).clamp(0, 255)


def _blurred(x: Tensor, draw: _Drawn) -> Tensor:
    line = torch.tensor([1.0, 4.0, 6.0, 4.0, 1.0], device=x.device) / 16
    soft = F.conv2d(F.pad(x, (2, 2, 2, 2), mode="replicate"), (line[:, None] * line[None, :])[None, None])
    return torch.lerp(x, soft, draw.even(0.3, 1.0).expand_as(x))


def _coarse(x: Tensor) -> Tensor:
    """As if the face had been half as large in its picture."""
    return F.interpolate(F.avg_pool2d(x, 2), size=x.shape[-2:], mode="bilinear", align_corners=False)


def _squeezed(x: Tensor, draw: _Drawn) -> Tensor:
    """The cosine transform of blocks of eight, rounded the more coarsely the finer the pattern."""
    count, side = len(x), x.shape[-1] // BLOCK
    place = torch.arange(BLOCK, device=x.device, dtype=x.dtype)
    basis = torch.cos(math.pi * (2 * place[None, :] + 1) * place[:, None] / (2 * BLOCK)) * math.sqrt(2 / BLOCK)
    basis[0] /= math.sqrt(2)
    blocks = x.reshape(count, side, BLOCK, side, BLOCK).transpose(2, 3)
    coarse = (8 + 5 * (place[:, None] + place[None, :])) * draw.even(0.3, 2.0).reshape(-1, 1, 1, 1, 1)
    kept = (basis @ blocks @ basis.T / coarse).round() * coarse
    return (basis.T @ kept @ basis).transpose(2, 3).reshape(x.shape)


def _noisy(x: Tensor, draw: _Drawn, strength: float) -> Tensor:
    return x + draw.noise(x) * draw.even(0, 12) * strength * draw.hit(0.3)


def _covered(x: Tensor, draw: _Drawn, share: float) -> Tensor:
    """A rectangle of one grey: a hand, hair, a microphone."""
    side = x.shape[-1]
    place = torch.arange(side, device=x.device)
    across = _between(place[None, None, None, :], draw, side)
    down = _between(place[None, None, :, None], draw, side)
    return torch.where(across & down & draw.hit(share), draw.even(0, 255).expand_as(x), x)


def _between(place: Tensor, draw: _Drawn, side: int) -> Tensor:
    middle, half = draw.even(0, side), draw.even(0.08 * side, 0.2 * side)
    return (place >= middle - half) & (place < middle + half)
