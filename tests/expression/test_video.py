"""Films: what is in the file, and that no half file is left."""

from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.expression.video import write_video

RATE = 24000


def frames(count: int, size: int = 64) -> Iterator[np.ndarray]:
    for index in range(count):
        yield np.full((size, size, 3), (index * 5) % 256, np.uint8)


def tone(seconds: float) -> np.ndarray:
    return 0.3 * np.sin(2 * np.pi * 220 * np.arange(int(seconds * RATE)) / RATE)


def test_a_film_has_its_pictures_its_sound_and_says_what_it_is(tmp_path: Path):
    target = write_video(frames(30), tone(1.2), RATE, tmp_path / "film.mp4", mark="synthetic")
    with av.open(target) as film:
        picture, sound = film.streams.video[0], film.streams.audio[0]
        assert (picture.codec_context.name, sound.codec_context.name) == ("h264", "aac")
        assert picture.average_rate == 25 and sound.rate == RATE
        assert film.duration / 1e6 == pytest.approx(1.2, abs=0.1)
        assert "Synthetic" in film.metadata["comment"]
        assert film.metadata["digitalSourceType"].endswith("trainedAlgorithmicMedia")
        assert sum(1 for _ in film.decode(picture)) == 30
    assert list(tmp_path.iterdir()) == [target]


def test_a_film_may_be_silent_and_of_odd_size(tmp_path: Path):
    target = write_video(frames(3, 65), None, RATE, tmp_path / "film.mp4")
    with av.open(target) as film:
        assert not film.streams.audio and film.streams.video[0].width == 64


def test_what_stops_the_frames_leaves_no_file(tmp_path: Path):
    def broken() -> Iterator[np.ndarray]:
        yield from frames(3)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_video(broken(), tone(1), RATE, tmp_path / "film.mp4")
    assert list(tmp_path.iterdir()) == []


def test_an_old_film_stays_until_the_new_one_is_whole(tmp_path: Path):
    target = tmp_path / "film.mp4"
    target.write_bytes(b"old")
    with pytest.raises(InputError, match="one size"):
        write_video([next(frames(1)), next(frames(1, 32))], None, RATE, target)
    assert target.read_bytes() == b"old"


@pytest.mark.parametrize("wrong", [[], [np.zeros((8, 8, 3), np.uint8)], [np.zeros((64, 64), np.uint8)]])
def test_frames_that_are_none_are_refused(tmp_path: Path, wrong: list[np.ndarray]):
    with pytest.raises(InputError):
        write_video(wrong, None, RATE, tmp_path / "film.mp4")
    with pytest.raises(InputError, match="mp4"):
        write_video(frames(1), None, RATE, tmp_path / "film.avi")
