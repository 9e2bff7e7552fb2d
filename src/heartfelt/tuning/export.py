"""A trained adapter as a GGUF file that llama.cpp applies at run time, and the proof that the file holds what was trained."""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import EngineError, InputError, MissingExtra
from heartfelt.files import whole

Tensors = dict[str, NDArray[np.float32]]

BLOCK = 32
"""Numbers that share one scale in Q8_0."""
LOSS = 0.5 / 127 + 2**-11
"""What eight bits and a scale of sixteen may lose, as a share of the largest number of a block …"""
TINY = 4e-6
"""… and what a scale too small for sixteen bits may lose beside that."""


def read_adapter(paths: list[Path]) -> tuple[Tensors, float]:
    """Tensors and α of an adapter that training saved, in one file or in several parts."""
    tensors: Tensors = {}
    alpha: float | None = None
    for path in paths:
        with np.load(path, allow_pickle=False) as saved:
            tensors |= {name: saved[name].astype(np.float32) for name in saved.files if ".lora_" in name}
            alpha = float(saved["alpha"]) if "alpha" in saved.files else alpha
    if alpha is None or not tensors:
        raise InputError(f"{paths[0]} holds no adapter. Train one first: heartfelt tune train")
    return tensors, alpha


def export(tensors: Tensors, alpha: float, target: Path, *, name: str, licence: str, family: str = "llama") -> Path:
    """Write the adapter in eight bits a number: half the size of fp16, and its ranks are multiples of a block."""
    try:
        from gguf import GGMLQuantizationType, GGUFWriter
        from gguf.quants import quantize
    except ImportError:
        raise MissingExtra("Tuning", "tune") from None
    with whole(target) as draft:
        writer = GGUFWriter(draft, family)
        writer.add_type("adapter")
        writer.add_name(name)
        writer.add_license(licence)
        writer.add_string("adapter.type", "lora")
        writer.add_float32("adapter.lora.alpha", alpha)
        for label in sorted(tensors):
            kind = GGMLQuantizationType.Q8_0 if tensors[label].shape[-1] % BLOCK == 0 else GGMLQuantizationType.F16
            writer.add_tensor(label, quantize(tensors[label], kind), raw_dtype=kind)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    return target


def read_exported(path: Path) -> tuple[Tensors, float]:
    """Tensors and α of an exported adapter, back in full numbers."""
    from gguf import GGUFReader
    from gguf.quants import dequantize

    reader = GGUFReader(path)
    alpha = reader.get_field("adapter.lora.alpha")
    if alpha is None:
        raise EngineError(f"{path} is no LoRA adapter: it names no alpha.")
    tensors = {tensor.name: dequantize(tensor.data, tensor.tensor_type).astype(np.float32) for tensor in reader.tensors}
    return tensors, float(alpha.contents())


def compared(path: Path, tensors: Tensors, alpha: float) -> float:
    """Read an export back and hold it against what was trained, tensor by tensor. The largest difference, if all is well."""
    found, scale = read_exported(path)
    if scale != float(np.float32(alpha)):
        raise _differs(path, f"its α is {scale}, not {alpha}")
    if set(found) != set(tensors):
        odd = sorted(set(found) ^ set(tensors))[0]
        raise _differs(path, f"'{odd}' is only in {'the file' if odd in found else 'what was trained'}")
    return max(_difference(path, name, found[name], tensors[name]) for name in tensors)


def _difference(path: Path, name: str, found: NDArray[np.float32], wanted: NDArray[np.float32]) -> float:
    if found.shape != wanted.shape:
        raise _differs(path, f"'{name}' has the shape {found.shape}, not {wanted.shape}")
    gap = np.abs(found - wanted)
    if not np.isfinite(gap).all():
        raise _differs(path, f"'{name}' holds numbers that are none. Train again with a lower --rate")
    if (gap > _allowed(wanted)).any():
        raise _differs(path, f"'{name}' is off by up to {gap.max():.2g}")
    return float(gap.max())


def _allowed(wanted: NDArray[np.float32]) -> NDArray[np.float32]:
    width = BLOCK if wanted.shape[-1] % BLOCK == 0 else 1
    blocks = np.abs(wanted).reshape(*wanted.shape[:-1], -1, width)
    return (np.repeat(blocks.max(-1), width, -1) * np.float32(LOSS) * np.float32(1.001) + np.float32(TINY)).reshape(
        wanted.shape
    )


def _differs(path: Path, how: str) -> EngineError:
    return EngineError(f"The export {path} is not what was trained: {how}. Do not use it; export again, and report this.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", type=Path, nargs="+", help="what training saved, in one file or in several")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--licence", required=True, help="that of the data decides, for example CC-BY-NC-4.0")
    options = parser.parse_args()
    tensors, alpha = read_adapter(options.parts)
    path = export(tensors, alpha, options.out, name=options.out.stem, licence=options.licence)
    print(f"{path}: off by {compared(path, tensors, alpha):.2g} at most")


if __name__ == "__main__":
    main()
