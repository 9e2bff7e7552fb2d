"""A live camera and a live microphone."""

from threading import Thread

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.senses.media.camera import Camera
from heartfelt.senses.media.microphone import Microphone

from .studio import quarters, tone


def test_a_camera_gives_frames_as_a_recording_does():
    camera = Camera(rate=5, long_side=40)
    for index in range(30):
        camera.push(quarters(80, 60), index / 30)
    camera.close()
    frames = list(camera.frames())
    assert [frame.time for frame in frames] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    assert frames[0].pixels.shape == (30, 40, 3)
    assert camera.dropped == 0


def test_a_full_queue_drops_the_oldest_and_counts():
    camera = Camera(rate=100, most=3)
    for index in range(10):
        camera.push(quarters(8, 8), index / 10)
    camera.close()
    assert [frame.time for frame in camera.frames()] == pytest.approx([0.7, 0.8, 0.9])
    assert camera.dropped == 7


def test_a_pushed_frame_is_copied():
    camera, frame = Camera(), quarters(8, 8)
    camera.push(frame, 0)
    frame[:] = 0
    camera.close()
    assert next(camera.frames()).pixels.max() == 255


@pytest.mark.parametrize(
    "frame", [np.zeros((8, 8), np.uint8), np.zeros((8, 8, 3)), np.zeros((8, 8, 4), np.uint8), np.zeros((0, 8, 3), np.uint8)]
)
def test_a_frame_of_another_shape_is_refused(frame):
    with pytest.raises(InputError, match="cannot be read"):
        Camera().push(frame, 0)


def test_times_must_grow():
    camera = Camera()
    camera.push(quarters(8, 8), 1)
    for time in (0.5, float("nan"), float("inf")):
        with pytest.raises(InputError, match="Give times that grow"):
            camera.push(quarters(8, 8), time)


def test_nothing_follows_the_end():
    camera, microphone = Camera(), Microphone()
    camera.close()
    microphone.close()
    microphone.close()
    with pytest.raises(InputError, match="camera is closed"):
        camera.push(quarters(8, 8), 0)
    with pytest.raises(InputError, match="microphone is closed"):
        microphone.push(np.zeros(10, np.float32))
    assert list(camera.frames()) == [] and list(microphone.audio()) == []


@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100, 48_000])
def test_a_microphone_gives_sound_as_a_recording_does(rate):
    microphone = Microphone(sample_rate=rate)
    samples = tone(2.5, rate)[:, 0]
    for offset in range(0, len(samples), 500):
        microphone.push(samples[offset : offset + 500])
    microphone.close()
    sounds = list(microphone.audio())
    assert [sound.start for sound in sounds] == [0, 1, 2]
    joined = np.concatenate([sound.samples for sound in sounds])
    assert joined.dtype == np.float32
    assert len(joined) == pytest.approx(40_000, abs=4)
    assert np.sqrt(np.mean(joined[4_000:-4_000] ** 2)) == pytest.approx(0.354, abs=0.01)


def test_sound_is_never_dropped_but_too_much_is_refused():
    microphone = Microphone(longest=2)
    second = np.full(16_000, 0.25, np.float32)
    microphone.push(second)
    microphone.push(second)
    with pytest.raises(InputError, match="More than 2 s of sound would wait unheard"):
        microphone.push(second)
    heard = microphone.audio()
    assert next(heard).start == 0
    microphone.push(second)
    microphone.close()
    assert [sound.start for sound in heard] == [1, 2]


def test_channels_are_mixed_and_broken_numbers_silenced():
    microphone = Microphone()
    samples = np.stack([np.full(100, 0.4), np.full(100, 0.2)], axis=1)
    samples[50] = np.nan
    microphone.push(samples)
    microphone.close()
    (sound,) = microphone.audio()
    assert sound.samples[0] == pytest.approx(0.3) and sound.samples[50] == 0


@pytest.mark.parametrize("samples", [np.zeros(4, np.int64), np.zeros((2, 2, 2)), np.zeros((2, 0)), np.array(["a"])])
def test_sound_of_another_kind_is_refused(samples):
    with pytest.raises(InputError, match="cannot be read"):
        Microphone().push(samples)


@pytest.mark.parametrize("options", [{"sample_rate": 0}, {"seconds": 5, "longest": 2}, {"seconds": 0}])
def test_impossible_microphones_are_refused(options):
    with pytest.raises(InputError):
        Microphone(**options)


def test_listening_waits_for_the_one_who_speaks():
    camera, microphone = Camera(), Microphone(seconds=0.1)
    seen: list[float] = []
    heard: list[float] = []
    threads = [
        Thread(target=lambda: seen.extend(frame.time for frame in camera.frames())),
        Thread(target=lambda: heard.extend(sound.start for sound in microphone.audio())),
    ]
    for thread in threads:
        thread.start()
    for index in range(5):
        camera.push(quarters(8, 8), index / 5)
        microphone.push(np.zeros(1_600, np.float32))
    camera.close()
    microphone.close()
    for thread in threads:
        thread.join(timeout=5)
    assert seen == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    assert heard == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
