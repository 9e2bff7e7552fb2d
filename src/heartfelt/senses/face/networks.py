"""The two networks: pinned TFLite files, converted to ONNX once, run on one thread each.

Two threads gain little for networks this small (measured: 16 ms for the mesh on one thread, 13 at best on two), and would take
a core from the language model.
"""

import threading
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from heartfelt.senses.face.frame import Frame
from heartfelt.senses.face.graph import write_graph
from heartfelt.weights import Store
from heartfelt.weights.session import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Tensors = dict[str, NDArray[np.float32]]

DETECTOR_SIDE = 128
MESH_SIDE = 192

# A conversion is found by its name, so the number goes up whenever `graph` or `crops` changes what it writes.
ARTEFACT = "face"
_DETECTOR, _MESH = "detector-1.onnx", "mesh-1.onnx"
_DETECTOR_OUTPUTS = ("boxes", "scores")
_MESH_OUTPUTS = ("mesh", "lips", "right_eye", "left_eye", "right_iris", "left_iris", "present")


class FaceNetworks(Protocol):
    """What looks at pixels. Everything else in this folder is geometry, and tests put a double in this place."""

    def detect(self, picture: Frame) -> Tensors:
        """`boxes` [896, 16] and `scores` [896, 1] of a picture of 128 × 128."""
        ...

    def mesh(self, picture: Frame) -> Tensors:
        """The points of the face in a picture of 192 × 192, and how sure it is that there is one (`present`)."""
        ...


class MediaPipeNetworks:
    """The real ones. Loaded at the first picture; safe to share between threads."""

    def __init__(self, store: Store | None = None, *, threads: int = 1):
        self.store = store or Store()
        self.threads = threads
        self._loading = threading.Lock()

    def detect(self, picture: Frame) -> Tensors:
        return _run(self._loaded()[0], picture)

    def mesh(self, picture: Frame) -> Tensors:
        return _run(self._loaded()[1], picture)

    def _loaded(self) -> "tuple[InferenceSession, InferenceSession]":
        with self._loading:
            return self._sessions

    @cached_property
    def _sessions(self) -> "tuple[InferenceSession, InferenceSession]":
        return open_session(self.detector_graph(), self.threads), open_session(self.mesh_graph(), self.threads)

    def detector_graph(self) -> Path:
        """The detector's ONNX file, converted at the first call. It was taught with pixels from -1 to 1."""
        source = self.store.path(ARTEFACT, "face_detection_short_range.tflite")
        return self.store.converted(
            ARTEFACT,
            _DETECTOR,
            lambda target: write_graph(source, target, scale=1 / 127.5, shift=-1, outputs=_DETECTOR_OUTPUTS),
        )

    def mesh_graph(self) -> Path:
        """The mesh's ONNX file, converted at the first call. It was taught with pixels from 0 to 1."""
        source = self.store.path(ARTEFACT, "face_landmark_with_attention.tflite")
        return self.store.converted(
            ARTEFACT,
            _MESH,
            lambda target: write_graph(source, target, scale=1 / 255, shift=0, outputs=_MESH_OUTPUTS),
        )


def _run(session: "InferenceSession", picture: Frame) -> Tensors:
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, cast(list[NDArray[np.float32]], session.run(names, {"picture": picture[None]})), strict=True))
