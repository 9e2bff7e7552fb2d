"""The timeline beside a film, as far as the page needs it: when each word is said, and when the face holds still."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

LARGEST = 6_000_000
"""Bytes of a timeline that is opened."""
_RESTLESS = {"eyeBlinkLeft": 1.0, "eyeBlinkRight": 1.0, "jawOpen": 1.0, "gaze_yaw": 0.02, "gaze_pitch": 0.02}
"""What makes a poor picture of somebody, and how much: closed lids, an open mouth, eyes that look away by so many degrees."""
_EARLIEST, _LATEST = 0.25, 4.0
"""The face is looked for after this part of the film, when it has come to its expression, and before so many seconds."""


class ScoreSaid(BaseModel):
    text: str
    """As it is written."""
    start: float = Field(ge=0, allow_inf_nan=False)
    end: float = Field(ge=0, allow_inf_nan=False)
    at: int = Field(ge=0)
    """Where the word begins in the text."""


class Score(BaseModel):
    words: tuple[ScoreSaid, ...]
    rate: int = Field(default=50, gt=0)
    channels: dict[str, tuple[float, ...]] = {}
    """Each unit of the face and each angle, so many values a second."""

    def quietest(self, seconds: float) -> float:
        """The second in which a picture of the face is best taken, of a film that is so long."""
        shown = {name: values for name, values in self.channels.items() if name in _RESTLESS}
        first, last = int(_EARLIEST * seconds * self.rate), int(min(seconds, _LATEST) * self.rate)
        moments = range(first, min(last, *map(len, shown.values()))) if shown else range(0)
        unrest = {at: sum(_RESTLESS[name] * abs(values[at]) for name, values in shown.items()) for at in moments}
        return min(unrest, key=lambda at: unrest[at]) / self.rate if unrest else min(seconds / 3, _LATEST)


NONE = Score(words=())


def read_score(timelines: Iterable[Path], text: str) -> Score:
    """The first of these files that is a timeline of this text; an empty one where there is none."""
    return next((score for score in map(_score, timelines) if score.words and _fits(score.words, text)), NONE)


def _score(file: Path) -> Score:
    try:
        if file.is_file() and file.stat().st_size <= LARGEST:
            return Score.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        pass  # another kind of file, or one that may not be read: the page does without
    return NONE


def _fits(words: Sequence[ScoreSaid], text: str) -> bool:
    """An earlier turn's timeline may lie there, with other words."""
    in_order = all(one.at < other.at for one, other in pairwise(words))
    return in_order and all(text.startswith(word.text, word.at) and word.at < len(text) for word in words)
