"""The built web app: its page at `/`, its files beside it, kept by browsers as long as their names stay."""

from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_CHECKOUT = Path(__file__).parents[3] / "web" / "dist"
_MISSING = """<!doctype html><meta charset="utf-8"><title>Heartfelt</title>
<p>The server runs, but the web app is not built. In a checkout of Heartfelt, run: <code>make web</code></p>
"""


def web_folder() -> Path | None:
    """Where the built app is: in the installed package, or in a checkout."""
    packaged = Path(str(files("heartfelt.server"))) / "web"
    return next((folder for folder in (packaged, _CHECKOUT) if (folder / "index.html").is_file()), None)


def serve_web_app(app: FastAPI, folder: Path | None = None) -> None:
    folder = folder or web_folder()

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        if folder is None:
            return HTMLResponse(_MISSING, 503)
        return FileResponse(folder / "index.html", headers={"cache-control": "no-cache"})

    if folder is not None:
        app.mount("/", _Files(directory=folder), name="web")


class _Files(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if path.startswith("assets/"):  # their names hold a hash of their content
            response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response
