from itertools import pairwise

import numpy as np
import pytest

from heartfelt.expression.persona import persona_named
from heartfelt.expression.style import Style
from heartfelt.expression.timeline import RATE, Composer, compose, compose_stream, listening, strung
from heartfelt.expression.timeline.record import ANGLES

from ..saying import MAMA, said

MAYA = persona_named("maya")
SAD, HAPPY = Style(emotion="sad", intensity=0.8), Style(emotion="happy", intensity=0.8)
LONG = said(
    *(("h", 0.06), ("ˈæ", 0.16), ("p", 0.08), ("i", 0.12), ("", 0.2), ("b", 0.07), ("ˈɜ", 0.16), ("θ", 0.1), ("", 0.3)) * 6,
    words=(("happy", 4),),
)


def test_the_same_content_and_style_are_the_same_timeline():
    assert compose(LONG, SAD, MAYA) == compose(LONG, SAD, MAYA)
    assert compose(LONG, SAD, MAYA, seed=1) != compose(LONG, SAD, MAYA)


def test_style_changes_how_it_is_shown_and_never_what_is_said_or_when():
    sad, happy = compose(LONG, SAD, MAYA), compose(LONG, HAPPY, MAYA)
    assert (sad.words, sad.phones, sad.seconds) == (happy.words, happy.phones, happy.seconds)
    assert happy.channel("mouthSmileLeft").mean() > 0.3 > sad.channel("mouthSmileLeft").mean()
    assert sad.channel("browInnerUp").mean() > happy.channel("browInnerUp").mean() + 0.2


@pytest.mark.parametrize("emotion", ["happy", "sad", "anger", "fear", "surprise", "disgust", "neutral"])
def test_lips_shut_on_m_whatever_is_felt(emotion: str):
    made = compose(MAMA, Style(emotion=emotion, intensity=1.0), MAYA)
    for phone in MAMA.phones:
        if phone.symbol == "m":
            inside = range(int(phone.start * RATE), round(phone.end * RATE) + 1)
            gap = made.channel("jawOpen") - made.channel("mouthClose")
            parted = made.channel("mouthLowerDownLeft") + made.channel("mouthUpperUpLeft")
            assert min(gap[index] + parted[index] for index in inside) < 0.02


def test_an_expression_comes_and_goes():
    made = compose(LONG, SAD, MAYA)
    brow = made.channel("browInnerUp")
    assert brow[0] < 0.7 * brow.max()
    assert brow[-1] < brow.max() - 0.02


def test_eyes_blink_and_shut_wholly():
    made = compose(LONG, Style(), MAYA)
    assert made.channel("eyeBlinkLeft").max() > 0.95
    assert np.median(made.channel("eyeBlinkLeft")) < 0.2


def test_the_gaze_stays_on_the_person_while_the_head_moves():
    made = compose(LONG, Style(), MAYA)
    world = made.channel("yaw") + made.channel("gaze_yaw")
    assert np.ptp(made.channel("yaw")) > 0.5
    assert np.mean(np.abs(world) < 3) > 0.6


def test_stretches_go_on_where_the_one_before_ended():
    parts = list(compose_stream([MAMA, LONG, MAMA], HAPPY, MAYA))
    assert [part.start for part in parts] == pytest.approx([0, parts[0].seconds, parts[0].seconds + parts[1].seconds])
    for before, after in pairwise(parts):
        for name in {*before.channels, *after.channels}:
            leap = abs(before.channel(name)[-1] - after.channel(name)[0])
            assert leap < (2.0 if name in ANGLES else 0.15), name
    assert len(strung(parts).words) == 3


def test_sound_and_timeline_stay_together_over_many_stretches():
    odd = said(("m", 0.083), ("ɑ", 0.147), ("", 0.081), words=(("ma", 2),))
    whole = strung(list(compose_stream([odd] * 40, HAPPY, MAYA)))
    assert whole.seconds == pytest.approx(40 * odd.seconds + 0.6, abs=0.021)
    for number, word in enumerate(whole.words):
        assert word.start == pytest.approx(number * odd.seconds, abs=1e-6)


def test_only_the_last_stretch_is_shown_longer():
    composer = Composer(HAPPY, MAYA)
    assert composer.add(MAMA).seconds == pytest.approx(MAMA.seconds, abs=0.02)
    assert composer.add(MAMA, last=True).seconds > MAMA.seconds + 0.5


def test_listening_nods_where_the_other_pauses_and_keeps_the_mouth_shut():
    made = listening(6.0, MAYA, heard=[3.0])
    pitch = made.channel("pitch")
    assert pitch[round(3.15 * RATE)] < pitch[round(2.9 * RATE)] - 2
    assert made.channel("jawOpen").max() < 0.1
    assert made.channel("eyeBlinkLeft").max() > 0.9


def test_listening_goes_on_without_a_seam():
    first, second = listening(4.0, MAYA), listening(4.0, MAYA, start=4.0)
    for name in ("yaw", "roll", "mouthSmileLeft"):
        assert abs(first.channel(name)[-1] - second.channel(name)[0]) < 0.5
