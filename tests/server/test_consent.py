"""What may be inferred from a voice and a face: nothing until it is given, and nothing at all at work and in schools."""

import base64
import io
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import pytest
from PIL import Image

from heartfelt.models import Model
from heartfelt.records import Readings
from heartfelt.senses.sense import Senses
from heartfelt.server.words_only import NOTE
from scripts import REPLY, good
from senses.media.studio import Film, Voice, every, tone
from senses.test_live import Face
from senses.voice.sounds import contour, joined, sentence, silence

from .api.test_messages import recording
from .live.person import person
from .serving import HEARD, Ears, Served, serving


class Feeling(Ears):
    """Ears whose voice also tells an emotion."""

    def __init__(self) -> None:
        super().__init__()
        self.voice.emotion = lambda _sound: {"sadness": 1.0}


def feeling(model: Model) -> Senses:
    return Senses(model=good("compact"), eyes=Face, ears=Feeling)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("private"), sensing=feeling) as running:
        yield running


@pytest.fixture(scope="module", params=["workplace", "education"])
def office(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("office"), sensing=feeling, deployment=request.param) as running:
        yield running


def sent(served: Served, media: bytes, name: str = "me.wav", **form: str) -> Any:
    session = served.session()
    with served.client() as client:
        return client.post(f"/api/sessions/{session}/recordings", files={"media": (name, media)}, data=form)


def readings(answer: Any) -> Readings:
    assert answer.status_code == 200, answer.text
    return Readings.model_validate(answer.json()["readings"])


def speech() -> bytes:
    samples = joined(silence(0.3), sentence(contour(140, 190, 120, seconds=1.5)), silence(0.8))
    return Film(voices=[Voice((samples * 32767).astype("<i2")[:, None])]).to_bytes("wav")


def film() -> bytes:
    return Film(times=every(0.1, 1), voices=[Voice(tone(1, 16_000, hertz=180))]).to_bytes("matroska")


def jpeg() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(file, "JPEG")
    return file.getvalue()


def test_of_a_recording_only_the_words_are_taken_unless_more_is_allowed(private: Served):
    answer = sent(private, speech())
    assert answer.json()["said"] == HEARD
    voice = readings(answer).of("voice")
    assert voice is not None and (voice.moments, voice.cues, voice.note) == ((), (), NOTE)
    allowed = readings(sent(private, speech(), voice="true")).of("voice")
    assert allowed is not None and allowed.moments[0].shares == {"sadness": 1.0}


def test_a_film_is_heard_and_not_looked_at_unless_that_is_allowed(private: Served):
    unseen, seen = sent(private, film(), "me.mkv"), sent(private, film(), "me.mkv", face="true")
    assert unseen.json()["said"] == HEARD and readings(unseen).of("face") is None
    assert readings(seen).of("face") is not None


def test_a_picture_that_may_not_be_looked_at_is_refused(private: Served):
    refused = sent(private, jpeg(), "me.jpg", text="This is me.")
    assert refused.status_code == 422 and "me.jpg is a picture, and may not be looked at" in refused.json()["message"]
    assert sent(private, jpeg(), "me.jpg", text="This is me.", face="true").status_code == 200


async def test_live_the_tone_is_measured_only_where_it_is_allowed(private: Served):
    for tone_allowed in (False, True):
        async with person(private, private.session()) as ana:
            await ana.send(kind="begin", microphone=True, tone=tone_allowed, voice=False)
            await ana.speak(1.0)
            await ana.send(kind="end turn")
            turn = await ana.turn("answered")
            spoken = [each["event"] for each in ana.told if each["kind"] == "sensing" and each["event"]["kind"] == "spoken"]
        voice = Readings.model_validate(turn["readings"]).of("voice")
        assert turn["said"] == HEARD and voice is not None and (voice.note != NOTE) is tone_allowed
        assert [each["heard"]["prosody"]["level"] != 0 for each in spoken] == [tone_allowed]


async def test_what_is_taken_back_is_no_longer_measured(private: Served):
    async with person(private, private.session()) as ana:
        await ana.send(kind="begin", microphone=True, tone=True, voice=False)
        await ana.speak(0.5)
        await ana.send(kind="begin", microphone=True, tone=False, voice=False)
        turns = [await ana.turn("answered")]
        await ana.speak(1.0)
        await ana.send(kind="end turn")
        turns.append(await ana.turn("answered", 1))
    for turn in turns:
        voice = Readings.model_validate(turn["readings"]).of("voice")
        assert voice is not None and voice.note == NOTE and not voice.moments


# ── at work and in schools ──────────────────────────────────────────────────────────────────────────────────────────


def test_at_work_and_in_schools_sound_gives_words_alone(office: Served):
    with office.client() as client:
        assert client.get("/api/options").json()["infers"] is False
    answer = sent(office, recording())
    assert answer.json()["said"] == HEARD
    voice = readings(answer).of("voice")
    assert voice is not None and voice.note == NOTE


@pytest.mark.parametrize("form", [{"voice": "true"}, {"face": "true"}])
def test_there_consent_changes_nothing(office: Served, form: dict[str, str]):
    refused = sent(office, recording(), **form)
    assert refused.status_code == 403 and refused.json()["code"] == "forbidden"
    assert "for work or school" in refused.json()["message"]


def test_there_no_picture_is_taken(office: Served):
    assert sent(office, film(), "me.mkv").status_code == sent(office, jpeg(), "me.jpg", text="Me.").status_code == 403
    picture = "data:image/jpeg;base64," + base64.b64encode(jpeg()).decode()
    content = [{"type": "text", "text": "Me."}, {"type": "image_url", "image_url": {"url": picture}}]
    with office.client() as client:
        refused = client.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": content}]})
    assert refused.status_code == 403 and "for work or school" in refused.json()["error"]["message"]


async def test_there_the_live_socket_opens_no_camera_and_measures_no_tone(office: Served):
    async with person(office, office.session()) as ana:
        for wanted in ({"camera": True}, {"tone": True}):
            await ana.send(kind="begin", microphone=True, voice=False, **wanted)
            assert "for work or school" in (await ana.kind("error"))["message"]
            ana.told.clear()
        await ana.socket.send(struct.pack("<Bd", 2, 0.0) + jpeg())
        assert "camera was not allowed" in (await ana.kind("error"))["message"]
        await ana.send(kind="begin", microphone=True, voice=False)
        await ana.speak(1.0)
        await ana.send(kind="end turn")
        turn = await ana.turn("answered")
    assert (turn["said"], turn["reply"]) == (HEARD, REPLY)


# ── and nothing of it comes to a disk ───────────────────────────────────────────────────────────────────────────────


def test_a_long_recording_never_touches_the_disk(private: Served, monkeypatch: pytest.MonkeyPatch):
    """What is uploaded would be written to a temporary file from a megabyte on."""
    rolled: list[object] = []
    monkeypatch.setattr(SpooledTemporaryFile, "rollover", lambda self: rolled.append(self))
    answer = sent(private, recording(seconds=40))
    assert answer.status_code == 200 and not rolled


def test_no_sound_and_no_picture_is_in_any_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    media = film()
    with serving(tmp_path, sensing=feeling) as served:
        sent(served, media, "me.mkv", face="true", voice="true")
    wrote = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert HEARD.encode() in wrote
    assert not any(media[at : at + 64] in wrote for at in range(0, len(media) - 64, 64) if len(set(media[at : at + 64])) > 8)
    assert b"image/jpeg" not in wrote
