"""E3RG (arXiv 2508.12854): the emotion by vote, a reply that holds it, then identity and emotion bank for voice and face."""

from heartfelt.agents import Deliver, Recall, Respond, VoteOnEmotion
from heartfelt.recipes.recipe import Recipe

E3RG = Recipe(
    name="e3rg",
    summary="the emotion by vote, the reply, then identity and emotion bank",
    cites="arXiv 2508.12854",
    steps=(
        VoteOnEmotion(alias="understanding", samples=3, rule="weighted"),
        Recall(top_k=3),
        Deliver(alias="empathy memory", mapping="e3rg"),
        Respond(alias="response"),
    ),
)
