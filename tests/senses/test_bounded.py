"""However long somebody is watched and listened to: what is kept of it stays small."""

import gc
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from heartfelt.fusion.tell import measured_lines
from heartfelt.records import Measured, Readings, Sensed
from heartfelt.senses.face.cues import Cues
from heartfelt.senses.face.double import OneFace
from heartfelt.senses.face.sense import FaceSense
from heartfelt.senses.media import Picture
from heartfelt.senses.media.keyframes import Keyframes
from heartfelt.senses.voice.detect import LoudnessDetector
from heartfelt.senses.voice.sense import VoiceSense
from heartfelt.senses.voice.transcribe import Wordless

from .voice.sounds import contour, sentence

SHORT, LONG = 2 * 60, 8 * 60
MOST_GROWTH = 1_500_000
"""Bytes between the second and the eighth minute: numbers that tell of each second are kept, sound and pictures are not."""
FRAME = np.full((48, 64, 3), 90, np.uint8)


def growth(take: Callable[[int], object]) -> int:
    """How many bytes more are held after the long time than after the short one; `take` is given second after second."""
    held = dict[int, int]()
    tracemalloc.start()
    for second in range(LONG):
        take(second)
        if second + 1 in (SHORT, LONG):
            gc.collect()
            held[second + 1] = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return held[LONG] - held[SHORT]


def test_a_face_that_is_watched_for_long():
    sense, stills = FaceSense(OneFace()), Keyframes(4)

    def see(second: int) -> None:
        if second % 3:
            return
        sense.see(FRAME, float(second))
        stills.offer(Picture(float(second), FRAME.copy()), face=1.0, sharpness=1.0, change=0.5)

    assert growth(see) < MOST_GROWTH
    assert len(stills.pictures()) == 4


def test_a_voice_that_is_heard_for_long():
    sense = VoiceSense(detector=LoudnessDetector(), transcriber=Wordless())
    speech = sentence(contour(220, 180, 200, seconds=1.0))
    silence = np.zeros(16_000, np.float32)
    assert growth(lambda second: sense.hear(silence if second % 12 else speech, float(second))) < MOST_GROWTH
    assert len(sense.summary().sensed.cues) <= LONG


def test_in_a_crowd_not_everybody_is_remembered():
    sense, identities = FaceSense(OneFace()), set[int]()
    for second in range(0, 450, 3):  # whoever is out of sight for more than two seconds is somebody new
        identities |= {face.identity for face in sense.see(FRAME if second % 2 else 0 * FRAME, float(second)).faces}
    assert len(identities) > 70
    assert len(sense._people) <= 64  # pyright: ignore[reportPrivateUsage]
    assert sense.summary().note == ""


def test_a_sign_that_comes_and_goes_for_hours_is_told_in_few_cues():
    cues, face = Cues(), FaceSense(OneFace()).see(FRAME, 0.0).faces[0]
    lively, calm = (replace(face, units=dict.fromkeys(face.units, value), quality=1.0) for value in (1.0, 0.0))
    for step in range(4000):
        cues.take(step * 0.25, lively if step % 8 < 4 else calm)
    told = cues.measured()
    assert 10 < len(told) <= 100
    assert sum(len(watch.runs) for watch in cues._watches) < 24 * 101  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("count", [1, 5000])
def test_a_prompt_is_told_of_few(count: int):
    many = tuple(Measured(source="face", text="smiles", start=n, end=n + 1, strength=0.5) for n in range(count))
    assert len(measured_lines(Readings(duration=9000, sensed=(Sensed(source="face", cues=many),)))) == min(count, 12)
