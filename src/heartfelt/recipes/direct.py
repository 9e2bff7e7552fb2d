"""The baseline: one pass, one call, the reply."""

from heartfelt.agents import Respond
from heartfelt.recipes.recipe import Recipe

DIRECT = Recipe(name="direct", summary="one call, the reply: the baseline", steps=(Respond(),))
