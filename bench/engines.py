"""The builds of the embedded engine and the number formats of its weights, side by side in one run."""

import tempfile
import time
from pathlib import Path
from typing import Any

from heartfelt.models.embedded import builds
from heartfelt.models.embedded.engine import Engine
from heartfelt.models.embedded.llama import Llama, quantize
from heartfelt.weights import Store

FORMATS = {"Q4_1 (as shipped)": None, "Q4_0": 2, "Q8_0": 7, "F16": 1}
PROMPT = "Mira: I failed my exam today and my parents are furious with me, I do not know what to do about it. "
ROUNDS, WRITTEN = 2, 32


def compare() -> dict[str, Any]:
    """Tokens a second, reading a prompt of 400 and writing 32; the best of two rounds that alternate between all."""
    store = Store()
    libraries = {build: builds.load(build, store) for build in builds.available(store)}
    quantizer = libraries[builds.available(store)[0]]
    with tempfile.TemporaryDirectory() as folder:
        weights = {name: _converted(quantizer, store, ftype, Path(folder)) for name, ftype in FORMATS.items()}
        best: dict[str, list[float]] = {}
        for _ in range(ROUNDS):
            for build, library in libraries.items():
                for name, path in weights.items():
                    seen = best.setdefault(f"{build}, {name}", [0.0, 0.0])
                    for i, speed in enumerate(_speeds(library, path)):
                        seen[i] = max(seen[i], speed)
    slowest = [min(speeds[i] for speeds in best.values()) for i in (0, 1)]
    return {
        name: "  ".join(
            f"{verb} {speed:4.0f} t/s ({speed / least:.1f}×)"
            for verb, speed, least in zip(("reads", "writes"), speeds, slowest, strict=True)
        )
        for name, speeds in best.items()
    }


def _converted(library: Llama, store: Store, ftype: int | None, folder: Path) -> Path:
    shipped = store.path("smollm2")
    if ftype is None:
        return shipped
    target = folder / f"{ftype}.gguf"
    quantize(library, shipped, target, ftype=ftype, threads=2)
    return target


def _speeds(library: Llama, weights: Path) -> tuple[float, float]:
    engine = Engine(library, weights, threads=2)
    tokens = engine.tokens(PROMPT * 30)[:400]
    began = time.perf_counter()
    cursor = engine.read(tokens)
    read = time.perf_counter()
    for _ in range(WRITTEN):
        cursor.feed([int(cursor.next.argmax())])
    wrote = time.perf_counter()
    engine.close()
    return len(tokens) / (read - began), WRITTEN / (wrote - read)
