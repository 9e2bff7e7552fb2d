"""What the face network is measured on: the public test and the validation fold, as published and as the runtime crops them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from heartfelt.senses.face.align import aligned
from heartfelt.senses.face.networks import MediaPipeNetworks
from heartfelt.senses.face.sense import FaceSense
from heartfelt.tuning.senses import pictures
from heartfelt.tuning.senses.pictures import Faces

FRAMES = 600
"""Pictures of the public test that are also shown to the whole path of the runtime, large in a frame."""


@dataclass(frozen=True)
class FaceTests:
    learnt_from: int
    twins: int
    """As many of these have a twin."""
    held: Faces
    """The validation fold, as published and aligned: the temperature is fitted on it."""
    sets: dict[str, Faces]


def face_tests(data: Path, *twins: Path) -> FaceTests:
    """From the folder of FER2013; `twins` are folders in which aligned faces may lie."""
    learnt = pictures.with_twins(pictures.read_training(data), pictures.TWINS, *twins, data)
    dev = pictures.with_twins(pictures.read_dev(data), pictures.DEV_TWINS, *twins, data)
    apart = pictures.folds(learnt) == pictures.VALIDATION
    held, seen = learnt.taken(apart), learnt.taken(~apart)
    new = dev.taken(~pictures.seen_before(dev, learnt))  # the twin of a copy was learnt from too
    sets = {
        "public_test": dev,
        "public_test_without_copies": new,
        "public_test_aligned": dev.aligned(),
        "public_test_aligned_without_copies": new.aligned(),
        "public_test_in_frames": _in_frames(dev),
        "validation": held,
        "validation_aligned": held.aligned(),
    }
    sets = {name: faces for name, faces in sets.items() if len(faces)}
    return FaceTests(len(seen), len(seen.aligned()), _together(held, held.aligned()), sets)


def _together(one: Faces, other: Faces) -> Faces:
    return Faces(np.concatenate([one.pictures, other.pictures]), np.concatenate([one.labels, other.labels]), one.names)


def _in_frames(faces: Faces) -> Faces:
    """As the runtime sees them: large in a frame of 640 by 480, found, meshed, turned upright and cropped. Those not found are
    left out."""
    networks = MediaPipeNetworks()
    rows = np.random.default_rng(0).permutation(len(faces))[:FRAMES]
    crops = {int(row): crop for row in rows if (crop := _in_frame(faces.pictures[row], networks)) is not None}
    none = np.zeros((0, *faces.pictures.shape[1:]), np.uint8)
    return Faces(np.stack(list(crops.values())) if crops else none, faces.labels[list(crops)], faces.names)


def _in_frame(picture: NDArray[np.uint8], networks: MediaPipeNetworks) -> NDArray[np.uint8] | None:
    frame = np.full((480, 640), 90, np.uint8)
    frame[90:390, 170:470] = np.asarray(Image.fromarray(picture).resize((300, 300)))
    face = FaceSense(networks).see(frame, 0.0).main
    return None if face is None else aligned(frame, face)
