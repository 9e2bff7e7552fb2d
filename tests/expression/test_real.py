"""A real film by the real voice and the real face, read back as a film of anybody would be."""

from pathlib import Path

import numpy as np
import pytest

from heartfelt.expression.embedded import EmbeddedFace, EmbeddedVoice
from heartfelt.expression.persona import persona_from, persona_named
from heartfelt.expression.proof import Prover
from heartfelt.expression.proof.seen import Onlooker
from heartfelt.expression.proof.step import IN_STEP, in_step
from heartfelt.expression.stage import Stage, Take
from heartfelt.expression.style import Style
from heartfelt.senses.media import open_media

pytestmark = [pytest.mark.embedded, pytest.mark.xdist_group("kokoro")]

HAPPY = Style(emotion="happy", intensity=1.0)
SENTENCE = "My mother told me about it, and I am happy for all of you."


@pytest.fixture(scope="module")
def stage() -> Stage:
    return Stage(EmbeddedVoice(), EmbeddedFace(256))


@pytest.fixture(scope="module")
def take(stage: Stage) -> Take:
    return stage.take(SENTENCE, HAPPY, persona_named("maya"))


@pytest.fixture(scope="module")
def film(stage: Stage, take: Take, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stage.write(take, tmp_path_factory.mktemp("film") / "reply.mp4")


def test_mouth_and_sound_go_together(film: Path):
    found = in_step(film)
    assert abs(found.offset) <= IN_STEP + 1e-9
    assert found.correlation > 0.3


def test_the_smile_is_seen(film: Path, stage: Stage, take: Take):
    assert isinstance(stage.face, EmbeddedFace)
    found = Prover().seen(film, HAPPY, stage.face.renderer(take.persona).frame())
    assert found.agrees and found.recognised == "joy"
    network = Onlooker().film(film, stage.face.renderer(take.persona).frame())
    assert network is not None and network.units["AU12"] > 0.4


def test_sound_and_pictures_are_as_long_as_each_other(film: Path, take: Take):
    clip = open_media(film).clip
    assert clip.duration == pytest.approx(take.timeline.seconds, abs=0.1)


def test_the_same_person_looks_the_same_every_time():
    frames = [EmbeddedFace(128).renderer(persona_from(3)).frame() for _ in range(2)]
    assert np.array_equal(*frames)
