"""Hairstyles: how a head of hair grows, is cut and is combed. All lengths are in the measures of the resting head."""

from dataclasses import dataclass

from heartfelt.expression.face.curtain import Fall
from heartfelt.expression.face.look import Look
from heartfelt.expression.face.pattern import Kind


@dataclass(frozen=True)
class HairStyle:
    """How a head of hair grows."""

    top: float
    """How high it stands above the skull on top."""
    sides: float
    crown: tuple[float, float, float] = (0.08, 8.42, -0.45)
    """Where it grows from, is combed away from, or is tied; it may lie off the scalp."""
    dense: int = 2
    """How often the picture of strands goes round the crown; more often, the further off it lies."""
    parting: tuple[float, float, float] | None = None
    """The front end of a parting that ends at the crown."""
    tufts: float = 0.10
    """How far its tufts stand out from each other, as a share of its height."""
    fade: float = 0.0
    """How much thinner it is above the ears."""
    quiff: float = 0.0
    """How much higher it stands over the forehead."""
    line: float = 0.0
    """How far the hairline has gone back."""
    loose: float = 0.5
    """How much of the outermost coat is air."""
    lumps: float = 0.0
    """How uneven its surface is."""
    stray: bool = False
    """Whether the line over the forehead is uneven, as that of hair that is cut short."""
    drawn_back: bool = False
    """Whether it is drawn away from the forehead, whatever way the rest of it goes."""
    kind: Kind = "straight"
    fall: Fall | None = None


_FRONT = (0.30, 8.22, 0.86)
STYLES = {
    "receding": HairStyle(top=0.055, sides=0.05, line=0.42, loose=0.6),
    "short": HairStyle(
        top=0.15, sides=0.05, crown=(-1.3, 8.2, -0.6), dense=6, tufts=0.28, fade=0.5, quiff=0.05, loose=0.45, stray=True,
    ),
    "swept": HairStyle(
        top=0.14, sides=0.06, crown=(0.35, 7.0, 1.3), dense=4, tufts=0.16, line=0.10, quiff=0.05, loose=0.5, stray=True,
    ),
    "side parting": HairStyle(
        top=0.18, sides=0.07, crown=(0.30, 8.46, -0.30), parting=_FRONT, tufts=0.14, fade=0.35, quiff=0.06, loose=0.35,
        stray=True,
    ),
    "bob": HairStyle(
        top=0.05, sides=0.03, loose=0.1, drawn_back=True,
        fall=Fall(part=-0.20, tip=6.40, volume=0.14, flare=0.02, turn_in=0.20, uneven=0.05, thin=0.08),
    ),
    "long": HairStyle(
        top=0.05, sides=0.03, loose=0.1, drawn_back=True,
        fall=Fall(part=0.10, tip=5.45, volume=0.12, flare=0.05, turn_in=0.05, uneven=0.16, thin=0.22, waves=0.03),
    ),
    "bun": HairStyle(top=0.085, sides=0.06, crown=(0.0, 8.36, -0.52), loose=0.2, drawn_back=True),
    "curly": HairStyle(
        top=0.08, sides=0.05, loose=0.1, drawn_back=True, kind="wavy",
        fall=Fall(part=0.12, tip=5.62, volume=0.22, flare=0.16, turn_in=0.06, uneven=0.14, thin=0.14, waves=0.06, curls=True),
    ),
    "afro": HairStyle(top=0.47, sides=0.35, loose=0.45, lumps=0.045, kind="coiled"),
}  # fmt: skip
CROP = HairStyle(top=0.075, sides=0.03, dense=5, fade=0.8, loose=0.40, stray=True, kind="coiled")
"""Short hair that coils."""


def style_of(look: Look) -> HairStyle | None:
    if look.hair == "short" and look.ancestry.shares()[0] > 0.55:
        return CROP
    return STYLES.get(look.hair)
