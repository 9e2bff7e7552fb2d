"""`heartfelt speak`, `identities` and what `respond` makes of a reply: with the voice that hums, which needs no weights."""

import json
import os
import signal
import subprocess
import time
import wave
from pathlib import Path

import av
import pytest

from heartfelt import Trace
from heartfelt.expression.timeline import Timeline

from .conftest import COMMAND, SAID, Run, Script, environment, only_document

HUM = ("--voice", "hum:")


def test_a_sound(run: Run, tmp_path: Path):
    done = run("speak", "I am here.", "--emotion", "sad", "--intensity", ".6", "--identity", "erik", "--out", "a.wav", *HUM)
    assert (done.returncode, done.stdout) == (0, "a.wav\n"), done.stderr
    with wave.open(str(tmp_path / "a.wav")) as sound:
        assert sound.getnframes() > 10_000
    assert "erik, sad" in done.stderr


def test_a_timeline_from_standard_input(run: Run, tmp_path: Path):
    assert run("speak", "--out", "a.json", *HUM, said="My mother is coming.").returncode == 0
    made = Timeline.model_validate_json((tmp_path / "a.json").read_text())
    assert [word.text for word in made.words] == ["My", "mother", "is", "coming"]
    assert made.persona == "maya"


@pytest.mark.embedded
@pytest.mark.xdist_group("drawing")
def test_a_film_says_that_it_is_synthetic_and_can_bear_a_mark(run: Run, tmp_path: Path):
    done = run("speak", "Mama.", "--out", "a.mp4", "--size", "128", "--mark", "AI", "--emotion", "happy", *HUM)
    assert done.returncode == 0, done.stderr
    with av.open(tmp_path / "a.mp4") as film:
        assert film.metadata["synthetic"] == "true"
        assert "No person was filmed" in film.metadata["comment"]
        assert {stream.codec_context.name for stream in film.streams} == {"h264", "aac"}
        assert film.streams.video[0].average_rate == 25
        frames = sum(1 for _ in film.decode(video=0))
    assert frames >= 15


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["", "--out", "a.wav"], "nothing to say"),
        (["🎉🎉", "--out", "a.wav"], "only signs or emoji"),
        (["word " * 5000, "--out", "a.wav"], "5,000 words is too long"),
        (["Estoy muy triste porque mi perro se murió", "--out", "a.wav"], "looks like Spanish"),
        (["Hello there.", "--out", "a.wav", "--emotion", "hangryish"], "no emotion 'hangryish'"),
        (["Hello there.", "--out", "a.wav", "--identity", "maja"], "Did you mean 'maya'"),
        (["Hello there.", "--out", "a.wav", "--identity", "seed:x"], "seed:NUMBER"),
        (["Hello there.", "--out", "a.wav", "--tone", "shouty"], "no tone 'shouty'"),
        (["Hello there.", "--out", "a.wav", "--intensity", "7"], "intensity of 7"),
        (["Hello there.", "--out", "a.gif"], "ends in .mp4, .wav, .json"),
        (["Hello there.", "--out", "a.wav", "--voice", "parrot:"], "no voice generator 'parrot'"),
        (["Hello there."], "--out"),
    ],
)
def test_what_cannot_be_said_is_one_clear_message_and_no_file(run: Run, tmp_path: Path, arguments: list[str], told: str):
    voice = [] if "--voice" in arguments else [*HUM]
    done = run("speak", *arguments, *voice)
    assert done.returncode == 2 and told in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) <= 4
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_told(run: Run, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    done = run("speak", "Hello there.", "--out", "file/a.wav", *HUM)
    assert done.returncode == 2 and "cannot be written" in done.stderr


def test_an_absent_service_is_one_clear_message_unless_another_may_take_over(run: Run, tmp_path: Path):
    address = "openvoice:http://127.0.0.1:9"
    done = run("speak", "Hello there.", "--out", "a.wav", "--voice", address)
    assert done.returncode == 3 and "127.0.0.1:9" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.embedded
@pytest.mark.xdist_group("drawing")
def test_an_interrupted_film_leaves_nothing(tmp_path: Path):
    text = "This is a very long story, and it goes on and on. " * 20
    process = subprocess.Popen(
        [COMMAND, "speak", text, "--out", "a.mp4", "--size", "512", *HUM],
        cwd=tmp_path,
        env=environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 90
    while not list(tmp_path.iterdir()) and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.1)
    assert list(tmp_path.iterdir()), "the film was never begun"
    os.kill(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130 and "Interrupted" in told
    assert not list(tmp_path.iterdir())


def test_identities_are_listed(run: Run):
    done = run("identities", "--seed", "3")
    assert done.returncode == 0
    assert all(name in done.stdout for name in ("maya", "erik", "seed:3"))
    listed = only_document(run("identities", "--json"))
    assert {entry["name"] for entry in listed} >= {"maya", "daniel", "yuna", "omar", "amara", "erik", "ingrid", "lucia"}


def test_a_sheet_is_a_picture(run: Run, tmp_path: Path):
    done = run("identities", "--sheet", "sheet.gif")
    assert done.returncode == 2 and "ends in .png" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_reply_is_spoken_into_the_folder_and_measured_in_the_trace(run: Run, script: Script, tmp_path: Path):
    done = run("respond", SAID, "-m", script(), "--memory", "none", "--out", "out", "--media", "sound", *HUM)
    assert done.returncode == 0, done.stderr
    assert {file.name for file in (tmp_path / "out").iterdir()} == {
        *("reply.txt", "reply.wav", "timeline.json", "trace.jsonl", "trace.html")
    }
    made = Trace.read(tmp_path / "out" / "trace.jsonl").performance
    assert made is not None and made.files == ("reply.wav", "timeline.json")
    assert made.identity.name == "maya" and made.carried[0].channel == "voice"
    assert "express" in done.stderr


def test_a_reply_as_json_holds_the_performance(run: Run, script: Script, tmp_path: Path):
    done = run("respond", SAID, "-m", script(), "--memory", "none", "--out", "out", "--media", "sound", "--json", *HUM)
    assert only_document(done)["performance"]["voice"] == "hum"


def test_a_kind_of_media_that_is_none_is_told_before_anything_is_asked(run: Run, script: Script, tmp_path: Path):
    done = run("respond", SAID, "-m", script(), "--out", "out", "--media", "hologram")
    assert done.returncode == 2 and "hologram" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_trace_with_a_performance_replays(run: Run, script: Script, tmp_path: Path):
    run("respond", SAID, "-m", script(), "--memory", "none", "--out", "out", "--media", "sound", *HUM)
    done = run("replay", "out/trace.jsonl")
    assert done.returncode == 0 and "same as in the trace" in done.stderr + done.stdout


def test_the_identity_of_a_turn_stands_in_its_trace(run: Run, script: Script, tmp_path: Path):
    for given, name in (("omar", "omar"), ("seed:5", "seed:5"), ("elderly-male-low", "")):
        assert (
            run(
                "respond", SAID, "-r", "e3rg", "-m", script(), "--memory", "none", "--identity", given, "--out", "out"
            ).returncode
            == 0
        )
        lines = (tmp_path / "out" / "trace.jsonl").read_text().splitlines()
        assert json.loads(lines[0])["setup"]["identity"]["name"] == name
