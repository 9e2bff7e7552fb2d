"""Empatheia / AvaMERG (arXiv 2502.04976): the chain of empathy, from the event to the reply, and its delivery."""

from heartfelt.agents import Deliver, FindCause, ForecastEmotion, Respond, SetGoal, TellScenario
from heartfelt.recipes.recipe import Recipe

EMPATHEIA = Recipe(
    name="empatheia",
    summary="the chain of empathy: event, emotion, cause, goal, reply",
    cites="arXiv 2502.04976",
    steps=(
        TellScenario(alias="event scenario"),
        ForecastEmotion(alias="speaker's emotion", recognise=True),
        FindCause(alias="emotion's cause"),
        SetGoal(alias="goal of the response"),
        Deliver(mapping="avamerg"),
        Respond(alias="reply"),
    ),
)
