"""The reflective multi-agent framework (arXiv 2604.18988): five agents, T = 2, top-1 retrieval, the best pass is chosen."""

from heartfelt.agents import AuditSteps, ForecastEmotion, MakePlan, Perceive, Recall, Respond
from heartfelt.recipes.recipe import Recipe

REFLECTIVE = Recipe(
    name="reflective",
    summary="perceive, forecast, plan, respond, and an audit that blames the earliest fault",
    cites="arXiv 2604.18988",
    steps=(
        Perceive(alias="MPA"),
        ForecastEmotion(alias="CAEF"),
        MakePlan(alias="PSP"),
        Recall(top_k=1),
        Respond(alias="SGRG"),
    ),
    audit=AuditSteps(),
    refinements=2,
)
