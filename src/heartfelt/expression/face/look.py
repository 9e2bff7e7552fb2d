"""What a person looks like, as one record; everything that is drawn of a person follows from it."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, field_validator

from heartfelt.errors import UnknownName
from heartfelt.expression.face.names import PROPORTIONS
from heartfelt.records import Record

Share: TypeAlias = Annotated[float, Field(ge=0, le=1)]
Colour: TypeAlias = Annotated[str, Field(pattern=r"^#[0-9a-f]{6}$")]
"""As screens show it: #rrggbb."""
Hair: TypeAlias = Literal["bald", "receding", "short", "swept", "side parting", "bob", "long", "bun", "curly", "afro"]
Beard: TypeAlias = Literal["none", "stubble", "moustache", "full"]
Clothes: TypeAlias = Literal["shirt", "sweater", "blazer", "t-shirt"]


class Ancestry(Record):
    """A mix of the mesh's three grand lines; only the shares count, not their sum."""

    african: Share = 0.0
    asian: Share = 0.0
    caucasian: Share = 0.0

    def shares(self) -> tuple[float, float, float]:
        total = self.african + self.asian + self.caucasian
        if total == 0:
            return 1 / 3, 1 / 3, 1 / 3
        return self.african / total, self.asian / total, self.caucasian / total


class Look(Record):
    """A person who does not exist."""

    name: str = "Somebody"
    age: float = Field(default=35, ge=18, le=95)
    """Years."""
    gender: Share = 0.5
    """From the mesh's female (0) to its male (1) form."""
    ancestry: Ancestry = Ancestry()
    proportions: dict[str, float] = {}
    """What makes the face one's own: names of `names.PROPORTIONS`, each from -1 to 1."""
    seed: int = 0
    """Decides all that is left to chance: strands, freckles, small asymmetries."""
    skin: Colour = "#d9a384"
    redness: Share = 0.5
    freckles: Share = 0.0
    eyes: Colour = "#6b4a2f"
    brows: Colour = "#4a3526"
    brow_weight: Share = 0.5
    """From fine to bushy."""
    lips: Share = 0.3
    """How far the lips are coloured beyond their nature."""
    hair: Hair = "short"
    hair_colour: Colour = "#4a3020"
    grey: Share = 0.0
    beard: Beard = "none"
    glasses: Colour | None = None
    """The colour of the frame; None for a person without glasses."""
    clothes: Clothes = "sweater"
    clothes_colour: Colour = "#52657a"
    backdrop: Colour = "#8d949c"

    @field_validator("proportions")
    @classmethod
    def _known(cls, value: dict[str, float]) -> dict[str, float]:
        for name, amount in value.items():
            if name not in PROPORTIONS:
                raise UnknownName("proportion", name, PROPORTIONS)
            if not -1 <= amount <= 1:
                raise ValueError(f"{name} must lie between -1 and 1, not {amount}")
        return value


def linear(colour: str) -> tuple[float, float, float]:
    """Amounts of light, from 0 to 1, of a colour as screens show it."""
    shown = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in shown)
    return red, green, blue
