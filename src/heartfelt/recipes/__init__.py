"""The published systems of the field, and our own, as recipes on the same parts."""

from heartfelt.errors import UnknownName
from heartfelt.recipes.direct import DIRECT
from heartfelt.recipes.e3rg import E3RG
from heartfelt.recipes.empatheia import EMPATHEIA
from heartfelt.recipes.heartfelt import HEARTFELT
from heartfelt.recipes.recipe import Ablation, Recipe
from heartfelt.recipes.reflective import REFLECTIVE
from heartfelt.recipes.trace import TRACE

RECIPES = {each.name: each for each in (HEARTFELT, REFLECTIVE, TRACE, EMPATHEIA, E3RG, DIRECT)}

__all__ = ["RECIPES", "Ablation", "Recipe", "recipe"]


def recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise UnknownName("recipe", name, RECIPES)
    return RECIPES[name]
