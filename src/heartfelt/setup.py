"""Everything that decides how a turn is run. It stands at the head of every trace, so that the turn can be run again."""

from typing import Any

from pydantic import Field

from heartfelt.budget import Budget
from heartfelt.edits import Edit
from heartfelt.models.addresses import shown
from heartfelt.recipes import Ablation
from heartfelt.records import Identity, Record
from heartfelt.safety.settings import Safety


class Setup(Record):
    recipe: str = "heartfelt"
    model: str = "embedded:"
    """The address of the language model: `embedded:`, `ollama:NAME`, `openai:URL#NAME`, `scripted:FILE`."""
    voters: tuple[str, ...] = ()
    """Addresses of further models that vote where the recipe lets several decide."""
    ablation: Ablation = Ablation()
    plants: tuple[Edit, ...] = ()
    """Faults that are put into the first pass on purpose."""
    memory: str = "starter"
    """`starter`: the exemplars that come with Heartfelt; `none`; or the path of a memory that you built."""
    scored: tuple[str, ...] = ()
    """Splits that are being scored, such as `meld/test`: nothing of them is recalled."""
    identity: Identity = Identity()
    budget: Budget = Budget()
    safety: Safety = Safety()
    """What is done where somebody may be in danger, and what a reply may never say."""
    seed: int = 0
    tries: int = Field(default=3, ge=1, le=10)
    """How often a step is asked for a usable answer."""
    timeout: float = Field(default=120.0, gt=0)
    """Seconds for one call."""

    def told(self) -> dict[str, Any]:
        """As a trace and other files hold it. A login in an address is left out: whoever runs it again gives it again."""
        models = {step: shown(address) for step, address in self.ablation.models.items()}
        changes = {
            "model": shown(self.model),
            "voters": tuple(map(shown, self.voters)),
            "ablation": self.ablation.model_copy(update={"models": models}),
            "safety": self.safety.model_copy(update={"guard": shown(self.safety.guard)}),
        }
        return self.model_copy(update=changes).model_dump(mode="json")
