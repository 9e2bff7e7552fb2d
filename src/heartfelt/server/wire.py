"""What travels between the server and whoever talks to it: the API's records and the messages of the live socket.

The web app's types are generated from this file, so both sides speak of the same things by the same names. Times are seconds
and dates ISO 8601 in UTC, unless a name ends in `ms`.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, Field

from heartfelt.events import AnyEvent
from heartfelt.expression.timeline.record import Timeline
from heartfelt.intake import LONGEST_TEXT
from heartfelt.records import Danger, Readings, Record, Tier
from heartfelt.senses.live.events import FaceSeen, Spoken, TurnOver
from heartfelt.senses.voice.sense import VoiceActivity

SOUND_IN, SOUND_OUT = 16_000, 24_000
"""Samples a second of the microphone's sound and of the reply's; both mono, 16 bits, little-endian."""


def whole(text: str) -> str:
    """Refuses halves of characters (lone surrogates), which no answer and no file could hold."""
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("it holds half a character (a lone surrogate such as \\ud800). Remove it")
    return text


Whole: TypeAlias = Annotated[str, AfterValidator(whole)]
MOST_NUMBER = 1_000_000
"""Of a turn."""

Pace: TypeAlias = Literal["quick", "thorough"]
By: TypeAlias = Literal["typed", "spoken", "uploaded"]
TurnState: TypeAlias = Literal["waiting", "answering", "answered", "unfinished", "failed"]

# ── who can answer, and how ─────────────────────────────────────────────────────────────────────────────────────────


class PersonView(Record):
    """An identity that can answer."""

    name: str
    about: str
    age: str
    gender: str
    picture: str
    """Where a portrait of them is, as a path on this server."""
    serious_picture: str
    """The same without a smile, for somebody in need."""
    avatar: str
    """Where their head for the browser is."""


class Place(Record):
    """A country whose services are known."""

    code: str = Field(examples=["DE"])
    """Two letters of ISO 3166."""
    name: str
    """As it stands after the word «in», such as «the United States»."""


class LanguageNote(Record):
    """What can be had in a language other than English."""

    code: str = Field(examples=["de"])
    """Of ISO 639."""
    name: str
    """As it calls itself."""
    note: str
    """What is understood of it and what is not, in that language."""


class ServerOptions(Record):
    """What a session can be made of."""

    version: str
    recipes: dict[str, str]
    """Each with what it does, in a line."""
    models: tuple[str, ...]
    """The addresses that this server lets one choose; the first is the usual one."""
    identities: tuple[PersonView, ...]
    steps: dict[str, tuple[str, ...]]
    """The steps of each recipe, in order."""
    recipe: str
    identity: str
    voice: bool
    """Whether replies can be spoken here."""
    senses: bool
    """Whether this server may look and listen: a deployment can turn that off."""
    infers: bool
    """Whether anything may be inferred from a face or the sound of a voice. False at work and in schools: no picture is taken
    there, and of sound only the words."""
    disclosure: str
    """What a person is told before they say anything: that no human answers."""
    country: str
    """Where this server takes people to be unless they say so; empty: it does not know."""
    countries: tuple[Place, ...]
    """Those whose services are known, by name."""
    languages: tuple[LanguageNote, ...]
    """Those, beside English, that are told apart."""
    longest_message: int
    """Letters that one message may have."""


# ── help by people ──────────────────────────────────────────────────────────────────────────────────────────────────


class HelpLine(Record):
    """A service where people answer, from the dated table. No model ever names one."""

    name: str
    how: str
    """Such as «call or text 988»."""
    number: str = ""
    hours: str = ""
    free: bool = True
    """Whether a call is known to cost nothing."""


class Alarm(Record):
    """Somebody may be in danger: what the app shows beside the reply, for as long as they want it."""

    tier: Tier
    """`active` or `imminent`."""
    danger: Danger
    help: tuple[HelpLine, ...]
    """The closest first, at most two; empty where the country is not known."""
    emergency: str
    """The number of the emergency services; empty where the country is not known."""
    country: str
    """Whose services these are; empty where that is not known: then ask."""


class Help(Record):
    """Where people help in a country."""

    country: str
    """Empty where it is not known: then there are no lines either."""
    name: str
    emergency: str
    checked: str
    """The day on which the table was made."""
    lines: tuple[HelpLine, ...]
    """For one danger the closest first, at most two; otherwise all."""
    countries: tuple[Place, ...]
    """Those that can be asked for."""


# ── sessions and turns ──────────────────────────────────────────────────────────────────────────────────────────────


class SessionRequest(Record):
    """What a new session is to be. Everything has a usual value."""

    recipe: Whole = Field(default="", examples=["heartfelt"])
    model: Whole = Field(default="", examples=["embedded:"])
    identity: Whole = Field(default="", examples=["maya"])
    pace: Pace = "quick"
    """`quick`: the first pass is said at once and audited afterwards; `thorough`: audited first."""
    kept: bool = True
    """False: it lives in the server's memory only and is gone when the server stops."""
    title: str = Field(default="", max_length=120, examples=["The exam"])
    country: Whole = Field(default="", max_length=8, examples=["DE"])
    """Whose services are named should somebody be in danger; empty: not known."""


class SessionChange(Record):
    """What is to be otherwise from now on; what is left out stays."""

    recipe: Whole | None = None
    model: Whole | None = None
    identity: Whole | None = None
    pace: Pace | None = None
    title: str | None = Field(default=None, max_length=120)
    kept: Literal[True] | None = None
    """A session that was in memory only is kept from now on. To undo that, delete it."""
    country: Whole | None = Field(default=None, max_length=8)


class Times(Record):
    """Milliseconds of a turn, each from the moment when the person had finished (the last sound of speech, or the sending)."""

    understood_ms: float | None = None
    """The words were there."""
    first_step_ms: float | None = None
    first_word_ms: float | None = None
    last_word_ms: float | None = None
    first_sound_ms: float | None = None
    """The first sound of the reply left the server."""
    heard_ms: float | None = None
    """The first sound of the reply was played, as the browser says."""
    last_sound_ms: float | None = None
    waited_ms: float | None = None
    """Of all this, what was spent in the queue."""


class Afterthought(Record):
    """What a look back at a turn found, after it had been answered."""

    step: str = ""
    """The step that was to blame; empty where none was."""
    problem: str = ""
    instruction: str = ""
    """What the next reply is told to do better."""
    rather: str = ""
    """What would rather have been said, if anything."""


class TurnView(Record):
    """One thing that a person said, and what became of it."""

    number: int = Field(ge=0)
    state: TurnState
    said: str
    """The person's words."""
    language: str = ""
    """The code of the language, where it is clearly not English."""
    by: By = "typed"
    message_id: str = ""
    """The `id` of the `Say` that it came with."""
    readings: Readings | None = None
    reply: str = ""
    """As it was written."""
    interrupted: bool = False
    heard: str = ""
    """What of the reply was heard before it was interrupted: only this is remembered as said."""
    identity: str = ""
    """Who answered; empty: nobody yet."""
    emotion: str = ""
    """What was taken to be felt."""
    made: str = ""
    """When the person had finished."""
    times: Times = Times()
    error: str = ""
    """Why it failed, and what can be done."""
    afterthought: Afterthought | None = None
    alarm: Alarm | None = None
    """Set where what was said tells of danger; the reply is then a reviewed one."""
    reminder: str = ""
    """Shown beside the reply: that a break is due after long talk, or that danger could not be fully looked for."""


class SessionLine(Record):
    """A session as a list shows it."""

    id: str
    title: str
    made: str
    touched: str
    turns: int
    identity: str
    kept: bool


class SessionView(SessionLine):
    recipe: str
    model: str
    pace: Pace
    country: str = ""
    conversation: tuple[TurnView, ...] = ()


class Said(Record):
    """A message without media."""

    text: str = Field(max_length=LONGEST_TEXT, examples=["I failed my exam and my parents are furious."])


class Entrance(Record):
    """A token, where a server asks for one."""

    token: str = Field(max_length=200)


class Replay(Record):
    """A turn again, with something set by hand, to see what follows. The turn itself stays as it was, until that is kept."""

    edits: tuple[Whole, ...] = Field(default=(), max_length=50, examples=[["forecast.emotion=ashamed"]])
    """Each `STEP.FIELD=VALUE`, such as `forecast.emotion=ashamed`."""
    start: Whole = ""
    """The step to start from; empty: the one after the last edit."""


class Keep(Record):
    """Which of the answers that a turn has, or that was last tried with it, it is to have from now on."""

    number: int = Field(ge=0, le=MOST_NUMBER, examples=[1])
    """The pass that the answer was taken from: `chosen` of its `turn finished`."""
    reply: str = Field(max_length=20_000)
    """Its words, as they were shown: meanwhile something else may have been tried."""


class Problem(Record):
    """Every refusal of the API has this form."""

    code: str
    """One word for programs, such as `not_found`, `too_large`, `busy`, `invalid`."""
    message: str
    """What happened, and what to do."""


# ── the live socket: what the client sends ──────────────────────────────────────────────────────────────────────────
# Binary messages to the server: one byte (1 sound, 2 a JPEG picture), eight bytes with the time in seconds since the socket
# was opened (a float64, little-endian), then the bytes. Sound comes in chunks of 20 to 200 ms.


class Begin(Record):
    """What the person allows and wants from now on; may be sent again whenever that changes."""

    kind: Literal["begin"] = "begin"
    microphone: bool = False
    """Sound is taken, and its words are understood."""
    tone: bool = False
    """Whether what the voice sounds like may be measured as well."""
    camera: bool = False
    """Pictures are taken, and what the face shows is measured: they serve nothing else."""
    voice: bool = True
    """Whether replies are to be spoken."""


class Say(Record):
    """A typed message. While a reply is being given it interrupts it."""

    kind: Literal["say"] = "say"
    text: str = Field(max_length=LONGEST_TEXT)
    id: Whole = Field(default="", max_length=64)
    """Anything that no other message of the session has. Sent again with the same id it is not said twice: what became of it is
    told. Empty: it is said as often as it is sent."""


class EndTurn(Record):
    """The person has finished, without waiting for silence."""

    kind: Literal["end turn"] = "end turn"


class Stop(Record):
    """The reply was stopped, by speaking over it or by a button."""

    kind: Literal["stop"] = "stop"
    turn: int = Field(ge=0, le=MOST_NUMBER)
    at: float = Field(default=0.0, ge=0)
    """Seconds of its sound that were heard."""


class Played(Record):
    """How far the reply's sound was played; sent at its first sound and at its end."""

    kind: Literal["played"] = "played"
    turn: int = Field(ge=0, le=MOST_NUMBER)
    at: float = Field(ge=0)
    over: bool = False


class Again(Record):
    """Answer a turn that is unfinished or failed."""

    kind: Literal["again"] = "again"
    turn: int = Field(ge=0, le=MOST_NUMBER)


class Ping(Record):
    kind: Literal["ping"] = "ping"
    sent: float = 0.0
    """Anything; it comes back."""


FromClient: TypeAlias = Annotated[Begin | Say | EndTurn | Stop | Played | Again | Ping, Field(discriminator="kind")]


# ── the live socket: what the server sends ──────────────────────────────────────────────────────────────────────────
# Binary messages from the server: one byte (3 sound), four bytes turn, four bytes piece (uint32, little-endian), then the
# samples of the `Speech` with the same two numbers, which was sent just before.


class Ready(Record):
    kind: Literal["ready"] = "ready"
    session: SessionView


class Waiting(Record):
    """Others are being answered first."""

    kind: Literal["waiting"] = "waiting"
    turn: int
    place: int
    """1: next."""
    seconds: float
    """About how long, from how long turns took lately."""


class TurnChanged(Record):
    kind: Literal["turn"] = "turn"
    turn: TurnView


class Happened(Record):
    """One event of a turn, as the trace keeps it, and every piece of the reply as it is written."""

    kind: Literal["happened"] = "happened"
    turn: int
    ms: float
    """Since the person had finished."""
    looking_back: bool = False
    """Whether it belongs to the audit that goes on after the answer."""
    event: AnyEvent


class Sensing(Record):
    """What is seen and heard at this moment."""

    kind: Literal["sensing"] = "sensing"
    event: Annotated[FaceSeen | VoiceActivity | Spoken | TurnOver, Field(discriminator="kind")]


class Speech(Record):
    """A stretch of the reply is about to be heard: its face, its words, and, in the binary message after it, its sound."""

    kind: Literal["speech"] = "speech"
    turn: int
    piece: int
    start: float
    """Seconds of the reply's sound before it."""
    seconds: float
    timeline: Timeline
    last: bool


class Hush(Record):
    """Be silent at once."""

    kind: Literal["hush"] = "hush"
    turn: int
    why: Literal["spoken over", "stopped", "failed"]


class ErrorNotice(Record):
    """Something that was sent cannot be used, or something here failed. The socket stays open unless it says so."""

    kind: Literal["error"] = "error"
    code: str
    message: str
    turn: int | None = None


class Pong(Record):
    kind: Literal["pong"] = "pong"
    sent: float


FromServer: TypeAlias = Annotated[
    Ready | Waiting | TurnChanged | Happened | Sensing | Speech | Hush | ErrorNotice | Pong, Field(discriminator="kind")
]
