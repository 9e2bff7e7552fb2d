from dataclasses import replace

import numpy as np
from tests.senses.face.test_cues import PLAIN

from heartfelt.senses.face.detect import Box
from heartfelt.senses.face.main_speaker import MainSpeaker, prominence
from heartfelt.senses.face.seen import Face

FRAME = np.zeros((480, 640, 3), np.uint8)


def person(identity: int, x: float, size: float, quality: float = 1.0) -> Face:
    return replace(
        PLAIN, identity=identity, box=Box(x - size / 2, 240 - size / 2, x + size / 2, 240 + size / 2), quality=quality
    )


def test_large_central_and_sharp_win():
    assert prominence(FRAME, person(1, 320, 200)) > prominence(FRAME, person(2, 320, 120))
    assert prominence(FRAME, person(1, 320, 120)) > prominence(FRAME, person(2, 60, 120))
    assert prominence(FRAME, person(1, 320, 120)) > prominence(FRAME, person(2, 320, 120, quality=0.1))


def test_the_same_person_stays_until_another_is_clearly_more():
    speaker = MainSpeaker()
    first, other = person(1, 320, 150), person(2, 320, 140)
    assert speaker.choose(FRAME, [other, first], 0.0)[0] is first
    nearer = person(2, 320, 190)
    main, order = speaker.choose(FRAME, [nearer, first], 0.1)
    assert main is first and order == (first, nearer)
    assert speaker.choose(FRAME, [person(2, 320, 300), first], 0.2)[0] is not first


def test_nobody_steps_in_for_a_moment():
    speaker = MainSpeaker()
    speaker.choose(FRAME, [person(1, 320, 200)], 0.0)
    other = person(2, 320, 100)
    assert speaker.choose(FRAME, [other], 0.5) == (None, (other,))
    assert speaker.choose(FRAME, [other], 1.5)[0] is other
    assert MainSpeaker().choose(FRAME, [], 0.0) == (None, ())
