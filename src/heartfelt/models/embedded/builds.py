"""Which build of llama.cpp runs the embedded model, and in which number format.

`fast` has kernels for the processor at hand and comes from the store of weights; `wheel` is inside the `xllamacpp` package and
is always there. Measured side by side in docs/design/engine.md. Same binding, same weights, same seam.
"""

import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from heartfelt.errors import EngineError
from heartfelt.models.embedded.llama import Llama, quantize
from heartfelt.weights import Store

Build = Literal["fast", "wheel"]

Q8_0 = 7
"""llama.cpp's number for the format that the fast build reads and writes quickest without losing what Q4_1 holds."""


def available(store: Store) -> list[Build]:
    return ["fast", "wheel"] if store.has("engine") else ["wheel"]


def choose(store: Store, wanted: str = "auto") -> Build:
    """The fast build where it was pulled; `HEARTFELT_ENGINE` or the caller may insist on one."""
    wanted = os.environ.get("HEARTFELT_ENGINE", wanted) if wanted == "auto" else wanted
    if wanted == "auto":
        return available(store)[0]
    if wanted not in ("fast", "wheel"):
        raise EngineError(f"There is no engine '{wanted}'. Known: auto, fast, wheel.")
    if wanted not in available(store):
        raise EngineError("The fast engine is not here yet. Fetch it with: heartfelt models pull engine")
    return wanted


def load(build: Build, store: Store) -> Llama:
    if build == "wheel":
        return _library(_wheel_library())
    folder = store.path("engine")
    return _library(next(iter(sorted(folder.glob("libllama.*")))), folder)


@cache
def _library(path: Path, backends: Path | None = None) -> Llama:
    """Loaded once and kept: the library goes on calling the log that it was given, whichever model is closed."""
    return Llama(path, backends=backends)


def weights(build: Build, store: Store, llama: Llama) -> Path:
    """The weights as this build runs them fastest, converted once."""
    shipped = store.path("smollm2")
    if build == "wheel":
        return shipped
    return store.converted(
        "smollm2",
        "SmolLM2-135M-Instruct.Q8_0.gguf",
        lambda target: quantize(llama, shipped, target, ftype=Q8_0, threads=2),
    )


def _wheel_library() -> Path:
    spec = find_spec("xllamacpp")
    libraries = (
        sorted(Path(place) for root in (spec.submodule_search_locations or []) for place in Path(root).glob("xllamacpp*.so"))
        if spec
        else []
    )
    if not libraries:
        raise EngineError("The package xllamacpp is not installed. Install Heartfelt again: pip install heartfelt")
    return libraries[0]
