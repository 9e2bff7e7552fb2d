"""One answered turn as the metrics see it: what was said, what was right, how sure it was, what it cost."""

from pydantic import Field

from heartfelt.records import Record, Scores


class Likelihood(Record):
    """How likely a language model finds a reply."""

    log_probability: float = Field(le=0)
    """Of the whole reply, in nats: the sum over its tokens."""
    tokens: int = Field(ge=1)


class Spent(Record):
    """What one step cost on one turn, all passes together."""

    step: str
    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    ms: float = 0.0


class Row(Record):
    """One answered turn of a run. A metric leaves out the rows that lack what it needs, and says how many it used."""

    id: str
    """Unique within the run, and the same for the same turn in another run."""
    dialogue: str
    """Intervals and tests resample dialogues, because turns of one dialogue are alike."""
    reply: str
    reference: str | None = None
    """What a person answered."""
    context: tuple[str, ...] = ()
    """What was said before, in order."""
    exemplars: tuple[str, ...] = ()
    """Remembered replies that the model was shown."""

    emotion: str | None = None
    """The right label, of the set `labels`."""
    predicted: str | None = None
    """None where the model named no label of the set: an error, not a gap."""
    labels: str = ""
    distribution: Scores | None = None
    strategy: str | None = None
    """The right strategy, of the set `strategies`."""
    strategy_predicted: str | None = None
    strategies: str = ""

    speaker: str = ""
    turns: int = Field(default=0, ge=0)
    """How many turns the dialogue has up to the reply."""
    age: str = ""
    """The profile of the person who is answered: age, gender, timbre."""
    gender: str = ""
    timbre: str = ""

    likelihoods: dict[str, Likelihood] = {}
    """By the name of the scorer, such as `gpt2/response-only`."""
    judged: Scores = {}
    """Marks by judges or classifiers, by name: the hook for measures that are made elsewhere."""
    spent: tuple[Spent, ...] = ()
