"""What a step can see and use while it runs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from heartfelt.agents.classifier import Classifier
from heartfelt.budget import Meter
from heartfelt.edits import Edit
from heartfelt.events import Event
from heartfelt.memory import Embedder, Memory
from heartfelt.models.seam import Model
from heartfelt.records import Dialogue, Identity, Output, StepRecord
from heartfelt.reply_stream import ReplyStream

Kind = TypeVar("Kind")
Forbidden: TypeAlias = Callable[[str], Iterable[tuple[str, str]]]
"""What in a reply may never be said: each problem with what to do about it."""


@dataclass(frozen=True)
class Services:
    """The parts that steps share for a turn."""

    model: Model
    emit: Callable[[Event], None]
    meter: Meter
    reply: ReplyStream = field(default_factory=ReplyStream)
    """Where the words of the reply go, as they are written."""
    memory: Memory | None = None
    embedder: Embedder | None = None
    """Finds plain replies that were written for messages like the one at hand."""
    classifier: Classifier | None = None
    """Tells of what kind a message is and what is felt, where the model is too slow for it or too small."""
    models: dict[str, Model] = field(default_factory=dict)
    """Another model for single steps, by the step's name."""
    voters: tuple[Model, ...] = ()
    """Further models that vote where a recipe lets several decide."""
    scored: frozenset[str] = frozenset()
    """Splits that are being scored: nothing of them is ever recalled."""
    identity: Identity = field(default_factory=Identity)
    temperature: float | None = None
    """Overrides the temperature of every step."""
    seed: int = 0
    tries: int = 3
    """How often a step is asked before its answer is given up."""
    timeout: float = 120.0
    forbidden: Forbidden | None = None
    """None: nobody looks."""


@dataclass(frozen=True)
class View:
    """The dialogue, the steps before, and, in a re-run, the step's own previous output with what to mend."""

    dialogue: Dialogue
    services: Services
    number: int = 0
    """The pass."""
    done: tuple[StepRecord, ...] = ()
    previous: Output | None = None
    instruction: str = ""
    edits: tuple[Edit, ...] = ()
    """What a person sets by hand, to see what follows."""
    instead_of: str = ""
    """The reply that this person has: they want to see another one, if another one fits."""

    def find(self, kind: type[Kind]) -> Kind | None:
        return next((record.output for record in reversed(self.done) if isinstance(record.output, kind)), None)

    def set_by_hand(self, kind: type[Kind]) -> Kind | None:
        """The same, where a person has set it."""
        return next((r.output for r in reversed(self.done) if r.edited and isinstance(r.output, kind)), None)

    def model_for(self, step: str) -> Model:
        return self.services.models.get(step, self.services.model)

    @property
    def seed(self) -> int:
        """Another one for every pass, so that a re-run does not repeat itself; the same for the same pass."""
        return self.services.seed + self.number

    @property
    def said(self) -> str:
        """Everything that was said, for checking quotes; what stands between two turns is in no quote."""
        return "\n\0\n".join(turn.text for turn in self.dialogue.turns)


def classified(view: View, step: str) -> bool:
    """Whether the classifier is asked in place of the step's model: beside one that writes drafts it knows as much at once."""
    return view.services.classifier is not None and view.model_for(step).capabilities.drafts
