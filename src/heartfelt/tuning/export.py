"""A trained adapter as a GGUF file that llama.cpp applies at run time."""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError, MissingExtra


def read_adapter(paths: list[Path]) -> tuple[dict[str, NDArray[np.float32]], float]:
    """Tensors and α of an adapter that training saved, in one file or in several parts."""
    tensors: dict[str, NDArray[np.float32]] = {}
    alpha: float | None = None
    for path in paths:
        with np.load(path, allow_pickle=False) as saved:
            tensors |= {name: saved[name].astype(np.float32) for name in saved.files if ".lora_" in name}
            alpha = float(saved["alpha"]) if "alpha" in saved.files else alpha
    if alpha is None or not tensors:
        raise InputError(f"{paths[0]} holds no adapter. Train one first: python -m heartfelt.tuning.train --help")
    return tensors, alpha


def export(tensors: dict[str, NDArray[np.float32]], alpha: float, target: Path, *, name: str, licence: str) -> Path:
    """Write the adapter in eight bits a number: half the size of fp16, and its ranks are multiples of a block."""
    try:
        from gguf import GGMLQuantizationType, GGUFWriter
        from gguf.quants import quantize
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    partial = target.with_suffix(".partial")
    writer = GGUFWriter(partial, "llama")
    writer.add_type("adapter")
    writer.add_name(name)
    writer.add_license(licence)
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for label in sorted(tensors):
        kind = GGMLQuantizationType.Q8_0 if tensors[label].shape[-1] % 32 == 0 else GGMLQuantizationType.F16
        writer.add_tensor(label, quantize(tensors[label], kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return partial.replace(target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", type=Path, nargs="+", help="what training saved, in one file or in several")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--licence", required=True, help="that of the data decides, for example CC-BY-NC-4.0")
    options = parser.parse_args()
    print(export(*read_adapter(options.parts), options.out, name=options.out.stem, licence=options.licence))


if __name__ == "__main__":
    main()
