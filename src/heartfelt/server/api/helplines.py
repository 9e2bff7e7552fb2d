"""Where people help."""

from typing import Annotated

from fastapi import APIRouter, Query

from heartfelt.records import Danger
from heartfelt.server.helping import help_in
from heartfelt.server.parts import Here
from heartfelt.server.wire import Help

router = APIRouter(prefix="/api", tags=["help"])


@router.get("/help")
async def help_there(
    here: Here,
    country: Annotated[str, Query(max_length=8, description="Two letters; without them the server's own.")] = "",
    danger: Annotated[Danger | None, Query(description="What it is about; without it all services.")] = None,
) -> Help:
    """Emergency number and free services of a country, from a dated table, and the countries that it knows."""
    return help_in(country or here.settings.country, danger)
