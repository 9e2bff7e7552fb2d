"""The face of a service: what is sent, that films are checked and written again, and that no half file is left."""

import io
import json
import os
import signal
import threading
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from heartfelt.errors import GeneratorError, GeneratorUnavailable, InputError
from heartfelt.expression.persona import Persona
from heartfelt.expression.services import open_face
from heartfelt.expression.services.face import ServiceFace
from heartfelt.expression.style import Style
from heartfelt.expression.voice.spoken import RATE, SpokenAudio

from .conftest import PNG
from .standin import Asked, Reply, about, example, fault, film, hum, scripted, serving, wav


def face(url: str, **options: Any) -> ServiceFace:
    return ServiceFace(url, portrait=lambda _: PNG, sleep=lambda _: None, **options)


def filmed(reply: Reply, spoken: SpokenAudio, style: Style, persona: Persona, target: Path) -> Path:
    with scripted({"/v1/about": about(kind="face"), "/v1/film": reply}) as url:
        return face(url).film(spoken, style, persona, target)


def mp4(content: bytes) -> Reply:
    return Reply(content, "video/mp4")


def test_the_documented_example_serves_a_face(spoken: SpokenAudio, style: Style, maya: Persona, target: Path, tmp_path: Path):
    shim, got, made = example("face"), list[Any](), film(tmp_path, 2.0)

    def show(request: dict[str, Any], audio: bytes, portrait: bytes) -> bytes:
        got.extend((request, audio, portrait))
        return made

    shim["show"] = show
    with serving(shim["Service"]) as url:
        assert face(url, mark="AI").film(spoken, style, maya, target) == target
    request, audio, portrait = got
    assert request["emotion"] == "happy" and request["intensity"] == 0.6 and request["seconds"] == 2.0
    assert request["lively"] == maya.lively and request["speaker"]["name"] == "maya" and request["options"] == {}
    assert portrait == PNG
    with wave.open(io.BytesIO(audio)) as sound:
        assert (sound.getnchannels(), sound.getframerate(), sound.getnframes()) == (1, RATE, 2 * RATE)
    with av.open(target) as written:
        picture, sound = written.streams.video[0], written.streams.audio[0]
        assert picture.codec_context.name == "h264" and picture.width == 64 and sound.rate == RATE
        assert written.metadata["synthetic"] == "true" and "Synthetic" in written.metadata["comment"]
        assert written.metadata["digitalSourceType"].endswith("trainedAlgorithmicMedia")
        assert written.metadata["title"] == "maya, pictures by service"
        assert sum(1 for _ in written.decode(picture)) == 50
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize(("seconds", "fps"), [(1.75, 25), (2.0, 30), (3.0, 25), (2.0, 12)])
def test_a_film_is_brought_to_the_length_of_the_sound(
    seconds: float, fps: int, spoken: SpokenAudio, style: Style, maya: Persona, target: Path, tmp_path: Path
):
    filmed(mp4(film(tmp_path, seconds, fps=fps)), spoken, style, maya, target)
    with av.open(target) as written:
        assert sum(1 for _ in written.decode(written.streams.video[0])) == 50


def test_a_known_generator_gets_its_own_options(spoken: SpokenAudio, maya: Persona, target: Path, tmp_path: Path):
    asked: list[Asked] = []
    replies = {"/v1/about": about(kind="face", emotions=[]), "/v1/film": mp4(film(tmp_path, 2.0))}
    with scripted(replies, asked) as url:
        for name in ("dice-talk", "dreamtalk"):
            showing = open_face(f"{name}:{url}?reference=maya.png", portrait=lambda _: PNG)
            showing.film(spoken, Style(emotion="furious", intensity=0.7), maya, target)
    dice, dream = (_request(each) for each in asked if each.path == "/v1/film")
    assert dice["emotion"] == dream["emotion"] == "angry" and dice["speaker"]["reference"] == "maya.png"
    assert dice["options"]["emo_scale"] == pytest.approx(6.0, abs=0.05) and dice["options"]["ref_scale"] == 3.0
    assert dream["options"]["style_clip_path"].endswith("W009_front_angry_level3_001.mat")
    assert dream["options"]["cfg_scale"] == 1.0 and dream["options"]["max_gen_len"] == 3


def _request(asked: Asked) -> dict[str, Any]:
    part = asked.body.partition(b'name="request"')[2].partition(b"\r\n\r\n")[2]
    return json.JSONDecoder().raw_decode(part.decode("utf-8", "replace"))[0]


def still() -> bytes:
    file = io.BytesIO()
    from PIL import Image

    Image.new("RGB", (64, 64)).save(file, "PNG")
    return file.getvalue()


def only_sound() -> bytes:
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("aac", rate=RATE, layout="mono")
        for start in range(0, 2 * RATE, 1024):
            block = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
            block.sample_rate, block.pts = RATE, start
            container.mux(stream.encode(block))
        container.mux(stream.encode())
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"<html>", "cannot be used"),
        (b"", "cannot be used: the film is empty"),
        (b"\0\0\0\x20ftypisom\0\0\2\0isomiso2avc1mp41", "cannot be used"),
        (still(), "without moving pictures"),
        (only_sound(), "without moving pictures"),
        (wav(hum((0, 2), seconds=2)), "without moving pictures"),
        (b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "cannot be used"),
    ],
)
def test_what_is_no_film_is_refused(content: bytes, says: str, spoken: SpokenAudio, style: Style, maya: Persona, target: Path):
    target.write_bytes(b"the film of before")
    with pytest.raises(GeneratorError, match=says) as caught:
        filmed(mp4(content), spoken, style, maya, target)
    assert "service at http://127.0.0.1:" in str(caught.value) and "received" not in str(caught.value)
    assert target.read_bytes() == b"the film of before" and list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize(("seconds", "told"), [(0.4, "0.4"), (1.4, "1.4"), (9.0, "9.0")])
def test_a_film_that_does_not_fit_the_sound_is_refused(
    seconds: float, told: str, spoken: SpokenAudio, style: Style, maya: Persona, target: Path, tmp_path: Path
):
    with pytest.raises(GeneratorError, match=f"{told} seconds for 2.0 seconds of sound"):
        filmed(mp4(film(tmp_path, seconds)), spoken, style, maya, target)
    assert not list(target.parent.iterdir())


def test_a_film_that_is_cut_off_is_refused(spoken: SpokenAudio, style: Style, maya: Persona, target: Path, tmp_path: Path):
    whole = film(tmp_path, 2.0, size=256)
    with pytest.raises(GeneratorError):
        filmed(mp4(whole[: len(whole) // 2]), spoken, style, maya, target)
    assert not list(target.parent.iterdir())


def test_other_answers_than_films_are_refused(spoken: SpokenAudio, style: Style, maya: Persona, target: Path):
    with pytest.raises(GeneratorError, match="application/json instead of video/mp4"):
        filmed(Reply(b"{}"), spoken, style, maya, target)
    with pytest.raises(GeneratorUnavailable, match="out of memory"):
        filmed(fault(500, "out of memory"), spoken, style, maya, target)


def test_a_film_without_end_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, spoken: SpokenAudio, style: Style, maya: Persona, target: Path
):
    monkeypatch.setattr("heartfelt.expression.services.face.MOST_FILM", 100_000)
    with pytest.raises(GeneratorError, match="most that is taken"):
        filmed(mp4(b"x" * 200_000), spoken, style, maya, target)
    assert not list(target.parent.iterdir())


@pytest.mark.parametrize("stopped", [KeyboardInterrupt, RuntimeError, OSError])
def test_whatever_stops_it_leaves_no_half_film(
    stopped: type[BaseException],
    monkeypatch: pytest.MonkeyPatch,
    spoken: SpokenAudio,
    style: Style,
    maya: Persona,
    target: Path,
    tmp_path: Path,
):
    own = ServiceFace._frames

    def broken(self: ServiceFace, received: Path, seconds: float) -> Iterator[Any]:
        for index, frame in enumerate(own(self, received, seconds)):
            if index == 20:
                raise stopped
            yield frame

    made, temporary = film(tmp_path, 2.0), tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr(ServiceFace, "_frames", broken)
    with pytest.raises(stopped):
        filmed(mp4(made), spoken, style, maya, target)
    assert not list(target.parent.iterdir()) and not list(temporary.iterdir())


def test_ctrl_c_while_a_film_comes_in_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, spoken: SpokenAudio, style: Style, maya: Persona, target: Path, tmp_path: Path
):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        interrupt.start()
        filmed(Reply(b"\0" * 50, "video/mp4", drip=0.05), spoken, style, maya, target)
    assert not list(target.parent.iterdir()) and not list(temporary.iterdir())


def test_a_target_that_cannot_be_written_is_told_before_anything_is_asked(
    spoken: SpokenAudio, style: Style, maya: Persona, tmp_path: Path
):
    asked: list[Asked] = []
    with scripted({}, asked) as url:
        for target in (tmp_path / "film.avi", tmp_path / "nowhere" / "film.mp4"):
            with pytest.raises(InputError, match=r"\.mp4"):
                face(url).film(spoken, style, maya, target)
        with pytest.raises(InputError, match="no sound"):
            face(url).film(SpokenAudio(np.zeros(0, np.float32), (), ()), style, maya, tmp_path / "film.mp4")
    assert not asked


def test_a_portrait_is_asked_for_once_and_must_be_a_png(
    spoken: SpokenAudio, style: Style, maya: Persona, target: Path, tmp_path: Path
):
    drawn: list[str] = []

    def portrait(persona: Persona) -> bytes:
        drawn.append(persona.name)
        return PNG

    with scripted({"/v1/about": about(kind="face"), "/v1/film": mp4(film(tmp_path, 2.0))}) as url:
        showing = ServiceFace(url, portrait=portrait)
        showing.film(spoken, style, maya, target)
        showing.film(spoken, style, maya, target)
        assert drawn == ["maya"]
        with pytest.raises(InputError, match="no PNG"):
            ServiceFace(url, portrait=lambda _: b"GIF89a").film(spoken, style, maya, target)
