"""What is packed comes back as it was, and folds keep apart what must be apart."""

from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.tuning.senses import pictures
from heartfelt.tuning.senses.carry import carry
from heartfelt.tuning.senses.pack import packed_pictures, unpacked_pictures

from . import made_up


def test_pictures_come_back_byte_for_byte():
    random = np.random.default_rng(0)
    for made in (random.integers(0, 256, (5, 7, 9)).astype(np.uint8), made_up.bars(6, seed=1)[0]):
        assert np.array_equal(unpacked_pictures(packed_pictures(made), *made.shape), made)


def test_smooth_pictures_become_smaller():
    made = made_up.bars(50, seed=1)[0]
    assert len(packed_pictures(made)) < 0.8 * made.nbytes


def test_the_packed_folder_is_read_as_the_published_one(tmp_path: Path):
    folder = made_up.write_faces(tmp_path / "faces", count=20)
    pictures.pack(folder, tmp_path / pictures.PACKED)
    one, two = pictures.read_training(folder), pictures.read_training(tmp_path)
    assert np.array_equal(one.pictures, two.pictures) and np.array_equal(one.labels, two.labels) and one.names == two.names


def test_copies_of_a_picture_fall_into_one_fold():
    made, labels = made_up.bars(60, seed=3)
    faces = pictures.Faces(np.concatenate([made, made]), np.concatenate([labels, labels]).astype(np.int64), made_up.FACES)
    found = pictures.folds(faces)
    assert np.array_equal(found[:60], found[60:]) and len(set(found.tolist())) > 8
    assert pictures.seen_before(faces.taken(np.arange(120) < 3), faces.taken(np.arange(120) > 61)).tolist() == [
        False,
        False,
        True,
    ]


def test_missing_data_is_said_in_a_sentence(tmp_path: Path):
    with pytest.raises(InputError, match="--data"):
        pictures.read_training(tmp_path)


def test_what_is_carried_holds_the_trainer_and_no_public_test(tmp_path: Path):
    data = made_up.write_faces(tmp_path / "faces", count=20)
    faces = pictures.read_training(data)
    pictures.save_twins(tmp_path / pictures.TWINS, faces, faces.pictures[:, ::-1], np.ones(20, bool))
    into = carry(tmp_path / "carried", faces=data, twins=tmp_path)
    names = {path.relative_to(into).as_posix() for path in into.rglob("*.*") if path.is_file()}
    assert {
        "data/faces.npz",
        "data/aligned.npz",
        "heartfelt/errors.py",
        "heartfelt/files.py",
        "heartfelt/tuning/senses/face.py",
    } <= names
    assert not any("dev" in name or "labels" in name for name in names)
