"""The names under which recipes are offered to clients of OpenAI's API."""

from heartfelt.errors import UnknownName
from heartfelt.recipes import RECIPES
from heartfelt.server.chat.request import NAME
from heartfelt.server.settings import ServerSettings


class UnknownModel(UnknownName):
    param = "model"

    def __init__(self, name: str, known: dict[str, str]):
        super().__init__("model", name, known)


def offered(settings: ServerSettings) -> dict[str, str]:
    """Each name with its recipe."""
    return {NAME: settings.recipe} | {f"{NAME}/{name}": name for name in RECIPES}


def recipe_of(model: str, settings: ServerSettings) -> str:
    names = offered(settings)
    if model not in names:
        raise UnknownModel(model, names)
    return names[model]
