"""The exported file as the runtime will run it: on one thread, and held against the network that it was made from."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from heartfelt.errors import EngineError
from heartfelt.tuning.senses.temperature import shares

Floats = NDArray[np.float32]
ALLOWED = 0.02
"""How far apart a share of the file and one of the network may be: what weights in half precision may cost."""


class Shipped:
    def __init__(self, path: Path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.path = path
        self._session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self._name = self._session.get_inputs()[0].name

    def scores(self, inputs: Floats, *, batch: int = 64) -> Floats:
        parts = [inputs[at : at + batch] for at in range(0, len(inputs), batch)]
        return np.concatenate([np.asarray(self._session.run(None, {self._name: part})[0]) for part in parts])

    def milliseconds(self, one: Floats, *, times: int = 20) -> float:
        """The median time of one input."""
        spent: list[float] = []
        for _ in range(times):
            began = time.perf_counter()
            self.scores(one)
            spent.append(time.perf_counter() - began)
        return round(1_000 * float(np.median(spent)), 2)


def agreement(path: Path, inputs: Floats, wanted: Floats) -> dict[str, Any]:
    """How the file's scores compare with those of the network, on the same inputs. Raises where it is another network."""
    file = Shipped(path)
    found = file.scores(inputs)
    gap = float(np.abs(shares(found.astype(np.float64)) - shares(wanted.astype(np.float64))).max())
    if not np.isfinite(found).all() or gap > ALLOWED:
        raise EngineError(f"{path} is not the network that was trained, its shares are off by {gap:.2g}; export it again.")
    return {
        "inputs": len(inputs),
        "same_choice": round(float((found.argmax(1) == wanted.argmax(1)).mean()), 4),
        "largest_gap_of_a_share": round(gap, 6),
        "megabytes": round(path.stat().st_size / 1e6, 2),
        "milliseconds_on_one_thread": file.milliseconds(inputs[:1]),
    }
