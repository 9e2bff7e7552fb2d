from dataclasses import replace

import numpy as np
import pytest
from tests.senses.face.faces import HEIGHT, WIDTH, seen

from heartfelt.senses.face.canonical import canonical
from heartfelt.senses.face.cues import Cues
from heartfelt.senses.face.detect import Box
from heartfelt.senses.face.gaze import Gaze
from heartfelt.senses.face.pose import head_pose
from heartfelt.senses.face.seen import Face
from heartfelt.senses.face.signs import SIGNS
from heartfelt.senses.face.units import NAMES

POINTS = seen(canonical())
PLAIN = Face(
    identity=1,
    box=Box(0, 0, 100, 100),
    points=POINTS,
    score=1.0,
    head=head_pose(POINTS, WIDTH, HEIGHT),
    gaze=Gaze(0, 0),
    closure=(0.0, 0.0),
    units=dict.fromkeys(NAMES, 0.0),
    away=dict.fromkeys(("yaw", "pitch", "roll", "gaze yaw", "gaze pitch"), 0.0),
    quality=1.0,
)


def face(*, quality: float = 1.0, closure: float = 0.0, away: dict[str, float] | None = None, **shown: float) -> Face:
    return replace(
        PLAIN, units=PLAIN.units | shown, quality=quality, closure=(closure, closure), away=PLAIN.away | (away or {})
    )


def played(*scenes: tuple[float, Face], rate: float = 15) -> Cues:
    """Each scene is some seconds of the same face."""
    cues, time = Cues(), 0.0
    for seconds, shown in scenes:
        for _ in range(round(seconds * rate)):
            cues.take(time, shown)
            time += 1 / rate
    return cues


def texts(cues: Cues) -> list[str]:
    return [measured.text for measured in cues.measured()]


def test_a_still_face_says_nothing():
    assert played((3, face())).measured() == ()
    assert Cues().measured() == ()


def test_a_frown_has_a_start_an_end_and_a_strength():
    (cue,) = played((1, face()), (2, face(AU4=0.9)), (1, face())).measured()
    assert (cue.source, cue.text) == ("face", "brows drawn together")
    assert (cue.start, cue.end) == (pytest.approx(1, abs=0.3), pytest.approx(3, abs=0.3))
    assert 0.75 < cue.strength <= 0.9


def test_a_twitch_is_left_out():
    assert texts(played((1, face()), (0.2, face(AU4=1.0)), (1, face()))) == []


def test_what_trembles_about_the_bound_is_one_cue():
    trembling = [(0.07, face(AU4=0.5 if step % 2 else 0.38)) for step in range(40)]
    assert texts(played((1, face(AU4=0.8)), *trembling)) == ["brows drawn together"]


def test_a_short_gap_is_bridged_and_a_long_one_is_not():
    frown = face(AU4=0.9)
    assert len(texts(played((1, frown), (0.2, face()), (1, frown)))) == 1
    assert len(texts(played((1, frown), (1.5, face()), (1, frown)))) == 2


def test_a_smile_is_of_the_eyes_or_of_the_mouth():
    assert texts(played((2, face(AU12=0.9, AU6=0.8)))) == ["smiles with the eyes too"]
    assert texts(played((2, face(AU12=0.9, AU6=0.1)))) == ["smiles with the mouth only"]


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (face(AU24=0.8), "lips pressed"),
        (face(AU15=0.8), "corners of the mouth pulled down"),
        (face(AU1=0.8), "inner brows raised"),
        (face(away={"gaze pitch": -25.0}), "looks away, down"),
        (face(away={"gaze yaw": -30.0}), "looks away, to the side"),
        (face(AU43=1.0, closure=1.0), "eyes closed"),
    ],
)
def test_sentences(shown: Face, text: str):
    assert texts(played((2, shown))) == [text]


def test_a_head_that_sinks_looks_down_as_well():
    assert set(texts(played((2, face(away={"pitch": -25.0}))))) == {"head sinks", "looks away, down"}


def test_the_most_telling_comes_first():
    cues = played((2, face(AU26=0.9)), (2, face(AU4=0.9)), (1, face(AU14=0.6)))
    assert texts(cues)[0] == "brows drawn together"
    assert texts(cues)[-1] != "brows drawn together"


def test_shut_eyes_do_not_look_down():
    assert "looks away, down" not in texts(played((2, face(closure=1.0, AU43=1.0, away={"gaze pitch": -30.0}))))


def test_a_face_that_cannot_be_read_says_nothing():
    assert texts(played((2, face(AU4=1.0, quality=0.1)))) == []


def test_one_picture_is_told_without_a_duration():
    cues = Cues()
    cues.take(0.0, face(AU4=0.9))
    (cue,) = cues.measured()
    assert (cue.text, cue.start, cue.end, cue.strength) == ("brows drawn together", 0, 0, pytest.approx(0.9))


def test_blinks_are_counted_and_many_are_told():
    blink = ((0.2, face(closure=1.0, AU43=1.0)), (0.6, face()))
    cues = played(*(blink * 20))
    assert cues.blinks == 20
    assert texts(cues) == ["blinks often"]
    assert played((1, face(closure=1.0)), (1, face())).blinks == 0


@pytest.mark.parametrize("rate", [5, 12, 30])
def test_the_rate_of_the_frames_does_not_matter(rate: float):
    (cue,) = played((1, face()), (2, face(AU4=0.9)), (1, face()), rate=rate).measured()
    assert cue.end - cue.start == pytest.approx(2, abs=0.35)


def test_every_sign_ends_below_where_it_begins():
    assert all(sign.ends < sign.begins <= 1 and sign.least > 0 for sign in SIGNS)
    assert len({sign.text for sign in SIGNS}) == len(SIGNS)
    assert all(np.isfinite(sign.value(PLAIN)) for sign in SIGNS)
