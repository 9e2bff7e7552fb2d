"""Opens a graph for onnxruntime on the processor, once for all who use it at the same time."""

import threading
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

_Key = tuple[Path, int, int]
_sessions: "WeakValueDictionary[_Key, InferenceSession]" = WeakValueDictionary()
"""By file, when it was written, and threads. Sessions keep nothing between two runs, so any number of threads can share one."""
_opening: defaultdict[_Key, threading.Lock] = defaultdict(threading.Lock)


def open_session(graph: Path, threads: int) -> "InferenceSession":
    key = (graph, graph.stat().st_mtime_ns, threads)
    with _opening[key]:
        session = _sessions.get(key)
        if session is None:
            _sessions[key] = session = _opened(graph, threads)
        return session


def _opened(graph: Path, threads: int) -> "InferenceSession":
    from onnxruntime import InferenceSession, SessionOptions  # pyright: ignore[reportAttributeAccessIssue]

    options = SessionOptions()
    options.intra_op_num_threads = threads
    # Waiting threads sleep: a spinning one would steal a core from the language model.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    return InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
