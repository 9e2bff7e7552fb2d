"""Temperatures that make the probabilities of closed choices honest. They lie beside the adapter that they were fitted for."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from heartfelt.errors import EngineError
from heartfelt.records import Record


class Fitted(Record):
    """One set of options, and what the validation split says of it."""

    options: tuple[str, ...]
    prompt: str = ""
    """The prompt file that it is chosen after; empty: any."""
    temperature: float = Field(gt=0, allow_inf_nan=False)
    """Above 1 where the model is surer than it is right."""
    turns: int
    error_before: float
    """Expected calibration error in 15 bins."""
    error_after: float


class Temperatures(Record):
    sets: dict[str, Fitted] = {}

    def of(self, options: Sequence[str], prompt: str = "") -> float:
        """That of the smallest known set that holds all these options, best of this very prompt; 1 where there is none."""
        wanted = set(options)
        fits = [known for known in self.sets.values() if wanted <= set(known.options) and known.prompt in ("", prompt)]
        return min(fits, key=lambda known: (known.prompt != prompt, len(known.options))).temperature if fits else 1.0


def beside(adapter: Path) -> Path:
    return adapter.with_suffix(".calibration.json")


def temperatures(adapter: Path | None) -> Temperatures:
    """Those of an adapter; none where it was not calibrated, and for the base model."""
    path = beside(adapter) if adapter else None
    if path is None or not path.is_file():
        return Temperatures()
    try:
        return Temperatures.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise EngineError(f"{path} is no calibration: {error.errors()[0]['msg']}. Remove it, or calibrate again.") from None
