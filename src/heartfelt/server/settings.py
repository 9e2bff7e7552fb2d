"""How a server is set up. Everything has a usual value; the command line sets them."""

from platformdirs import user_data_path
from pydantic import Field, field_validator

from heartfelt.records import Record
from heartfelt.safety.respond.services import known
from heartfelt.safety.settings import Deployment


def default_store() -> str:
    return f"sqlite:///{user_data_path('heartfelt') / 'sessions.db'}"


class ServerSettings(Record):
    recipe: str = "heartfelt"
    models: tuple[str, ...] = Field(default=("embedded:",), min_length=1)
    """Addresses that a session may choose among: nobody who talks to the server can name others. The first is the usual one."""
    identity: str = "maya"
    memory: str = "starter"
    store: str = ""
    """Where sessions are kept: a URL of SQLite or Postgres; empty: a file in the user's data folder."""
    voice: str = "embedded:"
    """Who speaks, by address; `none`: nobody."""
    ears: str = "embedded:"
    """Who understands speech, by address."""
    senses: bool = True
    """False: the server neither looks nor listens, whatever a page offers."""
    country: str = ""
    """Where people are unless their session says so: whose services are named to somebody in danger. Empty: not known."""
    deployment: Deployment = "private"
    """At work and in schools nothing is inferred from a face or a voice: no picture is taken, and of sound only the words."""
    reader: str = "embedded:"
    """Who reads between the lines for danger: `embedded:`, the file of an adapter, or `none`."""
    guard: str = ""
    """The address of a guard model that looks for danger as well; empty: none."""
    tokens: str = ""
    """The file with those who may come in; empty: anybody who reaches the server."""
    hosts: tuple[str, ...] = ()
    """Names under which the server is reached, beside localhost; `*`: any."""
    secure: bool = False
    """Whether it is reached by HTTPS only; cookies then say so."""

    at_once: int = Field(default=0, ge=0, le=256)
    """Turns that are answered at the same time; 0: one where a model is embedded, otherwise 8."""
    waiting: int = Field(default=64, ge=0)
    """Turns that may wait; one more is refused."""
    quick_ms: float = Field(default=8000.0, gt=0)
    """What a quick turn may take before its steps are cut short: then it answers, and says what it left out."""
    turn_seconds: float = Field(default=300.0, gt=0)
    """A turn that takes longer is given up."""
    upload_mb: float = Field(default=64.0, gt=0)
    """The largest request; of what is no form, 16 MB at most."""
    held_mb: float = Field(default=512.0, gt=0)
    """Of all requests that are in memory at the same time; half of it where one caller sends several."""
    idle_seconds: float = Field(default=20.0, gt=0)
    """A request whose next bytes do not come within this time is given up."""
    messages_a_minute: float = Field(default=60.0, gt=0)
    """By one caller; so are new sessions."""
    live: int = Field(default=512, ge=1)
    """Live sockets at the same time."""
    live_each: int = Field(default=16, ge=1)
    """Of one caller."""
    keep_days: float | None = Field(default=None, gt=0)
    """Sessions untouched for so long are deleted; none: never."""

    @field_validator("country")
    @classmethod
    def _known(cls, country: str) -> str:
        return known(country)

    @property
    def infers(self) -> bool:
        """Whether anything may be inferred from a face or the sound of a voice."""
        return self.deployment == "private"

    @property
    def speaks(self) -> bool:
        return self.voice != "none"

    @property
    def slots(self) -> int:
        return self.at_once or (1 if any(address.startswith("embedded") for address in self.models) else 8)
