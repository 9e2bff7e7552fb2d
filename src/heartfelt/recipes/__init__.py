"""The published systems of the field, and our own, as recipes on the same parts."""

import os
import sys
from importlib import import_module
from pathlib import Path

from heartfelt.errors import UnknownName, UsageError
from heartfelt.plugins import Registry
from heartfelt.recipes.direct import DIRECT
from heartfelt.recipes.e3rg import E3RG
from heartfelt.recipes.empatheia import EMPATHEIA
from heartfelt.recipes.heartfelt import HEARTFELT
from heartfelt.recipes.recipe import Ablation, Recipe
from heartfelt.recipes.reflective import REFLECTIVE
from heartfelt.recipes.trace import TRACE

_OWN = (
    HEARTFELT,
    REFLECTIVE,
    TRACE,
    EMPATHEIA,
    E3RG,
    DIRECT,
)
RECIPES = Registry("heartfelt.recipes", {each.name: each for each in _OWN})

__all__ = ["RECIPES", "Ablation", "Recipe", "recipe", "register"]


def register(new: Recipe) -> Recipe:
    """Make a recipe of one's own known by its name, to the command line too where HEARTFELT_RECIPES names its module."""
    if new.name in RECIPES:
        raise UsageError(f"There is a recipe '{new.name}' already. Give yours another name.")
    RECIPES[new.name] = new
    return new


def load_own() -> None:
    """Import the modules that HEARTFELT_RECIPES names (separated by commas); they register recipes when imported."""
    for module in filter(None, os.environ.get("HEARTFELT_RECIPES", "").split(",")):
        try:
            sys.path.insert(0, str(Path.cwd()))
            import_module(module.strip())
        except Exception as error:
            raise UsageError(f"HEARTFELT_RECIPES names '{module}', which cannot be imported: {error}.") from error


def recipe(name: str) -> Recipe:
    if name not in RECIPES:
        raise UnknownName("recipe", name, RECIPES)
    return RECIPES[name]
