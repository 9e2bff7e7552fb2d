"""The frames of a video."""

import gc
from fractions import Fraction

import numpy as np
import pytest
from av.video.frame import VideoFrame

from heartfelt.errors import InputError
from heartfelt.senses.media import open_media
from heartfelt.senses.media.orientation import of_matrix
from heartfelt.senses.media.scaling import TimeGrid, fitted

from .studio import Film, corners, every, noise, quarters

UPRIGHT = ["red", "green", "blue", "white"]


@pytest.mark.parametrize("suffix", ["mp4", "mkv", "mov", "avi", "ts"])
def test_frames_come_at_the_wished_rate(tmp_path, suffix):
    codec = "mpeg4" if suffix == "avi" else "libx264"
    media = open_media(Film(times=every(0.04, 2), codec=codec).save(tmp_path / f"a.{suffix}"))
    frames = list(media.frames(rate=5))
    assert [frame.time for frame in frames] == pytest.approx(every(0.2, 2), abs=0.041)
    assert all(frame.pixels.shape == (48, 64, 3) and frame.pixels.dtype == np.uint8 for frame in frames)
    assert corners(frames[0].pixels) == UPRIGHT


def test_webm_is_read():
    media = open_media(Film(times=every(0.1, 1), codec="libvpx").to_bytes("webm"))
    assert len(list(media.frames())) == 5


def test_times_come_from_the_stamps_and_not_from_counting():
    times = [0, 0.03, 0.5, 0.51, 0.52, 2.0, 5.0]
    frames = open_media(Film(times=times).to_bytes("matroska")).frames(rate=5)
    assert [frame.time for frame in frames] == pytest.approx([0, 0.5, 2.0, 5.0], abs=0.002)


@pytest.mark.parametrize(
    ("counterclockwise", "degrees", "expected"),
    [
        (0, 0, UPRIGHT),
        (-90, 90, ["blue", "red", "white", "green"]),
        (180, 180, ["white", "blue", "green", "red"]),
        (90, 270, ["green", "white", "red", "blue"]),
    ],
)
def test_a_turned_recording_stands_upright(tmp_path, counterclockwise, degrees, expected):
    media = open_media(Film(times=every(0.1, 0.5), rotation=counterclockwise).save(tmp_path / "a.mp4"))
    picture = media.clip.picture
    assert picture and picture.rotation == degrees and not picture.mirrored
    pixels = next(media.frames()).pixels
    assert corners(pixels) == expected
    assert pixels.shape[:2] == (picture.height, picture.width) == ((64, 48) if degrees % 180 else (48, 64))
    assert pixels.flags.c_contiguous


def test_a_mirrored_recording_is_mirrored_back(tmp_path):
    media = open_media(Film(times=[0, 0.1], rotation=0, mirrored=True).save(tmp_path / "a.mp4"))
    assert media.clip.picture and media.clip.picture.mirrored
    assert corners(next(media.frames()).pixels) == ["green", "red", "white", "blue"]


def test_the_older_rotate_tag_is_honoured():
    media = open_media(Film(times=[0, 0.1], tags={"rotate": "90"}).to_bytes("matroska"))
    assert media.clip.picture and media.clip.picture.rotation == 90
    assert corners(next(media.frames()).pixels) == ["blue", "red", "white", "green"]


@pytest.mark.parametrize("tag", ["sideways", "nan", "inf", ""])
def test_a_senseless_rotate_tag_is_passed_over(tag):
    media = open_media(Film(times=[0, 0.1], tags={"rotate": tag}).to_bytes("matroska"))
    assert media.clip.picture and media.clip.picture.rotation == 0


def test_a_slanted_or_empty_matrix_is_taken_to_the_nearest_quarter():
    assert of_matrix([60000, 20000, -20000, 60000]).turns == 0
    assert of_matrix([20000, 60000, -60000, 20000]).turns == 1
    assert of_matrix([0, 0, 0, 0]).turns == 0


def test_narrow_pixels_are_made_square(tmp_path):
    media = open_media(Film(times=[0, 0.1], aspect=Fraction(2)).save(tmp_path / "a.mp4"))
    assert media.clip.picture and (media.clip.picture.width, media.clip.picture.height) == (128, 48)
    assert next(media.frames()).pixels.shape == (48, 128, 3)


@pytest.mark.parametrize(("width", "height"), [(63, 47), (1, 1), (3, 101), (333, 17)])
def test_odd_sizes_are_read(width, height):
    film = Film(times=[0, 0.1], draw=lambda _: quarters(width, height), codec="ffv1")
    assert next(open_media(film.to_bytes("matroska")).frames()).pixels.shape == (height, width, 3)


@pytest.mark.parametrize("size", [(1280, 720), (720, 1280), (641, 3)])
def test_the_long_side_is_bounded(size):
    film = Film(times=[0], draw=lambda _: quarters(*size), codec="ffv1")
    media = open_media(film.to_bytes("matroska"))
    assert max(next(media.frames()).pixels.shape) == 640
    assert max(next(media.frames(long_side=100)).pixels.shape) == 100
    assert fitted(*size, 10_000) == size


def test_a_black_video_gives_black_frames(tmp_path):
    film = Film(times=every(0.1, 1), draw=lambda _: np.zeros((48, 64, 3), np.uint8))
    frames = list(open_media(film.save(tmp_path / "a.mp4")).frames())
    assert len(frames) == 5
    assert max(int(frame.pixels.max()) for frame in frames) <= 2


def test_walks_do_not_disturb_each_other():
    media = open_media(Film(times=every(0.1, 2)).to_bytes("mp4"))
    first, second = media.frames(), media.frames()
    pairs = [(next(first).time, next(second).time) for _ in range(5)]
    assert all(one == other for one, other in pairs)
    assert len(list(first)) == 5


def test_a_cut_recording_gives_its_beginning(tmp_path):
    film = Film(times=every(0.1, 5), draw=lambda index: noise(64, 48, index), options={"movflags": "faststart"})
    whole = film.save(tmp_path / "a.mp4").read_bytes()
    media = open_media(whole[: len(whole) * 6 // 10])
    frames = list(media.frames(rate=100))
    assert 15 < len(frames) < 40
    assert any("cut short" in note for note in media.notes)


@pytest.mark.parametrize("kind", ["matroska", "mpegts"])
def test_other_cut_containers_give_their_beginning(kind):
    film = Film(times=every(0.1, 5), draw=lambda index: noise(64, 48, index), codec="mpeg4")
    whole = film.to_bytes(kind)
    media = open_media(whole[: len(whole) * 6 // 10])
    assert 20 < len(list(media.frames(rate=100))) < 40
    assert media.clip.duration and (media.clip.duration < 4 or any("cut short" in note for note in media.notes))


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf")])
def test_an_impossible_rate_is_refused(rate):
    with pytest.raises(InputError, match="frame rate"):
        TimeGrid(rate)


def test_an_impossible_size_is_refused():
    with pytest.raises(InputError, match="long side"):
        open_media(Film(times=[0, 0.1]).to_bytes("mp4")).frames(long_side=0)


def test_a_frame_that_was_walked_past_is_let_go(tmp_path):
    media = open_media(Film(times=every(0.1, 5), rotation=90).save(tmp_path / "a.mp4"))
    gc.collect()
    gc.disable()
    try:
        assert len(list(media.frames(rate=100))) == 50
        assert sum(issubclass(type(thing), VideoFrame) for thing in gc.get_objects()) < 10
    finally:
        gc.enable()
