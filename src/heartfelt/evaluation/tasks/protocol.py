"""What exactly is asked of which turns: a record for a run's manifest, so that a score says what it is a score of."""

from hashlib import sha256
from typing import Literal

from pydantic import Field

from heartfelt.labels import DEFAULT_MAP
from heartfelt.records import Record


class Protocol(Record):
    task: str
    """respond, forecast, recognise, strategy or audit."""
    dataset: str
    """The corpus, by the name that `heartfelt data list` has for it."""
    split: str
    turns: Literal["last", "first", "all", "open"] = "last"
    """Which turns of a dialogue are asked about: the last or the first that has a gold answer, all of them, or the speaker's
    last one whether it was answered or not (`open`, for test files without references)."""
    history: int | None = Field(default=None, ge=0)
    """How many turns before the one asked about may be seen; none: all of them."""
    labels: str = ""
    """The label set of gold emotions; empty: the corpus's own."""
    mapping: str = DEFAULT_MAP
    """The named map by which gold emotions reach that set."""
    previous_labels: Literal["withheld", "given"] = "withheld"
    """Whether the gold emotions of earlier turns may be seen: where each turn has its own, and never by default."""
    situation: Literal["withheld", "given"] = "withheld"
    """Whether the written situation may be seen. It is gold: no live user gives one."""
    recipe: str = "heartfelt"
    """audit: whose steps hold the planted faults."""
    limit: int | None = Field(default=None, ge=1)
    """At most so many dialogues. The first hundred of three hundred are the same hundred."""
    seed: int = 0
    """Which dialogues, and in which order."""

    @property
    def digest(self) -> str:
        """Equal for equal protocols, on every machine."""
        return sha256(self.model_dump_json().encode()).hexdigest()[:16]

    @property
    def scored(self) -> str:
        """The split under evaluation, as memory names it."""
        return f"{self.dataset}/{self.split}"
