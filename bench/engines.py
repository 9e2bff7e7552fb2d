"""The builds of the embedded engine and the number formats of its weights, side by side in one run."""

import ctypes as c
import tempfile
import time
from pathlib import Path
from typing import Any

from heartfelt.errors import EngineError
from heartfelt.models.embedded import builds
from heartfelt.models.embedded.engine import Engine
from heartfelt.models.embedded.llama import Llama
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


class QuantizeParams(c.Structure):
    _fields_ = [
        ("nthread", c.c_int32),
        ("ftype", c.c_int),
        ("output_tensor_type", c.c_int),
        ("token_embedding_type", c.c_int),
        ("allow_requantize", c.c_bool),
        ("quantize_output_tensor", c.c_bool),
        ("only_copy", c.c_bool),
        ("pure", c.c_bool),
        ("keep_split", c.c_bool),
        ("dry_run", c.c_bool),
        ("imatrix", c.c_void_p),
        ("kv_overrides", c.c_void_p),
        ("tt_overrides", c.c_void_p),
        ("prune_layers", c.c_void_p),
        ("max_buf_size", c.c_size_t),
    ]


def quantize(library: Llama, source: Path, target: Path, *, ftype: int, threads: int) -> None:
    """Write `source` again with another number format (llama.cpp's `llama_ftype`)."""
    function = library.llama_model_quantize
    function.restype, function.argtypes = c.c_uint32, [c.c_char_p, c.c_char_p, c.POINTER(QuantizeParams)]
    defaults = library.llama_model_quantize_default_params
    defaults.restype, defaults.argtypes = QuantizeParams, []
    params = defaults()
    params.ftype, params.nthread, params.allow_requantize, params.pure = ftype, threads, True, False
    if function(str(source).encode(), str(target).encode(), c.byref(params)) != 0:
        raise EngineError(f"Converting {source.name} failed: {library.last_words}")
