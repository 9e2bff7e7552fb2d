"""What passes between the steps: frozen, typed, serialisable records, and nothing else.

The order of this file is the order of a turn: the dialogue comes in, each step adds its record, a pass gathers the steps,
an audit judges the pass, and the outcome names the pass that was chosen.
"""

from typing import Annotated, Literal, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field

from heartfelt.errors import InputError

Kind = TypeVar("Kind", bound="Record")
Source: TypeAlias = Literal["words", "voice", "face", "picture"]
Stopped: TypeAlias = Literal["no audit", "all checks passed", "refinements spent", "budget spent", "danger"]
Tier: TypeAlias = Literal["none", "concern", "active", "imminent"]
Danger: TypeAlias = Literal["suicide", "self-harm", "abuse", "violence", "medical", "eating", "child", "despair"]
Who: TypeAlias = Literal["self", "other"]
"""Who is in danger: the person who speaks, or somebody they speak of."""
RiskState: TypeAlias = Literal["", "doubt", "opened", "open", "checked", "turned", "heard"]
DialogueAct: TypeAlias = Literal[
    "",
    "confirmed",
    "denied",
    "safe",
    "joke",
    "stop",
    "not_me",
    "secrecy",
    "hospital",
    "police",
    "numbers",
    "wants_service",
    "asks_call",
    "help_coming",
    "coping",
    "words_for_other",
    "words_for_me",
    "what_if_call",
    "medical_question",
    "just_a_bot",
    "angry",
    "thanks",
    "better",
    "worse",
    "dont_know",
    "brief",
    "goodbye",
    "going_to_sleep",
    "names_helper",
    "helper_coming",
    "no_one",
    "agrees",
    "did_it",
    "refuses_step",
    "let_down",
    "consequences",
    "costs",
    "burden",
    "nothing_helps",
    "pain",
    "self_blame",
    "missing_the_dead",
    "what_happened",
    "part_of_me",
    "reason_to_live",
    "past_attempt",
    "drunk",
    "young",
    "means_near",
    "means_away",
    "means_kept",
    "when",
    "swallowed",
    "wound",
    "they_refuse",
    "promised_them",
    "not_answering",
    "with_them",
    "they_said_yes",
    "they_said_no",
    "own_fault",
    "friendship",
    "worn_out",
    "far_away",
    "watched",
    "he_is_here",
    "cannot_leave",
    "not_that_bad",
    "wants_to_leave",
    "not_believed",
    "deserved",
    "walked_away",
    "ashamed_of_thoughts",
    "not_sick_enough",
    "weight_fear",
    "tells_more",
    "off_topic",
    "fiction",
    "not_now",
    "private_here",
    "must_tell",
    "locked_up",
    "bother",
    "waiting",
    "does_asking_harm",
    "asks_wait",
    "asks_drive",
    "asks_else",
    "corrects",
]
"""What somebody does with their words while a danger is being talked about."""
Scores: TypeAlias = dict[str, float]


class Record(BaseModel):
    """A value that never changes once it is made. The text under a field is its description in the schema."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


# ── the dialogue ────────────────────────────────────────────────────────────────────────────────────────────────────


class Keyframe(Record):
    """One still picture of the speaker, for models that can see."""

    time: float = 0.0
    """Seconds from the start of the turn."""
    mime: str = "image/jpeg"
    data: str
    """The file's bytes in base64."""


class Span(Record):
    """A stretch of the turn, in seconds from its start."""

    start: float = Field(ge=0)
    end: float = Field(ge=0)


class Measured(Span):
    """One thing that was noticed, said in a sentence."""

    source: Source
    text: str
    """Such as «brows drawn together»: what was measured, in plain words, without its time."""
    strength: float = Field(ge=0, le=1)
    """From hardly there to as strong as it gets."""


class Moment(Span):
    """How likely each emotion is over a stretch, and how far that can be trusted."""

    shares: Scores
    reliability: float = Field(ge=0, le=1)
    """0: says nothing; 1: as good as the sense ever is. A blurred face or a noisy second has less."""


class Word(Span):
    """One word that was heard."""

    text: str
    confidence: float | None = None


class Sensed(Record):
    """What one sense made of a turn."""

    source: Source
    moments: tuple[Moment, ...] = ()
    """In the order of time; empty where the sense had nothing to go by."""
    language: str = ""
    """The code of the language that was heard, where it was clearly not English."""
    cues: tuple[Measured, ...] = ()
    """The most telling first."""
    note: str = ""
    """Why there is nothing, or what was wrong with the input, in a sentence."""


class Conflict(Span):
    """Senses that contradict each other: a smile over a sad sentence is news."""

    score: float = Field(ge=0, le=1)
    """From 0, all say the same, to 1, nothing in common."""
    text: str
    """Who says what, such as «the face shows joy while the words tell of sadness»."""


class Readings(Record):
    """senses: what was measured of a turn, before anybody interprets it. A trace keeps it without the media."""

    duration: float = Field(ge=0)
    sensed: tuple[Sensed, ...] = ()
    words: tuple[Word, ...] = ()
    """With their times, where the turn was heard."""
    shares: Scores = {}
    """All senses together, each by how far it can be trusted; empty where none had anything to go by."""
    conflict: Conflict | None = None

    def of(self, source: Source) -> Sensed | None:
        return next((each for each in self.sensed if each.source == source), None)

    @property
    def language(self) -> str:
        """The code of the language that was heard, where it was clearly not English."""
        return next((each.language for each in self.sensed if each.language), "")


class Turn(Record):
    speaker: str
    text: str
    emotion: str | None = None
    """A label that came with the data. No step reads it: it is there to score against."""
    keyframes: tuple[Keyframe, ...] = ()
    readings: Readings | None = None
    """What was seen and heard while it was said."""


class Lesson(Record):
    """What a look back at the last reply found wrong, for the next one to do better."""

    said: str
    """The last reply, as it was said."""
    instruction: str
    """What is to be mended, in words for the model."""


class Dialogue(Record):
    turns: tuple[Turn, ...] = Field(min_length=1)
    """In order; the last one is the one to be answered."""
    listener: str = "Listener"
    """The name under which Heartfelt answers."""
    id: str = ""
    """Whatever identifies the dialogue in its corpus; memory refuses exemplars with the same id."""
    split: str = ""
    """The split that it belongs to, such as `meld/test`; memory refuses exemplars of a split that is being scored."""
    lesson: Lesson | None = None
    """Where the last reply was audited only after it had been given, and found wanting."""

    @property
    def last(self) -> Turn:
        """The turn to be answered."""
        return self.turns[-1]

    @property
    def keyframes(self) -> tuple[Keyframe, ...]:
        return self.last.keyframes


# ── safety ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Sign(Record):
    """What one detector found in what was said, or in how somebody sounded and looked."""

    by: str
    """The detector, such as `rules`, `reader`, `guard`, `before` for what was said in earlier turns, `face` or `voice`."""
    tier: Tier
    danger: Danger
    quote: str = ""
    """Verbatim from the dialogue, where the detector can point at words."""
    why: str = ""
    confidence: float | None = None


class Alert(Record):
    """screen: whether somebody is in danger, decided before the first step. The gravest sign counts."""

    tier: Tier = "none"
    danger: Danger | None = None
    who: Who | None = None
    state: RiskState = ""
    """Where the talk about a danger stands: a doubt, opened with this turn, still open, checked once more before it is let go,
    turned away from, or heard: somebody said that it is not so. Empty: nothing of the kind, and the ordinary reply is given."""
    act: DialogueAct = ""
    acts: tuple[DialogueAct, ...] = ()
    """What the person did with each message that was looked at, the last one's included."""
    language: str = ""
    """The language of the last message where it is clearly not English, such as `es`."""
    signs: tuple[Sign, ...] = ()
    """The gravest first."""
    unease: float = 0.0
    """How likely danger or concern is in the last two messages, by the reader of whole talks: too little for a tier may still
    be too much for cheer."""
    failed: tuple[str, ...] = ()
    """Detectors that could not be asked, each with its reason; the others decided without them."""
    ms: float = 0.0


# ── what the steps make ─────────────────────────────────────────────────────────────────────────────────────────────


class Cue(Record):
    source: Source = "words"
    quote: str
    """Verbatim from the dialogue where the source is words, else what was measured or seen."""
    meaning: str
    """What it tells about how the speaker feels."""
    start: float | None = None
    """Seconds from the start of the turn, where it was seen or heard."""
    end: float | None = None


class Evidence(Record):
    """perceive: which cues matter, each grounded in a quote or a moment."""

    kind: Literal["evidence"] = "evidence"
    cues: tuple[Cue, ...]
    summary: str = ""


class Scenario(Record):
    """scenario: the event that the speaker is in (the first link of the chain of empathy)."""

    kind: Literal["scenario"] = "scenario"
    event: str


class Situation(Record):
    """understand: what happened and what it means to the person, and of what kind the message is."""

    kind: Literal["situation"] = "situation"
    message: str
    """Such as `loss`, `worry`, `good`, `ironic`, `question`."""
    confidence: float | None = None
    distribution: Scores | None = None
    """How likely each kind is, where the model tells."""
    feelings: Scores | None = None
    """How likely each emotion is, where the model tells."""
    meaning: str = ""
    """One plain sentence, in the third person, from models that have the words for it."""
    by: str = ""
    """The classifier that found it, where no language model was asked."""


class Forecast(Record):
    """forecast: the emotion that should guide the reply, and how sure."""

    kind: Literal["forecast"] = "forecast"
    emotion: str
    labels: str
    """The name of the label set that the emotion is taken from."""
    confidence: float | None = None
    distribution: Scores | None = None
    conflict: str = ""
    """Cues that speak against it, if any: a smile over a sad sentence is news."""
    why: str = ""


class Cause(Record):
    """cause: what set the emotion off."""

    kind: Literal["cause"] = "cause"
    spans: tuple[str, ...]
    """One or two verbatim pieces of the dialogue."""
    category: str
    summary: str = ""


class Plan(Record):
    """plan: four dimensions of how to answer."""

    kind: Literal["plan"] = "plan"
    goal: str
    stance: str
    tactic: str
    tone: str
    why: str = ""


class Strategy(Record):
    """strategy: emotional reaction (ER), interpretation (IP) or exploration (EX)."""

    kind: Literal["strategy"] = "strategy"
    choice: str
    why: str = ""


class Goal(Record):
    """goal: what the reply is meant to do (the fourth link of the chain of empathy)."""

    kind: Literal["goal"] = "goal"
    goal: str


class Exemplar(Record):
    """A remembered exchange that went well."""

    situation: str
    reply: str
    emotion: str
    dialogue: str = ""
    """The id of the dialogue it was taken from."""
    split: str = ""
    similarity: float = 0.0
    match: Literal["precise", "fuzzy"] = "fuzzy"
    """Precise: the same emotion and near enough in meaning. Fuzzy: near enough in meaning alone."""


class Exemplars(Record):
    """recall: exemplars for the reply to learn from, never to repeat."""

    kind: Literal["exemplars"] = "exemplars"
    found: tuple[Exemplar, ...]


class Reply(Record):
    """respond: the words."""

    kind: Literal["reply"] = "reply"
    text: str


Age: TypeAlias = Literal["child", "young", "middle-aged", "elderly"]
Gender: TypeAlias = Literal["male", "female"]
Timbre: TypeAlias = Literal["high", "mid", "low"]
_AGES: tuple[Age, ...] = get_args(Age)
_GENDERS: tuple[Gender, ...] = get_args(Gender)
_TIMBRES: tuple[Timbre, ...] = get_args(Timbre)


class Identity(Record):
    """Who answers: fixed for a session."""

    name: str = ""
    """A ready person such as `maya`, or `seed:7`, or `profile:7`; empty: whoever fits the profile."""
    age: Age = "young"
    gender: Gender = "female"
    timbre: Timbre = "mid"

    @property
    def number(self) -> int:
        """AvaMERG's profile id: age · 6 + gender · 3 + timbre."""
        return _AGES.index(self.age) * 6 + _GENDERS.index(self.gender) * 3 + _TIMBRES.index(self.timbre)

    @property
    def words(self) -> str:
        """Such as `young-female-mid`."""
        return f"{self.age}-{self.gender}-{self.timbre}"

    @classmethod
    def numbered(cls, number: int) -> "Identity":
        """The profile of an AvaMERG id."""
        if not 0 <= number < len(_AGES) * 6:
            raise InputError(f"There is no profile {number}: AvaMERG counts from 0 to {len(_AGES) * 6 - 1}.")
        return cls(age=_AGES[number // 6], gender=_GENDERS[number // 3 % 2], timbre=_TIMBRES[number % 3])


class Delivery(Record):
    """deliver: the emotion and the identity that voice and face are to carry."""

    kind: Literal["delivery"] = "delivery"
    emotion: str
    bank: str
    """The entry of the emotion bank: one of the eight classes that voices and faces are made in."""
    mapping: str
    """The label map that led from the emotion to the bank."""
    intensity: float
    identity: Identity


Output: TypeAlias = Annotated[
    Evidence  # one a line, so that a new one changes no other
    | Scenario
    | Situation
    | Forecast
    | Cause
    | Plan
    | Strategy
    | Goal
    | Exemplars
    | Reply
    | Delivery,
    Field(discriminator="kind"),
]


# ── how a step made it ──────────────────────────────────────────────────────────────────────────────────────────────


class Draft(Record):
    """One of several texts that a step chose among."""

    text: str
    likely: float | None = None
    """Mean log-probability of its tokens; None for a text from elsewhere."""
    unheard: float | None = None
    """The same, had nothing been said: what could be said to anyone is as likely then. None where that was not asked."""
    mark: float | None = None
    """What a rater would give it, from 1 to 5, as the model itself expects; None where it cannot tell."""
    source: Literal["written", "bank"] = "written"
    """Written for this person, or taken from the bank of plain replies that fit anybody in that state."""


class Call(Record):
    """One request to a language model and its answer."""

    model: str
    template: str
    """Hash of the prompt file, so that a change of wording shows."""
    prompt: str
    """Hash of what was sent."""
    sent: str
    """The step's own part of what was sent, after the shared prefix."""
    raw: str
    temperature: float
    seed: int
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    ms: float = 0.0
    attempts: int = 1
    drafts: tuple[Draft, ...] = ()
    """What else could have been said, where the step chose among several."""
    error: str = ""
    """Why this answer was refused, if it was."""


class Finding(Record):
    """One thing that is wrong with a step."""

    step: str
    problem: str
    instruction: str
    """What the step should do about it, in words for the model."""
    by: Literal["code", "model"] = "code"


class StepRecord(Record):
    """A step that was carried out. A later pass that keeps the step holds this very object."""

    step: str
    made_in: int
    """The number of the pass that made it."""
    output: Output
    calls: tuple[Call, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What code could verify and found wrong."""
    ms: float = 0.0
    planted: bool = False
    """True where a fault was put into the output on purpose."""
    edited: bool = False
    """True where a person set the output: the audit leaves it alone, for a person's word stands."""


# ── expression ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Carried(Record):
    """Whether the emotion arrived in the voice or in the face, as measured on what was made."""

    channel: Literal["voice", "face"]
    intended: str
    """The emotion that was to be carried."""
    expected: str = ""
    """The same in the senses' own label set; empty where they have no class for it, or were not asked."""
    recognised: str = ""
    """The emotion that the senses recognise, in their own label set; empty where they were not asked."""
    shares: Scores = {}
    """How likely the senses find each emotion."""
    wanted: Scores = {}
    """The changes that were asked for, each in steps that an ear or an eye can tell apart."""
    measured: Scores = {}
    """The same changes as they were measured."""
    agrees: bool = True
    note: str = ""
    """Why nothing was measured, or what is wrong, in a sentence."""


class Attempt(Record):
    """A performance that was weighed against another one."""

    intensity: float
    carried: tuple[Carried, ...]
    kept: bool
    """Whether it is the one that is told of and that was written."""


class Performance(Record):
    """express: a reply that was spoken and shown."""

    emotion: str
    intensity: float
    tone: str = ""
    identity: Identity
    voice: str
    """The generator that spoke."""
    face: str = ""
    """The generator that showed a face; empty where only a voice was made."""
    seconds: float
    files: tuple[str, ...] = ()
    """Names of what was written, beside the trace."""
    carried: tuple[Carried, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Where what was measured is not what was intended."""
    attempts: tuple[Attempt, ...] = ()
    """Where the emotion did not arrive in the face at first: that one and a stronger one. Empty where one was enough."""
    ms: Scores = {}
    """How long each part took."""


# ── reflection ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Verdict(Record):
    step: str
    ok: bool
    confidence: float | None = None


class Audit(Record):
    """audit: each step judged in order; the earliest faulty one is to blame."""

    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...] = ()
    calls: tuple[Call, ...] = ()
    ms: float = 0.0

    @property
    def blamed(self) -> str | None:
        return next((verdict.step for verdict in self.verdicts if not verdict.ok), None)

    @property
    def instruction(self) -> str:
        """What the blamed step is told: everything found wrong with it."""
        return " ".join(dict.fromkeys(f.instruction for f in self.findings if f.step == self.blamed))


class Pass(Record):
    """One run through the steps. What was not re-run is kept from the pass before, the same objects."""

    number: int
    started_from: str
    instruction: str = ""
    steps: tuple[StepRecord, ...]
    audit: Audit | None = None

    def output(self, step: str) -> Output | None:
        return next((record.output for record in self.steps if record.step == step), None)

    def find(self, kind: type[Kind]) -> Kind | None:
        """The last output of that kind."""
        return next((record.output for record in reversed(self.steps) if isinstance(record.output, kind)), None)

    def saying(self, reply: str) -> "Pass":
        """The same pass with other words as its reply."""
        steps = tuple(
            record.model_copy(update={"output": Reply(text=reply)}) if isinstance(record.output, Reply) else record
            for record in self.steps
        )
        return self.model_copy(update={"steps": steps})

    @property
    def reply(self) -> str:
        output = next((s.output for s in self.steps if isinstance(s.output, Reply)), None)
        return output.text if output else ""

    @property
    def score(self) -> tuple[int, ...]:
        """(c₁, …, cₙ, −t): the checks in the order of the steps, then the earlier pass. Compared from the left."""
        checks = tuple(int(verdict.ok) for verdict in self.audit.verdicts) if self.audit else ()
        return (*checks, -self.number)


class Outcome(Record):
    """The answer, and the whole history that it was chosen from."""

    reply: str
    chosen: int
    why_chosen: str
    stopped: Stopped
    left_out: tuple[str, ...] = ()
    """Steps and refinements that the budget did not allow."""
    passes: tuple[Pass, ...]
    alert: Alert | None = None
    """What the screen found before the first step; none where it was switched off."""
    guarded: tuple[str, ...] = ()
    """What was wrong with a reply that was therefore remade, changed or replaced before anybody heard it."""
    ms: float = 0.0

    @property
    def best(self) -> Pass:
        return self.passes[self.chosen]
