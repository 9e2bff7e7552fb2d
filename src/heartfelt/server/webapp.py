"""The built web app: its page at `/`, its files beside it, kept by browsers as long as their names stay."""

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_BUILT = Path(__file__).parent / "web"
_MISSING = """<!doctype html><meta charset="utf-8"><title>Heartfelt</title>
<p>The server runs, but the web app is not built. In a checkout of Heartfelt, run: <code>make web</code></p>
"""


def serve_web_app(app: FastAPI, folder: Path | None = None) -> None:
    """`folder`: another build than the one that comes with the package."""
    folder = folder or _BUILT

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        if not (folder / "index.html").is_file():
            return HTMLResponse(_MISSING, 503)
        return FileResponse(folder / "index.html", headers={"cache-control": "no-cache"})

    @app.get("/heart.svg", include_in_schema=False)
    async def icon() -> Response:
        return FileResponse(folder / "heart.svg", headers={"cache-control": "no-cache"})

    app.mount("/assets", _Assets(directory=folder / "assets", check_dir=False), name="assets")


class _Assets(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "public, max-age=31536000, immutable"  # their names hold a hash of their content
        return response
