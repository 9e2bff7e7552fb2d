"""Heartfelt's own recipe: the best of each.

Grounded perception, the plan and the audited loop come from the reflective framework, the cause in the speaker's own words
and the precise-then-fuzzy exemplars from TRACE, the delivery to voice and face from E3RG; what is shown is an answer to the
emotion and not its mirror.
"""

from heartfelt.agents import AuditSteps, Deliver, FindCause, ForecastEmotion, MakePlan, Perceive, Recall, Respond, Understand
from heartfelt.recipes.recipe import Recipe

HEARTFELT = Recipe(
    name="heartfelt",
    summary="understand, perceive, forecast, cause, plan, recall, deliver, respond, audit and mend",
    steps=(
        Understand(),
        Perceive(by_classifier=True),
        ForecastEmotion(),
        FindCause(),
        MakePlan(),
        Recall(top_k=1),
        Deliver(shows="answering"),
        Respond(sentences=3, hears=False, plain=True),
    ),
    audit=AuditSteps(),
    refinements=2,
)
