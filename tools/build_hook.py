"""What hatch asks before it builds: is the web app there? `make web` makes it, with Node; who installs the wheel needs none."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

APP = Path("src", "heartfelt", "server", "web", "index.html")
FROM_A_CHECKOUT = "editable"
"""So `make` sets itself up: there the app may be built later, and the server says so meanwhile."""


class WebAppHook(BuildHookInterface[Any]):
    """Refuses to build what would answer with a page that says that there is no page."""

    PLUGIN_NAME = "web-app"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != FROM_A_CHECKOUT and not Path(self.root, APP).is_file():
            self.app.abort("The web app is not built, so this would be a package without it. Build it first: make web")
