"""The seam to a model hub: Hugging Face's own client as the user has set it up, and a folder in its place.

No hub is named here: `HF_ENDPOINT`, `HF_HUB_OFFLINE`, the cache and a login are that client's own business.
"""

import importlib.util
import sys
from pathlib import Path
from typing import Protocol

from heartfelt.errors import FetchError
from heartfelt.weights.child import ChildFailed, Tick, run

# A file that the hub's own cache has is used where it is. Another is fetched past the cache, which would keep a second copy
# of it in a place that `heartfelt models remove` does not know. Left without a parent it ends: a gigabyte is too much to
# fetch for nobody.
_SCRIPT = """
import os, pathlib, sys, threading, time
repository, filename, folder, note = sys.argv[1:]

def watch(parent=os.getppid()):
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)

threading.Thread(target=watch, daemon=True).start()
os.environ |= {"HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_HUB_VERBOSITY": "error", "HF_HUB_DISABLE_TELEMETRY": "1"}
from huggingface_hub import hf_hub_download, try_to_load_from_cache
try:
    found = try_to_load_from_cache(repository, filename)
    path = found if isinstance(found, str) else hf_hub_download(repository, filename, local_dir=folder)
except Exception as error:
    cause = error.__cause__ or error
    sys.exit(" ".join(f"{type(cause).__name__}: {cause}".split()))
pathlib.Path(note).write_text(path, "utf-8")
"""


class Hub(Protocol):
    """Brings one file of a repository."""

    def download(self, repository: str, filename: str, folder: Path, progress: Tick) -> Path:
        """The file's path, in the folder or elsewhere on this machine; or raise FetchError."""
        ...


class HuggingFaceHub:
    """The package `huggingface_hub`, in a process of its own: it is watched and ended as the package clients are."""

    def download(self, repository: str, filename: str, folder: Path, progress: Tick) -> Path:
        if importlib.util.find_spec("huggingface_hub") is None:
            raise FetchError(
                f"The package huggingface_hub is not installed, and {repository} comes through it. Install it with "
                "`pip install huggingface_hub`, then run the same command again."
            )
        note = folder / "path"
        try:
            run(self.command(repository, filename, folder, note), folder, progress)
        except ChildFailed as failure:
            raise FetchError(
                f"The hub could not bring {filename} of {repository}: {hub_reason(failure.output).rstrip('.')}. "
                "Check the network and the hub's own settings (HF_ENDPOINT, HF_HUB_OFFLINE), then run the same command again."
            ) from failure
        return Path(note.read_text("utf-8"))

    def command(self, repository: str, filename: str, folder: Path, note: Path) -> list[str]:
        # -P: nothing that lies in the current folder is taken for the package.
        return [sys.executable, "-P", "-c", _SCRIPT, repository, filename, str(folder), str(note)]


class FolderHub:
    """Files from a local folder, as SOURCE/OWNER/REPOSITORY/FILE: the double for tests."""

    def __init__(self, source: Path):
        self.source = source

    def download(self, repository: str, filename: str, folder: Path, progress: Tick) -> Path:
        path = self.source / repository / filename
        if not path.is_file():
            raise FetchError(f"The folder {self.source} has no {filename} of {repository}. Copy it to {path}.")
        progress(path.stat().st_size)
        return path


def hub_reason(output: str) -> str:
    """The child's last line is its verdict; warnings may come before it."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return (lines or ["it said nothing"])[-1]
