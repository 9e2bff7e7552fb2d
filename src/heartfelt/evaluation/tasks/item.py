"""One question to a system: what it may see, and the gold, which is kept aside."""

from heartfelt.datasets.talk import Chain, TurnClip
from heartfelt.records import Dialogue, Identity, Record, StepRecord


class Gold(Record):
    """What is known and must not be seen."""

    emotion: str | None = None
    """In the label set `labels`."""
    labels: str = ""
    original: str | None = None
    """The same as the corpus spells it."""
    answered_with: str | None = None
    """respond: the emotion of what was really answered, in the set `labels`, where the corpus has one."""
    reference: str = ""
    """What was really answered."""
    strategy: str = ""
    accepted: tuple[str, ...] = ()
    """Strategies that count as right: more than one where the copy of the corpus does not tell them apart."""
    situation: str = ""
    chain: Chain | None = None
    verdicts: dict[str, str] = {}
    """audit: `right` or `wrong` for each step."""
    planted: tuple[str, ...] = ()
    """audit: `step: how` of each fault, the earliest first."""

    @property
    def blamed(self) -> str | None:
        return next((step for step, verdict in self.verdicts.items() if verdict == "wrong"), None)


class Item(Record):
    id: str
    """The dialogue's id and the place of the turn: `meld/test/dia93#4`."""
    place: int
    """Of the turn asked about, in the whole dialogue."""
    turn_id: str = ""
    """The corpus's own id of the exchange, where it has one."""
    dialogue: Dialogue
    """What the system may see; its last turn is the one asked about."""
    gold: Gold
    clips: tuple[TurnClip | None, ...] = ()
    """Recordings of the turns that may be seen."""
    speaker: Identity | None = None
    listener: Identity | None = None
    situation: str = ""
    """Only where the protocol gives it."""
    done: tuple[StepRecord, ...] = ()
    """audit: the pass that is to be judged."""
