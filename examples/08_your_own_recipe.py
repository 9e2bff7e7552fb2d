"""A recipe of your own: a list of steps. It is known by its name from then on, in this process."""

from heartfelt import Recipe, respond
from heartfelt.agents import AuditSteps, ChooseStrategy, ForecastEmotion, Respond
from heartfelt.recipes import register

BRIEF = Recipe(
    name="brief",
    summary="recognise, choose a strategy, one sentence, audited once",
    steps=(
        ForecastEmotion(labels="ekman", recognise=True),
        ChooseStrategy(),
        Respond(sentences=1, words=20, temperature=0.3),
    ),
    audit=AuditSteps(),
    refinements=1,
)
register(BRIEF)

outcome = respond("My team won, and I scored the last goal!", recipe="brief")

print(" → ".join(record.step for record in outcome.best.steps))
print(outcome.reply)
