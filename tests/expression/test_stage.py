"""The stage with a voice that hums and a face that is a few grey pictures: what is written, and what is never left behind."""

import errno
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import DiskFullError, InputError, UsageError
from heartfelt.expression.embedded import EmbeddedVoice
from heartfelt.expression.persona import Persona, persona_named
from heartfelt.expression.proof import Prover
from heartfelt.expression.stage import Stage
from heartfelt.expression.style import Style
from heartfelt.expression.timeline import Timeline
from heartfelt.expression.video import write_video
from heartfelt.expression.voice.speaker import Hummer
from heartfelt.expression.voice.spoken import SpokenAudio
from heartfelt.records import Carried

MAYA, SAD = persona_named("maya"), Style(emotion="sad", intensity=0.6)


class GreyFace:
    name = "grey"

    def __init__(self, fails: BaseException | None = None):
        self.fails = fails

    def film(self, spoken: SpokenAudio, style: Style, persona: Persona, target: Path) -> Path:
        return write_video(self._frames(), spoken.samples, spoken.rate, target)

    def _frames(self) -> Iterator[np.ndarray]:
        for _ in range(10):
            yield np.full((64, 64, 3), 128, np.uint8)
        if self.fails is not None:
            raise self.fails


def stage(fails: BaseException | None = None) -> Stage:
    return Stage(EmbeddedVoice(Hummer()), GreyFace(fails))


@pytest.fixture
def take():
    return stage().take("I am here, and I listen.", SAD, MAYA)


def test_a_sound_a_film_and_a_timeline_are_written_by_their_ending(take, tmp_path: Path):
    for name in ("a.wav", "b.mp4", "deep/down/c.json"):
        stage().write(take, tmp_path / name)
    with wave.open(str(tmp_path / "a.wav")) as sound:
        assert (sound.getframerate(), sound.getnchannels()) == (24_000, 1)
        assert sound.getnframes() == len(take.spoken.samples)
    assert b"ICMT" in (written := (tmp_path / "a.wav").read_bytes()) and b"Synthetic: a computer-generated voice" in written
    assert Timeline.model_validate_json((tmp_path / "deep/down/c.json").read_text()) == take.timeline
    assert (tmp_path / "b.mp4").stat().st_size > 500


def test_an_ending_that_nobody_knows_is_told(take, tmp_path: Path):
    with pytest.raises(UsageError, match=r"ends in \.mp4, \.wav, \.json"):
        stage().write(take, tmp_path / "reply.avi")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "nothing to say"),
        ("  \n ", "nothing to say"),
        ("😀 🎉", "only signs or emoji"),
        ("word " * 5000, "too long to be said at once"),
        ("我今天很难过", "."),
        ("Ich habe heute meinen Job verloren und bin sehr traurig.", "looks like German"),
    ],
)
def test_what_cannot_be_said_is_told(text: str, message: str):
    with pytest.raises(InputError, match=message):
        stage().take(text, SAD, MAYA)


@pytest.mark.parametrize(
    ("fails", "raised"),
    [
        (KeyboardInterrupt(), KeyboardInterrupt),
        (OSError(errno.ENOSPC, "No space left on device"), DiskFullError),
        (RuntimeError("the renderer broke"), RuntimeError),
    ],
)
def test_a_film_that_is_not_finished_leaves_nothing_and_keeps_what_was_there(take, tmp_path: Path, fails, raised):
    target = tmp_path / "reply.mp4"
    target.write_bytes(b"an earlier film")
    with pytest.raises(raised):
        stage(fails).write(take, target)
    assert [file.name for file in tmp_path.iterdir()] == ["reply.mp4"]
    assert target.read_bytes() == b"an earlier film"


def test_a_full_disk_is_told_for_sounds_too(take, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(wave.Wave_write, "writeframes", full)
    with pytest.raises(DiskFullError, match="no space left"):
        stage().write(take, tmp_path / "a.wav")
    assert not list(tmp_path.iterdir())


def test_a_performance_says_what_was_made_and_what_was_measured(tmp_path: Path):
    made = stage().perform("I am here, and I listen to every word.", SAD, MAYA, tmp_path, film=False)
    assert made.files == ("reply.wav", "timeline.json")
    assert (made.emotion, made.identity.name, made.voice, made.face) == ("sad", "maya", "hum", "")
    assert [each.channel for each in made.carried] == ["voice"]
    assert made.carried[0].wanted["pitch"] < 0
    assert set(made.ms) == {"voice", "proof"}


def test_a_film_without_a_face_is_a_finding(tmp_path: Path):
    made = stage().perform("I am here, and I listen to every word.", SAD, MAYA, tmp_path)
    face = made.carried[1]
    assert not face.agrees and face.note == "no face is found in the film"
    assert any(finding.step == "express" and "No face is found" in finding.problem for finding in made.findings)


class Onlooking(Prover):
    """Sees sadness in a film by how strongly it is meant."""

    def __init__(self, shares: dict[float, float]):
        super().__init__()
        self.shares = shares

    def seen(self, film: Path, style: Style, rest: np.ndarray) -> Carried:
        share = self.shares[style.intensity]
        best = "sadness" if share > 0.5 else "neutral"
        return Carried(
            channel="face",
            intended=style.emotion,
            expected="sadness",
            recognised=best,
            shares={"sadness": share, "neutral": 1 - share},
            agrees=best == "sadness",
            note="" if best == "sadness" else "the face looks like neutral",
        )


@pytest.mark.parametrize(
    ("shares", "kept", "tried"),
    [
        ({0.6: 0.8}, 0.6, []),
        ({0.6: 0.2, 0.85: 0.9}, 0.85, [0.6, 0.85]),
        ({0.6: 0.3, 0.85: 0.4}, 0.85, [0.6, 0.85]),
        ({0.6: 0.4, 0.85: 0.3}, 0.6, [0.6, 0.85]),
    ],
)
def test_what_did_not_arrive_is_made_once_more_and_the_better_one_is_kept(
    tmp_path: Path, shares: dict[float, float], kept: float, tried: list[float]
):
    prover = Onlooking(shares)
    made = Stage(EmbeddedVoice(Hummer()), GreyFace(), prover).perform("I listen to every word.", SAD, MAYA, tmp_path)
    assert made.intensity == kept
    assert [attempt.intensity for attempt in made.attempts] == tried
    assert [attempt.intensity for attempt in made.attempts if attempt.kept] == ([kept] if tried else [])
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(made.files)
    assert Timeline.model_validate_json((tmp_path / "timeline.json").read_text()).style.intensity == kept
    assert any("looks like neutral" in finding.problem.lower() for finding in made.findings) == (shares[kept] < 0.5)


def test_more_than_all_of_an_emotion_is_not_tried(tmp_path: Path):
    full = Style(emotion="sad", intensity=1.0)
    made = Stage(EmbeddedVoice(Hummer()), GreyFace(), Onlooking({1.0: 0.1})).perform("I listen.", full, MAYA, tmp_path)
    assert not made.attempts and made.findings
