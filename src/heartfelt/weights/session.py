"""Opens a graph for onnxruntime on the processor."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


def open_session(graph: Path, threads: int) -> "InferenceSession":
    from onnxruntime import InferenceSession, SessionOptions  # pyright: ignore[reportAttributeAccessIssue]

    options = SessionOptions()
    options.intra_op_num_threads = threads
    # Waiting threads sleep: a spinning one would steal a core from the language model.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
