"""What a newcomer need not know: weights come before they are first needed, and what is not installed is named once."""

import os
import shutil
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from heartfelt.cli.console import err
from heartfelt.weights import Artefact, Store, artefacts
from heartfelt.weights.disk import megabytes

PARTS = {"voice": "espeakng_loader", "video": "numba"}
"""The extras that make an answer heard and seen, and what each brings."""


def usual() -> list[Artefact]:
    """What is fetched where no name is given."""
    return [artefact for artefact in artefacts() if not artefact.on_request]


def fetch(wanted: Iterable[Artefact]) -> None:
    """Fetch all usual weights if one of these is missing. What is optional and cannot be had is left out, with a line."""
    store = Store()
    if all(store.has(artefact.name) for artefact in wanted):
        return
    from heartfelt.cli.models import pull

    left = sum(artefact.bytes for artefact in usual() if not store.has(artefact.name))
    err.print(f"Fetching {megabytes(left)} of pinned weights into {store.root}, once. Interrupted, the same command goes on.")
    pull(quiet=True)


def find_npm() -> None:
    """Where this machine has no npm, the one of the extra `npm` lies beside this Python, which need not be on the PATH."""
    beside = Path(sys.executable).parent
    if shutil.which("npm") is None and shutil.which("npm", path=str(beside)):
        os.environ.update(PATH=os.pathsep.join([*os.get_exec_path(), str(beside)]))


def say_what_is_missing() -> None:
    """One line, where nobody will be heard or seen."""
    lacking = [extra for extra, package in PARTS.items() if find_spec(package) is None]
    if lacking:
        told = " and ".join("a voice" if extra == "voice" else "a face" for extra in lacking)
        err.print(
            f"It answers without {told}. Install: pip install 'heartfelt[{','.join(lacking)}]'", style="yellow", markup=False
        )
