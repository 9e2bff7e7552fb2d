"""Which build of llama.cpp runs the embedded model, and on which weights.

`fast` has kernels for the processor at hand and comes from the store of weights; `wheel` is inside the `xllamacpp` package and
is always there. Measured side by side in docs/design/engine.md. Same binding, same weights, same seam.
"""

import os
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from heartfelt.errors import EngineError
from heartfelt.models.embedded.convert import convert
from heartfelt.models.embedded.llama import Llama
from heartfelt.weights import Store

Build = Literal["fast", "wheel"]
Size = Literal["small", "large"]
"""SmolLM2-135M, which chooses labels quickly, or Qwen2.5-Coder-1.5B, which understands far more and writes the words."""

TUNED = Path(__file__).parent / "adapter" / "heartfelt-3.gguf"
"""The adapter that comes with Heartfelt; its card is docs/models/heartfelt-3.md."""

WORDS = Path(__file__).parent / "adapter" / "words-7.gguf"
"""The adapter of the large model."""


def available(store: Store) -> list[Build]:
    return ["fast", "wheel"] if store.has("engine") else ["wheel"]


def choose(store: Store, wanted: str = "auto") -> Build:
    """The fast build where it was pulled; `HEARTFELT_ENGINE` or the caller may insist on one."""
    wanted = os.environ.get("HEARTFELT_ENGINE", wanted) if wanted == "auto" else wanted
    if wanted == "auto":
        return "fast" if _fast_loads(store) else "wheel"
    if wanted not in ("fast", "wheel"):
        raise EngineError(f"There is no engine '{wanted}'. Known: auto, fast, wheel.")
    if wanted not in available(store):
        raise EngineError("The fast engine is not here yet. Fetch it with: heartfelt models pull engine")
    return wanted


def _fast_loads(store: Store) -> bool:
    """False where it was not pulled, and where the system's C library is too old for it."""
    if "fast" not in available(store):
        return False
    try:
        load("fast", store)
    except EngineError:
        return False
    return True


def load(build: Build, store: Store) -> Llama:
    if build == "wheel":
        return _library(_wheel_library())
    folder = store.path("engine")
    return _library(next(iter(sorted(folder.glob("libllama.*")))), folder)


@cache
def _library(path: Path, backends: Path | None = None) -> Llama:
    """Loaded once and kept: the library goes on calling the log that it was given, whichever model is closed."""
    return Llama(path, backends=backends)


def weights_of(size: Size, store: Store, adapter: Path | None) -> tuple[Path, Path | None]:
    """The weights to load, and the adapter that is still to be applied to them.

    The small model's adapter is merged. The large one's is not: its four-bit weights would have to be rounded a second time.
    """
    return (store.path("qwen"), adapter) if size == "large" else (weights(store, adapter), None)


def weights(store: Store, adapter: Path | None) -> Path:
    """The weights with the adapter merged in, converted once."""
    shipped = store.path("smollm2")
    name = f"{adapter.stem}-{sha256(adapter.read_bytes()).hexdigest()[:8]}" if adapter else "base"
    return store.converted("smollm2", f"{name}.Q8_0.gguf", lambda target: convert(shipped, target, adapter))


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
