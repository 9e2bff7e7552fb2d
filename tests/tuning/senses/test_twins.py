"""Twins of faces: made by the code of the live path, kept, and told apart from those of other pictures."""

from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.senses.face.double import OneFace
from heartfelt.senses.face.networks import Tensors
from heartfelt.tuning.senses import pictures, twins

from . import made_up


class Nobody(OneFace):
    def detect(self, picture: np.ndarray) -> Tensors:
        return super().detect(np.zeros_like(picture))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return made_up.write_faces(tmp_path / "faces", count=6)


def test_a_face_that_is_found_is_cropped_as_the_runtime_does():
    picture = made_up.bars(1, seed=0)[0][0]
    made = twins.twin(picture, OneFace())
    assert made is not None and made.shape == picture.shape and made.dtype == np.uint8 and made.std() > 10


def test_where_nobody_is_found_there_is_no_twin(tmp_path: Path):
    made, found = twins.twins(pictures.Faces(*_bars(3), made_up.FACES), Nobody(), tmp_path / "begun.npz")
    assert not found.any() and not made.any()


def test_twins_are_made_once_and_read_back(data: Path, tmp_path: Path):
    twins.make(data, tmp_path / "run", networks=OneFace())
    twins.make(data, tmp_path / "run", networks=Nobody())
    plain = pictures.read_training(data)
    faces = pictures.with_twins(plain, pictures.TWINS, tmp_path / "run", data)
    assert faces.twins is not None and len(faces.aligned()) == len(faces) == 6
    again = twins.twin(faces.pictures[2], OneFace())
    assert again is not None and np.array_equal(faces.twins[2], again)
    assert pictures.with_twins(plain, pictures.TWINS, data).twins is None and len(plain.aligned()) == 0
    assert (tmp_path / "run" / pictures.DEV_TWINS).exists()


def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(twins, "KEPT_EVERY", 2)
    faces = pictures.Faces(*_bars(5), made_up.FACES)
    twins.twins(faces, OneFace(), tmp_path / "begun.npz")
    _, found = twins.twins(faces, Nobody(), tmp_path / "begun.npz")
    assert found.tolist() == [True] * 4 + [False]


def test_a_face_that_was_not_found_stands_in_for_its_twin(tmp_path: Path):
    faces = pictures.Faces(*_bars(4), made_up.FACES)
    found = np.array([True, False, True, True])
    pictures.save_twins(tmp_path / pictures.TWINS, faces, faces.pictures[:, ::-1], found)
    both = pictures.with_twins(faces, pictures.TWINS, tmp_path).taken(np.arange(4) < 2)
    assert both.twins is not None and np.array_equal(both.twins[1], faces.pictures[1])
    assert np.array_equal(both.aligned().pictures, faces.pictures[:1, ::-1]) and both.aligned().labels == faces.labels[:1]


def test_twins_of_other_pictures_are_refused(tmp_path: Path):
    faces, others = (pictures.Faces(*_bars(3, seed=seed), made_up.FACES) for seed in (0, 1))
    pictures.save_twins(tmp_path / pictures.TWINS, faces, faces.pictures, np.ones(3, bool))
    with pytest.raises(InputError, match="other pictures"):
        pictures.with_twins(others, pictures.TWINS, tmp_path)


def _bars(count: int, *, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    made, labels = made_up.bars(count, seed=seed)
    return made, labels.astype(np.int64)
