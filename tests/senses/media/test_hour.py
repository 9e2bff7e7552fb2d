"""An hour of recording: it must be walked in little memory, however long it is."""

import sys
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from heartfelt.senses.media import open_media
from heartfelt.senses.media.keyframes import Keyframes

from .studio import quarters, tone

HOUR = 3600
MOST_GROWTH = 120e6


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def save_hour(path: Path) -> Path:
    """One frame a second and telephone sound, so that an hour is made in a moment."""
    with av.open(str(path), "w") as container:
        picture = container.add_stream("mpeg4", rate=1)
        picture.width, picture.height, picture.pix_fmt = 64, 48, "yuv420p"
        sound = container.add_stream("pcm_s16le", rate=8_000)
        sound.layout = "mono"
        looks = [av.VideoFrame.from_ndarray(np.roll(quarters(64, 48), turn, 1)).reformat(format="yuv420p") for turn in range(8)]
        voice = tone(10, 8_000).reshape(1, -1)
        for second in range(HOUR):
            frame = looks[second % 8]
            frame.pts, frame.time_base = second, Fraction(1)
            container.mux(picture.encode(frame))
            if second % 10 == 0:
                spoken = av.AudioFrame.from_ndarray(voice, "s16", "mono")
                spoken.sample_rate, spoken.pts, spoken.time_base = 8_000, second * 8_000, Fraction(1, 8_000)
                container.mux(sound.encode(spoken))
        container.mux(picture.encode())
        container.mux(sound.encode())
    return path


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads its own memory from /proc")
def test_an_hour_is_walked_in_little_memory(tmp_path):
    media = open_media(save_hour(tmp_path / "hour.mkv"))
    assert media.clip.duration == pytest.approx(HOUR, abs=1)
    keyframes, seen, samples = Keyframes(6), 0, 0
    before = most = resident()
    for seen, picture in enumerate(media.frames(), start=1):
        keyframes.offer(picture, face=1, sharpness=1, change=0.5)
        most = max(most, resident()) if seen % 100 == 0 else most
    for number, sound in enumerate(media.audio(seconds=10)):
        samples += len(sound.samples)
        most = max(most, resident()) if number % 10 == 0 else most
    assert seen == HOUR
    assert samples / 16_000 == pytest.approx(HOUR, abs=0.01)
    assert len(keyframes.pictures()) == 6
    assert most - before < MOST_GROWTH
