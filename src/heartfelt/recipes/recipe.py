"""What a recipe is: a list of steps that reads aloud, how much it reflects, and the ablations that any recipe takes."""

from dataclasses import dataclass, replace
from typing import Literal

from heartfelt.agents.audit import AuditSteps
from heartfelt.agents.forecast.vote import VoteOnEmotion
from heartfelt.agents.recall import Recall
from heartfelt.agents.step import Step
from heartfelt.edits import Edit
from heartfelt.errors import UnknownName, UsageError
from heartfelt.pipeline import ANSWERS, Pipeline
from heartfelt.records import Record, Source
from heartfelt.reflection import Reflection


class Ablation(Record):
    """What is taken away from a recipe or set otherwise, to see what it was worth."""

    without: tuple[str, ...] = ()
    """Steps to leave out, `audit` among them."""
    independent: bool = False
    """Each step sees only the raw dialogue instead of the steps before it."""
    refinements: int | None = None
    """T: how often a blamed step may be mended."""
    selection: bool = True
    """False takes the last pass instead of the best."""
    top_k: int | None = None
    """How many exemplars are recalled."""
    temperature: float | None = None
    """For every step."""
    models: dict[str, str] = {}
    """Another model for single steps: step → address."""
    votes: int | None = None
    """How many samples vote on the emotion, where a recipe lets several decide."""
    voting: Literal["majority", "weighted"] | None = None
    """How their votes are counted."""
    until: str = ""
    """Stop after this step, without a reply: for tasks that ask for no more."""
    unsensed: tuple[Source, ...] = ()
    """Senses to do without: `face` (its pictures too), `voice`, or what is measured of the `words`."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    name: str
    summary: str
    cites: str = ""
    steps: tuple[Step, ...]
    audit: AuditSteps | None = None
    refinements: int = 2
    selection: bool = True
    independent: bool = False

    @property
    def step_names(self) -> tuple[str, ...]:
        return tuple(step.name for step in self.steps)

    def ablated(self, ablation: Ablation) -> "Recipe":
        """This recipe with something taken away."""
        self._refuse_unknown(ablation)
        steps = tuple(step for step in self.steps if step.name not in ablation.without)
        steps = tuple(_set_otherwise(step, ablation) for step in steps)
        if ablation.until:
            steps = steps[: [step.name for step in steps].index(ablation.until) + 1]
        return replace(
            self,
            steps=steps,
            audit=None if ablation.until or "audit" in ablation.without else self.audit,
            refinements=self.refinements if ablation.refinements is None else ablation.refinements,
            selection=ablation.selection and self.selection,
            independent=ablation.independent or self.independent,
        )

    def pipeline(self, plants: tuple[Edit, ...] = ()) -> Pipeline:
        for edit in plants:
            if edit.step not in self.step_names:
                raise UnknownName("step", edit.step, self.step_names, where=f"the recipe '{self.name}'")
        return Pipeline(self.steps, independent=self.independent, plants=plants)

    @property
    def reflection(self) -> Reflection:
        return Reflection(self.audit, self.refinements, self.selection)

    def _refuse_unknown(self, ablation: Ablation) -> None:
        known = {*self.step_names, "audit"}
        for name in (*ablation.without, *ablation.models, *filter(None, [ablation.until])):
            if name not in known:
                raise UnknownName("step", name, known, where=f"the recipe '{self.name}'")
        if ablation.until in ("audit", *ablation.without):
            raise UsageError(f"The recipe '{self.name}' cannot end at '{ablation.until}': that is left out, or no step.")
        if ANSWERS in ablation.without:
            raise UsageError(f"The step '{ANSWERS}' cannot be left out: nothing would be answered.")
        if ablation.refinements is not None and not 0 <= ablation.refinements <= 10:
            raise UsageError("The number of refinements must be between 0 and 10.")
        if ablation.top_k is not None and not 0 <= ablation.top_k <= 20:
            raise UsageError("The number of exemplars must be between 0 and 20.")
        if ablation.votes is not None and not 1 <= ablation.votes <= 20:
            raise UsageError("The number of votes must be between 1 and 20.")


def _set_otherwise(step: Step, ablation: Ablation) -> Step:
    if isinstance(step, Recall) and ablation.top_k is not None:
        return replace(step, top_k=ablation.top_k)
    if isinstance(step, VoteOnEmotion):
        samples = step.samples if ablation.votes is None else ablation.votes
        return replace(step, samples=samples, rule=ablation.voting or step.rule)
    return step
