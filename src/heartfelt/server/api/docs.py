"""The API's description as a page. It needs no script and nothing from elsewhere, so it works where there is no network."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse

from heartfelt.server.description import shown
from heartfelt.server.pages import page

router = APIRouter()


@router.get("/docs", include_in_schema=False)
async def docs(request: Request) -> HTMLResponse:
    given = shown(request.app.openapi())
    return HTMLResponse(page("docs.html", title="API", width="64rem", address=request.base_url, **given))
