"""The faces of FER2013, as they lie on the disk and as they were packed, dealt into folds by what they show.

A face may have a twin: the same face as the runtime would crop it, which `twins` makes.
"""

import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from heartfelt.errors import InputError
from heartfelt.files import whole
from heartfelt.tuning.senses.pack import packed_pictures, unpacked_pictures

SIDE = 48
TRAIN, DEV, PACKED = ("train_1.npz", "train_2.npz"), "dev.npz", "faces.npz"
TWINS, DEV_TWINS = "aligned.npz", "aligned_dev.npz"
FOLDS = 16
VALIDATION = FOLDS - 1
"""The fold that no network learns from: choices and the temperature are made on it."""
CITATION = "FER2013, Goodfellow et al., Challenges in Representation Learning, ICML 2013 workshop, arXiv 1307.0414"


@dataclass(frozen=True)
class Faces:
    pictures: NDArray[np.uint8]
    labels: NDArray[np.int64]
    names: tuple[str, ...]
    twins: NDArray[np.uint8] | None = None
    """Each picture as the runtime would crop it; where no face was found in it, the picture itself."""
    found: NDArray[np.bool_] | None = None
    """Which of the twins were found."""

    def __len__(self) -> int:
        return len(self.labels)

    def taken(self, rows: NDArray[np.bool_]) -> "Faces":
        if self.twins is None or self.found is None:
            return Faces(self.pictures[rows], self.labels[rows], self.names)
        return Faces(self.pictures[rows], self.labels[rows], self.names, self.twins[rows], self.found[rows])

    def aligned(self) -> "Faces":
        """The twins that were found, in the place of the pictures."""
        if self.twins is None or self.found is None:
            return self.taken(np.zeros(len(self), bool))
        return Faces(self.twins[self.found], self.labels[self.found], self.names)


def read_training(folder: Path) -> Faces:
    """The pictures to learn from, from the packed file where there is one."""
    if (folder / PACKED).exists():
        return _read_packed(folder / PACKED)
    parts = [_read(folder / name) for name in TRAIN]
    return Faces(
        np.concatenate([part.pictures for part in parts]), np.concatenate([part.labels for part in parts]), parts[0].names
    )


def read_dev(folder: Path) -> Faces:
    """The public test. It is measured on once a network is done, and chooses nothing."""
    return _read(folder / DEV)


def pack(folder: Path, target: Path) -> Path:
    faces = read_training(folder)
    np.savez(
        target,
        packed=packed_pictures(faces.pictures),
        side=np.int64(faces.pictures.shape[1]),
        labels=faces.labels.astype(np.uint8),
        names=np.array(faces.names),
    )
    return target


def save_twins(target: Path, faces: Faces, twins: NDArray[np.uint8], found: NDArray[np.bool_]) -> Path:
    """Packed, with a number that says of which pictures they are the twins."""
    with whole(target) as draft, draft.open("wb") as file:
        np.savez(file, packed=packed_pictures(twins), found=found, of=_sum(faces))
    return target


def with_twins(faces: Faces, name: str, *folders: Path) -> Faces:
    """The faces with their twins, from the first folder that has them; as they are where none has."""
    path = next((folder / name for folder in folders if (folder / name).exists()), None)
    if path is None:
        return faces
    with np.load(path, allow_pickle=False) as data:
        if int(data["of"]) != _sum(faces):
            raise InputError(f"{path} holds the twins of other pictures; delete it, and they are made again.")
        found = data["found"]
        twins = unpacked_pictures(data["packed"], len(faces), SIDE, SIDE)
    return replace(faces, twins=np.where(found[:, None, None], twins, faces.pictures), found=found)


def folds(faces: Faces) -> NDArray[np.int64]:
    """The fold of each picture, by its bytes: the many copies in this set never stand on both sides of a split."""
    return np.array([zlib.crc32(picture.tobytes()) % FOLDS for picture in faces.pictures], np.int64)


def seen_before(faces: Faces, learnt: Faces) -> NDArray[np.bool_]:
    """Which of these pictures are, byte for byte, among those that were learnt from."""
    known = {picture.tobytes() for picture in learnt.pictures}
    return np.array([picture.tobytes() in known for picture in faces.pictures], bool)


def _sum(faces: Faces) -> int:
    return zlib.crc32(faces.pictures.tobytes())


def _read(path: Path) -> Faces:
    if not path.exists():
        raise InputError(f"There is no {path.name} in {path.parent}; give the folder of FER2013 with --data.")
    with np.load(path, allow_pickle=False) as data:
        return _checked(path, data["images"], data["labels"], data["names"])


def _read_packed(path: Path) -> Faces:
    with np.load(path, allow_pickle=False) as data:
        side = int(data["side"])
        return _checked(path, unpacked_pictures(data["packed"], len(data["labels"]), side, side), data["labels"], data["names"])


def _checked(path: Path, pictures: NDArray[np.uint8], labels: NDArray[np.uint8], names: NDArray[np.str_]) -> Faces:
    if pictures.shape[1:] != (SIDE, SIDE) or pictures.dtype != np.uint8 or len(pictures) != len(labels):
        raise InputError(f"{path} holds no grey pictures of {SIDE} by {SIDE} with a label each; give FER2013 with --data.")
    return Faces(pictures, labels.astype(np.int64), tuple(str(name) for name in names))
