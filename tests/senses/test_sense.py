"""A whole recording through all senses, and what the steps make of it."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from heartfelt import Listener, Setup
from heartfelt.agents.bank import replies
from heartfelt.cli import app
from heartfelt.errors import InputError
from heartfelt.intake import of_text
from heartfelt.models.embedded import EmbeddedModel
from heartfelt.records import Evidence, Forecast, Moment, Sensed, Word
from heartfelt.senses.default import usual_senses
from heartfelt.senses.media import Picture, Sound, open_media
from heartfelt.senses.plot import plot
from heartfelt.senses.sense import Glance, Senses
from scripts import good

from .face.drawing import drawn
from .media.studio import Film, Voice, every, tone
from .voice.sounds import contour, sentence

FROWNS = Moment(start=0.0, end=1.0, shares={"anger": 1.0}, reliability=0.8)


class Looking:
    """Eyes that see the same in every frame."""

    def see(self, picture: Picture) -> Glance:
        assert picture.pixels.ndim == 3
        return Glance(face=1.0, change=picture.time / 10)

    def summary(self) -> Sensed:
        return Sensed(source="face", moments=(FROWNS,))


class Hearing:
    """Ears that count the seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def hear(self, sound: Sound) -> None:
        self.seconds += len(sound.samples) / 16_000

    def summary(self) -> tuple[Sensed, tuple[Word, ...]]:
        return Sensed(source="voice", language="nl", note="Only melody."), (Word(text="Stop", start=0.2, end=0.6),)


def senses(**changes: object) -> Senses:
    model = good("compact", forecast={"emotion": "anger"})
    return Senses(**({"model": model, "eyes": Looking, "ears": Hearing, "keyframes": 2} | changes))  # type: ignore[arg-type]


def film(path: Path, *, grin: bool = False, seconds: float = 2.0, sound: np.ndarray | None = None) -> Path:
    spoken = tone(seconds, 16_000) if sound is None else (sound * 32767).astype(np.int16)
    rest, grinning = drawn(), drawn(grin=grin, open_eyes=0.5 if grin else 1.0)
    times = every(0.1, seconds)
    return Film(times=times, draw=lambda place: rest if times[place] < seconds / 2 else grinning, voices=[Voice(spoken)]).save(
        path
    )


async def test_face_voice_and_words_come_together(tmp_path: Path):
    told: list[str] = []
    media = open_media(film(tmp_path / "a.mkv"))
    found = await senses(told=lambda what, _done, _total: told.append(what)).sense(media)
    assert found.text == "Stop" and [each.source for each in found.readings.sensed] == ["words", "voice", "face"]
    assert found.readings.shares["anger"] > 0.9 and found.readings.duration == pytest.approx(2, abs=0.2)
    assert len(found.keyframes) == 2 and {*told} == {"face", "voice", "words"}


async def test_given_words_stand_for_what_is_heard_and_a_missing_track_casts_no_vote(tmp_path: Path):
    silent = Film(times=every(0.2, 1.0), draw=lambda _: drawn()).save(tmp_path / "silent.mkv")
    found = await senses().sense(open_media(silent), text="Leave me alone.")
    assert found.text == "Leave me alone." and [each.source for each in found.readings.sensed] == ["words", "face"]
    heard = Film(voices=[Voice(tone(1.0, 16_000))]).save(tmp_path / "only.wav")
    assert (await senses().sense(open_media(heard), text="Leave me alone.")).readings.language == ""
    blind = await senses().sense(open_media(heard))
    assert blind.readings.language == "nl"
    assert [each.source for each in blind.readings.sensed] == ["words", "voice"] and blind.keyframes == ()


async def test_it_can_be_drawn(tmp_path: Path):
    pytest.importorskip("matplotlib")
    found = await senses().sense(open_media(film(tmp_path / "a.mkv")))
    assert plot(found.readings, found.keyframes, tmp_path / "a.png").stat().st_size > 10_000


@pytest.mark.parametrize(("name", "content"), [("a.mp4", b"Dear diary, today was long."), ("b.mp4", b"")])
def test_what_is_no_recording_is_refused_in_a_sentence(tmp_path: Path, name: str, content: bytes):
    (tmp_path / name).write_bytes(content)
    made = CliRunner().invoke(app, ["sense", str(tmp_path / name)])
    assert isinstance(made.exception, InputError) and str(tmp_path / name) in str(made.exception)


# ── with the real networks ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.embedded
@pytest.mark.xdist_group("embedded")
async def test_a_smile_over_a_sad_sentence_is_seen_reported_and_heard_in_the_reply(tmp_path: Path):
    speech = sentence(contour(220, 180, 200, seconds=4.0))
    media = open_media(film(tmp_path / "smile.mkv", grin=True, seconds=4.0, sound=speech))
    said = "My grandmother died last night and I wasn't there."
    async with Listener(Setup(memory="none"), model=EmbeddedModel()) as listener:
        found = await usual_senses(listener.model).sense(media, text=said)
        assert found.readings.conflict, [each.moments[:1] for each in found.readings.sensed]
        turn = of_text(said).last.model_copy(update={"readings": found.readings})
        outcome = await listener.answer(of_text(said).model_copy(update={"turns": (turn,)}))
    made = {type(record.output): record.output for record in outcome.passes[0].steps}
    evidence, forecast = made[Evidence], made[Forecast]
    assert isinstance(evidence, Evidence) and isinstance(forecast, Forecast)
    assert any(cue.source == "face" and cue.start is not None for cue in evidence.cues)
    assert "while" in forecast.conflict
    assert outcome.reply in {reply.text for reply in replies() if reply.kind == "ironic"}, "it hears what is not said"


@pytest.mark.embedded
@pytest.mark.xdist_group("embedded")
def test_the_command_tells_what_it_measured(tmp_path: Path):
    made = CliRunner().invoke(app, ["sense", str(film(tmp_path / "a.mkv", grin=True)), "--json", "--text", "I won!"])
    assert made.exit_code == 0, made.output
    readings = json.loads(made.stdout)
    assert readings["text"] == "I won!" and {each["source"] for each in readings["sensed"]} == {"words", "voice", "face"}
