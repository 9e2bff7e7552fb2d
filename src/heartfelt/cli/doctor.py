"""`heartfelt doctor`: is everything in place, and if not, how to mend it."""

import json
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from typing import NamedTuple

from heartfelt.cli import options as o
from heartfelt.cli.console import out
from heartfelt.cli.first_use import find_npm
from heartfelt.errors import HeartfeltError, StoreError
from heartfelt.models.embedded import builds
from heartfelt.models.embedded.model import EmbeddedModel
from heartfelt.models.ollama import installed
from heartfelt.weights import Store, artefacts

NEEDED_DISK = 2_000_000_000


class Check(NamedTuple):
    what: str
    fine: bool
    told: str
    mend: str = ""
    needed: bool = True


def doctor(*, as_json: o.AsJson = False) -> None:
    """Check the machine, the weights and the back ends, and say how to mend what is missing."""
    checks = list(_checks())
    if as_json:
        print(json.dumps([check._asdict() for check in checks], ensure_ascii=False))
    else:
        for check in checks:
            _tell(check)
    if any(check.needed and not check.fine for check in checks):
        missing = StoreError("Something that Heartfelt needs is missing; the lines above say how to mend it.")
        missing.told = as_json
        raise missing


def _tell(check: Check) -> None:
    mark, style = ("✓", "green") if check.fine else (("✗", "red") if check.needed else ("○", "yellow"))
    out.print(f"[{style}]{mark}[/] {check.what:18}", end=" ")
    out.print(check.told, markup=False)
    if not check.fine and check.mend:
        out.print(f"  → {check.mend}", style=style, markup=False)


def _checks() -> Iterator[Check]:
    store = Store()
    yield _python()
    yield _disk(store)
    for artefact in artefacts():
        here = store.has(artefact.name)
        if artefact.on_request and not here:
            continue
        told = f"{artefact.purpose} ({artefact.size / 1e6:.0f} MB)"
        yield Check(f"weights {artefact.name}", here, told, f"heartfelt models pull {artefact.name}", not artefact.optional)
    yield _engine(store)
    yield _part("voice", "espeakng_loader", "how words sound, for the voice")
    yield _part("video", "numba", "compiles what draws the face")
    yield _part("server", "fastapi", "serves the API and the web app")
    yield _web_app()
    find_npm()
    yield _client("npm", "fetches the voice, the ears and the fast engine", "install Node.js, or: pip install 'heartfelt[npm]'")
    yield _ollama()
    yield _openai()


def _python() -> Check:
    told = f"{platform.python_version()} on {platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return Check("machine", sys.version_info >= (3, 11), told, "install Python 3.11 or newer")


def _disk(store: Store) -> Check:
    place = store.root
    while not place.exists():
        place = place.parent
    free = shutil.disk_usage(place).free
    told = f"{free / 1e9:.0f} GB free at {store.root}"
    return Check("disk", free > NEEDED_DISK, told, "free some space, or set HEARTFELT_HOME to another disk")


def _engine(store: Store) -> Check:
    """Really load the embedded model: nothing else proves that it works here."""
    try:
        build = builds.choose(store)
        model = EmbeddedModel(build=build, store=store)
        engine = model.load()
        version = engine.llama.version
        engine.close()
    except HeartfeltError as error:
        return Check("embedded model", False, str(error), "heartfelt models pull")
    speed = "kernels for this processor" if build == "fast" else "`heartfelt models pull engine` brings a faster one"
    return Check("embedded model", True, f"loads with the {build} engine, llama.cpp {version}: {speed}")


def _part(extra: str, package: str, purpose: str) -> Check:
    here = find_spec(package) is not None
    told = f"{package} {'is installed' if here else 'is not installed'}; {purpose}"
    return Check(f"part {extra}", here, told, f"pip install 'heartfelt[{extra}]'", needed=False)


def _web_app() -> Check:
    here = (files("heartfelt") / "server" / "web" / "index.html").is_file()
    return Check(
        "web app",
        here,
        "built" if here else "not built",
        "make web, in a checkout of Heartfelt; a wheel has it inside",
        needed=False,
    )


def _client(name: str, purpose: str, mend: str) -> Check:
    found = shutil.which(name)
    return Check(name, found is not None, f"{found or 'not found'}; {purpose}", mend, needed=False)


def _ollama() -> Check:
    names = installed()
    told = "not running" if names is None else f"{len(names)} models: {', '.join(names[:5])}"
    return Check("ollama", names is not None, told, "optional: install and start Ollama for larger local models", needed=False)


def _openai() -> Check:
    known = bool(os.environ.get("OPENAI_API_KEY"))
    told = "OPENAI_API_KEY is set" if known else "no OPENAI_API_KEY; local servers need none"
    return Check("openai", known, told, "optional: set OPENAI_API_KEY to use OpenAI's models", needed=False)
