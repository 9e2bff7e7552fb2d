"""Opens graphs for onnxruntime on the processor: each once for all who use it, and all with one memory for what they reckon."""

import ctypes
import threading
from collections import defaultdict
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

_Key = tuple[Path, int, int]
_sessions: "WeakValueDictionary[_Key, InferenceSession]" = WeakValueDictionary()
"""By file, when it was written, and threads. Sessions keep nothing between two runs, so any number of threads can share one."""
_opening: defaultdict[_Key, threading.Lock] = defaultdict(threading.Lock)
_registering = threading.Lock()


def open_session(graph: Path, threads: int) -> "InferenceSession":
    key = (graph, graph.stat().st_mtime_ns, threads)
    with _opening[key]:
        session = _sessions.get(key)
        if session is None:
            _sessions[key] = session = _opened(graph, threads)
            _give_back()
        return session


def _opened(graph: Path, threads: int) -> "InferenceSession":
    from onnxruntime import InferenceSession, SessionOptions  # pyright: ignore[reportAttributeAccessIssue]

    with _registering:
        _share_memory()
    options = SessionOptions()
    options.intra_op_num_threads = threads
    # Waiting threads sleep: a spinning one would steal a core from the language model.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.add_session_config_entry("session.use_env_allocators", "1")
    options.log_severity_level = 3
    return InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])


@cache
def _share_memory() -> None:
    """What a run needs is kept for the next one, whichever graph that runs: each by itself would keep its own most."""
    import onnxruntime as ort

    usual = ort.OrtArenaCfg(0, -1, -1, -1)  # pyright: ignore[reportAttributeAccessIssue]
    kind, use = ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, ort.OrtMemType.DEFAULT  # pyright: ignore[reportAttributeAccessIssue]
    ort.create_and_register_allocator(ort.OrtMemoryInfo("Cpu", kind, 0, use), usual)  # pyright: ignore[reportAttributeAccessIssue]


def _give_back() -> None:
    """What opening left free goes back to the system; glibc would keep it for each thread."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
