"""What is packed comes back as it was, and folds keep apart what must be apart."""

from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.tuning.senses import pictures, sounds
from heartfelt.tuning.senses.carry import carry
from heartfelt.tuning.senses.pack import packed_pictures, packed_waves, unpacked_pictures, unpacked_waves

from . import made_up


def test_pictures_come_back_byte_for_byte():
    random = np.random.default_rng(0)
    for made in (random.integers(0, 256, (5, 7, 9)).astype(np.uint8), made_up.bars(6, seed=1)[0]):
        assert np.array_equal(unpacked_pictures(packed_pictures(made), *made.shape), made)


def test_smooth_pictures_become_smaller():
    made = made_up.bars(50, seed=1)[0]
    assert len(packed_pictures(made)) < 0.8 * made.nbytes


def test_sounds_come_back_sample_for_sample():
    random = np.random.default_rng(0)
    waves = [random.integers(-32_768, 32_768, size).astype(np.int16) for size in (3, 1_000, 17)]
    back = unpacked_waves(packed_waves(waves), np.array([3, 1_000, 17]))
    assert all(np.array_equal(one, two) for one, two in zip(waves, back, strict=True))


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


def test_folds_leave_a_man_and_a_woman_out_and_everyone_once():
    actors = np.repeat(np.arange(1, 15), 3)
    left = sounds.actor_folds(actors, 7)
    assert sorted(np.concatenate(left).tolist()) == list(range(1, 15))
    assert all(len(each) == 2 and each.sum() % 2 == 1 for each in left)
    with pytest.raises(InputError, match="give 2 to 7"):
        sounds.actor_folds(actors, 8)


def test_played_faster_a_sound_is_shorter_and_higher():
    wave = np.sin(2 * np.pi * 400 * np.arange(16_000) / 16_000).astype(np.float32)
    fast = sounds.resampled(wave, 1.25)
    assert len(fast) == 12_800
    assert np.abs(np.fft.rfft(fast)).argmax() * 16_000 / 12_800 == pytest.approx(500, abs=2)


def test_missing_data_is_said_in_a_sentence(tmp_path: Path):
    with pytest.raises(InputError, match="--data"):
        pictures.read_training(tmp_path)
    with pytest.raises(InputError, match="--data"):
        sounds.read(tmp_path)


def test_what_is_carried_holds_the_trainer_and_no_public_test(tmp_path: Path):
    into = carry(tmp_path / "carried", faces=made_up.write_faces(tmp_path / "faces", count=20))
    names = {path.relative_to(into).as_posix() for path in into.rglob("*.*") if path.is_file()}
    assert {"data/faces.npz", "heartfelt/errors.py", "heartfelt/tuning/senses/face.py"} <= names
    assert not any("dev" in name or "labels" in name for name in names)
