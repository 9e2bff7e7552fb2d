"""`heartfelt serve`: the web app and the API on this machine."""

from functools import partial
from typing import Annotated, TypeAlias

import typer

from heartfelt.cli import options as o
from heartfelt.cli.console import err, out
from heartfelt.cli.first_use import fetch, say_what_is_missing, usual
from heartfelt.safety.settings import Deployment

_limits, _safety = (partial(typer.Option, rich_help_panel=panel) for panel in ("Limits", "Safety and privacy"))

StoreAddress: TypeAlias = Annotated[
    str,
    typer.Option(
        "--store",
        envvar="HEARTFELT_STORE",
        help="Where sessions are kept: `sqlite:///FILE` or `postgresql://…`; without it, a file in your data folder.",
    ),
]


def serve(
    *,
    host: Annotated[str, typer.Option("--host", envvar="HEARTFELT_HOST", help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, envvar="HEARTFELT_PORT", help="0: any that is free.")] = 8080,
    host_name: Annotated[
        list[str] | None,
        typer.Option("--host-name", help="A name under which it is reached, beside localhost; `*`: any. May be repeated."),
    ] = None,
    recipe: o.RecipeName = "heartfelt",
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", envvar="HEARTFELT_MODEL", help="A model that may be chosen; may be repeated."),
    ] = None,
    memory: o.MemoryName = "starter",
    identity: Annotated[str, typer.Option("--identity", help="Who answers unless another is chosen.")] = "maya",
    store: StoreAddress = "",
    voice: Annotated[
        str,
        typer.Option("--voice", envvar="HEARTFELT_VOICE", help="Who speaks, as for `speak`; `none`: replies are written only."),
    ] = "embedded:",
    ears: o.EarsAddress = "embedded:",
    senses: Annotated[bool, typer.Option("--senses/--no-senses", help="Whether it may look and listen at all.")] = True,
    secure: Annotated[bool, typer.Option("--secure", help="It is reached by HTTPS only: cookies say so.")] = False,
    country: o.CountryCode = "",
    deployment: Annotated[
        Deployment,
        _safety(
            "--deployment",
            envvar="HEARTFELT_DEPLOYMENT",
            help="At work and in schools nothing is inferred from a face or a voice.",
        ),
    ] = "private",
    reader: o.ReaderAddress = "embedded:",
    guard: o.GuardAddress = "",
    tokens: Annotated[
        str,
        _safety(
            "--tokens",
            envvar="HEARTFELT_TOKENS",
            help="The file of those who may come in, made by `heartfelt token`; without it: whoever reaches the server.",
        ),
    ] = "",
    keep_days: Annotated[float | None, _safety("--keep-days", help="Delete sessions untouched for so long.")] = None,
    at_once: Annotated[int, _limits("--at-once", min=0, help="Turns answered at the same time; 0: what fits.")] = 0,
    waiting: Annotated[int, _limits("--waiting", min=0, help="Turns that may wait.")] = 64,
    quick_ms: Annotated[float, _limits("--quick-ms", min=1, help="What a quick turn may take before it cuts steps.")] = 8000,
    turn_seconds: Annotated[float, _limits("--turn-seconds", min=1, help="The longest turn.")] = 300,
    upload_mb: Annotated[float, _limits("--upload-mb", help="The largest request.")] = 64,
    held_mb: Annotated[float, _limits("--held-mb", help="All requests that are in memory at once; half for one caller.")] = 512,
    messages_a_minute: Annotated[float, _limits("--messages-a-minute", min=1, help="By one caller.")] = 60,
    live: Annotated[int, _limits("--live", min=1, help="Live sockets at the same time.")] = 512,
    live_each: Annotated[int, _limits("--live-each", min=1, help="Live sockets of one caller.")] = 16,
) -> None:
    """Serve the web app and the API until interrupted. Nothing leaves this machine unless a model's address says so."""
    from heartfelt.server.serving import require, serve
    from heartfelt.server.settings import ServerSettings
    from heartfelt.server.store.database import database

    require()
    if store:  # what is wrong with its address is said before anything is fetched or loaded
        database(store).engine.dispose()
    if any(each.startswith("embedded") for each in model or ["embedded:"]):
        fetch(each for each in usual() if not each.optional)
    settings = ServerSettings(
        recipe=o.check_recipe(recipe),
        models=tuple(model or ["embedded:"]),
        identity=o.identity_of(identity).name or identity,
        memory=memory,
        store=store,
        voice=voice,
        ears=ears,
        senses=senses,
        hosts=tuple(host_name or ()),
        secure=secure,
        country=country,
        deployment=deployment,
        guard=guard,
        reader=reader,
        tokens=tokens,
        at_once=at_once,
        waiting=waiting,
        quick_ms=quick_ms,
        turn_seconds=turn_seconds,
        upload_mb=upload_mb,
        held_mb=held_mb,
        messages_a_minute=messages_a_minute,
        live=live,
        live_each=live_each,
        keep_days=keep_days,
    )

    def ready(address: str) -> None:
        out.print(f"Heartfelt is at {address}", soft_wrap=True, highlight=False)
        err.print("Ctrl-C ends it; sessions stay.", style="dim")
        say_what_is_missing()

    serve(settings, host=host, port=port, ready=ready)
