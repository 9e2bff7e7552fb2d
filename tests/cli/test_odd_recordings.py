"""Odd recordings by the command, as a user gives them: a sensible reading, or one sentence that says what to do."""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from heartfelt import Trace
from heartfelt.cli import main
from heartfelt.models.seam import Model
from heartfelt.records import Sensed, Word
from heartfelt.senses.face.double import OneFace
from heartfelt.senses.face.sense import FaceSense
from heartfelt.senses.media import Picture, Sound
from heartfelt.senses.sense import Glance, Senses, Told
from heartfelt.senses.voice.detect import LoudnessDetector
from heartfelt.senses.voice.sense import VoiceSense
from heartfelt.senses.voice.transcribe import Wordless
from page.reading import Page
from scripts import FULL

from . import odd_recordings as odd
from .conftest import Script

Tell: TypeAlias = Callable[..., "Told_"]
JOY = FULL["forecast"] | {"emotion": "joy"}
Make: TypeAlias = Callable[[Path], Path]


class Eyes:
    """The face sense as it is, but for its networks: these see a face wherever the picture is not black."""

    def __init__(self) -> None:
        self._face = FaceSense(OneFace())

    def see(self, picture: Picture) -> Glance:
        main = self._face.see(picture.pixels, picture.time).main
        return Glance(face=main.quality if main else 0.0, change=0.0)

    def summary(self) -> Sensed:
        return self._face.summary()


class Ears:
    """The voice sense as it is, but for its networks: these take every sound for speech without words."""

    def __init__(self) -> None:
        self._voice = VoiceSense(detector=LoudnessDetector(), transcriber=Wordless())

    def hear(self, sound: Sound) -> None:
        self._voice.hear(sound.samples, sound.start)

    def summary(self) -> tuple[Sensed, tuple[Word, ...]]:
        self._voice.finish()
        found = self._voice.summary()
        return found.sensed, found.words


@dataclass
class Told_:
    code: int
    out: str
    err: str

    @property
    def message(self) -> str:
        """The one thing that a refusal says."""
        lines = self.err.strip().splitlines()
        assert self.code == 2 and len(lines) == 1 and lines[0].startswith("heartfelt: "), self.err
        return lines[0].removeprefix("heartfelt: ")


@pytest.fixture
def tell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Tell:
    """The command in this process, with senses that need no weights. Whatever happens, nobody is shown a stack of frames."""

    def senses(model: Model, *, ears: str, keyframes: int, told: Told) -> Senses:
        return Senses(model=model, eyes=Eyes, ears=Ears, keyframes=keyframes, told=told)

    monkeypatch.setattr("heartfelt.cli.sense.usual_senses", senses)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("HEARTFELT_MEDIA", "none")

    def tell_(*arguments: str | Path) -> Told_:
        monkeypatch.setattr(sys, "argv", ["heartfelt", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert "Traceback" not in said.err and isinstance(ended.value.code, int)
        return Told_(ended.value.code, said.out, said.err)

    return tell_


REFUSED: dict[str, tuple[str, Make, str]] = {
    "a cut MP4": ("a.mp4", lambda path: odd.cut(path, 0.5), "its index is missing, as when a recording is cut off. Record"),
    "a text that is called a video": (
        "a.mp4",
        lambda path: odd.of(path, b"Dear diary. " * 99),
        "is no video, sound or picture",
    ),
    "a text that is called a picture": ("a.png", lambda path: odd.of(path, b"Dear diary. " * 99), "no video, sound or picture"),
    "nothing in it": ("a.mp4", lambda path: odd.of(path, b""), "is empty. Record or export it again."),
    "a folder": ("a.mp4", lambda path: path.mkdir() or path, "is a folder. Give one video, sound or picture file."),
    "no file": ("a.mp4", lambda path: path, "There is no file"),
    "a link to itself": ("a.mp4", odd.looping_link, "cannot be found as a file. Check the path."),
    "a film without a frame": ("a.mp4", odd.empty_film, "Record or export it again."),
    "sound without a sample": ("a.wav", odd.empty_sound, "Record or export it again."),
    "a picture of 108 million pixels": ("a.png", lambda path: odd.png(path, 12_000, 9_000, rows=9_000), "12000 × 9000 pixels"),
    "a bomb": ("a.png", lambda path: odd.png(path, 60_000, 60_000, rows=9), "Scale it down first."),
}

READ: dict[str, tuple[str, Make, str]] = {
    "silence": ("a.wav", lambda path: odd.film(level=0.0, times=()).save(path), "Nobody was heard to speak."),
    "a film without sound": ("a.mp4", lambda path: odd.film(level=-1).save(path), "face"),
    "a black film": ("a.mkv", lambda path: odd.film(odd.black).save(path), "No face was found in any frame."),
    "two faces": ("a.mkv", lambda path: odd.film(odd.two_faces).save(path), "face"),
    "one pixel": ("a.png", lambda path: odd.picture(path, "RGB", (1, 1)), "face"),
    "a picture in a palette": ("a.png", lambda path: odd.picture(path, "P"), "face"),
    "a grey picture": ("a.png", lambda path: odd.picture(path, "L"), "face"),
    "a picture in black and white": ("a.png", lambda path: odd.picture(path, "1"), "face"),
    "a see-through picture": ("a.png", lambda path: odd.picture(path, "LA"), "face"),
    "a picture for print": ("a.jpg", lambda path: odd.picture(path, "CMYK"), "face"),
    "a deep picture": ("a.png", odd.deep, "face"),
    "a moving GIF": ("a.gif", odd.gif, "face"),
    "a line of pixels": ("a.png", lambda path: odd.picture(path, "RGB", (3000, 1)), "face"),
    "a cut film with its index in front": (
        "a.mp4", lambda path: odd.cut(path, 0.6, movflags="faststart"), "could not be decoded",
    ),
    "a thousand frames a second": (
        "a.mkv", lambda path: odd.film(times=[n / 1000 for n in range(400)], level=-1).save(path), "face",
    ),
    "one frame in ten minutes": ("a.mkv", lambda path: odd.film(times=[0, 600], level=-1).save(path), "face"),
    "a film of one frame": ("a.mp4", lambda path: odd.film(times=[0], level=-1).save(path), "face"),
    "64 channels": ("a.wav", odd.many_channels, "voice"),
    "a film on its side": ("a.mp4", lambda path: odd.film(rotation=90).save(path), "face"),
    "odd sides": ("a.mkv", lambda path: odd.film(lambda _: odd.noise(63, 47)).save(path), "face"),
    "an instant of sound": ("a.wav", lambda path: odd.film(seconds=0.01, times=()).save(path), "voice"),
}  # fmt: skip


def made(folder: Path, case: tuple[str, Make, str]) -> tuple[Path, str]:
    name, make, expected = case
    return make(folder / name), expected


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_refused_in_a_sentence(tell: Tell, script: Script, tmp_path: Path, case: tuple[str, Make, str]):
    path, expected = made(tmp_path, case)
    model = ("-m", script())
    assert expected in tell("sense", path, *model).message and path.name in tell("sense", path, *model).message
    told = tell("sense", path, "--json", *model)
    assert json.loads(told.out)["error"] == {"kind": "InputError", "message": told.message}
    assert tell("respond", "--video", path, *model).message
    assert tell("respond", "Look.", "--image", path, *model).message


@pytest.mark.parametrize("case", READ.values(), ids=READ)
def test_what_can_be_read_is_read(tell: Tell, script: Script, tmp_path: Path, case: tuple[str, Make, str]):
    path, expected = made(tmp_path, case)
    told = tell("sense", path, "-m", script())
    assert told.code == 0 and expected in told.out + told.err, told
    as_json = tell("sense", path, "--json", "-m", script())
    assert json.loads(as_json.out)["text"] == ""


@pytest.mark.parametrize("case", READ.values(), ids=READ)
def test_it_is_answered_with_the_words_that_were_typed(tell: Tell, script: Script, tmp_path: Path, case: tuple[str, Make, str]):
    path, _ = made(tmp_path, case)
    arguments = ("-r", "direct", "-m", script(forecast=JOY), "-o", tmp_path / "out")
    told = tell("respond", "Look who is here!", "--video", path, *arguments)
    assert told.code == 0, told.err
    assert Trace.read(tmp_path / "out" / "trace.jsonl").start.dialogue.last.readings
    page = Page((tmp_path / "out" / "trace.html").read_text("utf-8"))
    assert page.data["events"][0]["dialogue"]["turns"][-1]["readings"]["sensed"]


def test_a_recording_in_which_nobody_speaks_asks_for_the_words(tell: Tell, script: Script, tmp_path: Path):
    path = odd.film(level=0.0).save(tmp_path / "a.mkv")
    assert "Give the words too: heartfelt respond TEXT --video" in tell("respond", "--video", path, "-m", script()).message


def test_of_hours_of_talk_the_last_part_is_answered(
    tell: Tell, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    spoken = tuple(Word(text=f"word{n}.", start=n, end=n + 0.5) for n in range(3000))
    monkeypatch.setattr(Ears, "summary", lambda _self: (Sensed(source="voice"), spoken))
    path = odd.film(times=()).save(tmp_path / "a.wav")
    arguments = ("-r", "direct", "-m", script(forecast=JOY), "-o", tmp_path / "out")
    told = tell("respond", "--audio", path, *arguments)
    assert told.code == 0 and "Much is said; the last 20,000 characters of it are answered." in told.err
    last = Trace.read(tmp_path / "out" / "trace.jsonl").start.dialogue.last
    assert last.text.endswith(" word2999.") and len(last.text) <= 20_000 and last.readings
    assert len(last.readings.words) == 3000


def test_a_turn_that_was_sensed_is_replayed_from_its_trace_alone(tell: Tell, script: Script, tmp_path: Path):
    path = odd.film().save(tmp_path / "a.mkv")
    model = ("-m", script(forecast=JOY))
    assert tell("respond", "Look!", "--video", path, "-r", "direct", *model, "-o", tmp_path / "out").code == 0
    path.unlink()
    again = tell("replay", tmp_path / "out" / "trace.jsonl", *model, "-o", tmp_path / "again")
    assert again.code == 0, again.err
    first, second = (Trace.read(tmp_path / folder / "trace.jsonl").start.dialogue for folder in ("out", "again"))
    assert first == second and first.keyframes


@pytest.mark.parametrize("name", ["a.wav", "a.mkv"])
def test_a_recording_is_no_picture(tell: Tell, script: Script, tmp_path: Path, name: str):
    path = odd.film(times=() if name == "a.wav" else odd.every(0.1, 1.0)).save(tmp_path / name)
    assert "does not look like a picture" in tell("respond", "Hm.", "--image", path, "-m", script()).message


def test_sound_may_be_called_a_video_and_a_video_sound(tell: Tell, script: Script, tmp_path: Path):
    sound, video = odd.film(times=()).save(tmp_path / "a.wav"), odd.film().save(tmp_path / "a.mkv")
    direct = ("-r", "direct", "-m", script(forecast=JOY))
    assert tell("respond", "Hm.", "--video", sound, *direct).code == 0
    assert tell("respond", "Hm.", "--audio", video, *direct).code == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_is_not_ours(tell: Tell, script: Script, tmp_path: Path):
    told = tell("sense", odd.unreadable(tmp_path / "a.mkv"), "-m", script())
    assert "cannot be read (Permission denied). Check the file and your right to read it." in told.message


def test_a_file_that_may_not_be_read(tell: Tell, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = odd.film().save(tmp_path / "a.mkv")
    before = Path.open

    def forbid(self: Path, *arguments: str, **options: str) -> Any:
        if self == path:
            raise PermissionError(13, "Permission denied")
        return before(self, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", forbid)
    for arguments in (("sense", path), ("respond", "--video", path)):
        assert "cannot be read (Permission denied)." in tell(*arguments, "-m", script()).message


@pytest.mark.parametrize(
    "name", ["silence", "a film without sound", "a black film", "one pixel", "64 channels", "a moving GIF"]
)
def test_it_can_be_drawn(tell: Tell, script: Script, tmp_path: Path, name: str):
    pytest.importorskip("matplotlib")
    path, _ = made(tmp_path, READ[name])
    assert tell("sense", path, "--plot", tmp_path / "it.png", "-m", script()).code == 0
    assert (tmp_path / "it.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("it.docx", "it.docx cannot be drawn: its name must end in"),
        ("it", "it cannot be drawn: its name must end in"),
        ("file/it.png", "cannot be written: a file is in the way."),
        ("folder.png", "folder.png cannot be written"),
    ],
)
def test_a_place_where_nothing_can_be_drawn(
    tell: Tell, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, why: str
):
    pytest.importorskip("matplotlib")
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.png").mkdir()
    path = odd.picture(tmp_path / "a.png", "RGB")
    monkeypatch.chdir(tmp_path)
    assert why in tell("sense", path, "--plot", target, "-m", script()).message
