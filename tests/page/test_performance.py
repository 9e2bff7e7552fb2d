"""The reply as it was spoken and shown, on the page."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from heartfelt import Trace
from heartfelt.events import Performed
from heartfelt.expression.proof import heard
from heartfelt.fusion import fuse, tell
from heartfelt.page import media, render, write_page
from heartfelt.page.captions import MOST_WORDS, vtt
from heartfelt.page.media import is_plain
from heartfelt.page.score import NONE, Score, ScoreSaid
from heartfelt.records import Carried, Finding, Identity, Performance

from . import samples
from .reading import HOSTILE, Page

REPLY = "That is a hard evening to walk into."
VOICE = Carried(
    channel="voice",
    intended="sad",
    wanted={"pitch": -1.8, "range": -2.4, "rate": -1.6, "energy": -1.1, "brightness": -0.3},
    measured={"pitch": -1.2, "range": -2.9, "rate": -1.1, "energy": 0.4, "brightness": -0.8},
)
SHARES = {"neutral": 0.52, "fear": 0.2, "anger": 0.1, "disgust": 0.08, "surprise": 0.06, "sadness": 0.03, "joy": 0.01}
FACE = Carried(
    channel="face",
    intended="sad",
    expected="sadness",
    recognised="neutral",
    shares=SHARES,
    agrees=False,
    note="the face looks like neutral, and sadness was intended",
)
SEEN = FACE.model_copy(update={"recognised": "sadness", "shares": SHARES | {"sadness": 0.9}, "agrees": True, "note": ""})
FINDING = Finding(step="express", problem="The face looks like neutral, and sadness was intended.", instruction="More of it.")
PERFORMANCE = Performance(
    emotion="sad",
    intensity=0.62,
    tone="gentle",
    identity=Identity(name="maya"),
    voice="kokoro-82m",
    face="heartfelt-face",
    seconds=7.2,
    files=("reply.wav", "timeline.json", "reply.mp4"),
    carried=(VOICE, FACE),
    findings=(FINDING,),
    ms={"voice": 1400.0, "face": 8800.0, "proof": 3100.0},
)


def performed(**changes: object) -> Trace:
    trace = samples.one_pass()
    trace(Performed(performance=PERFORMANCE.model_copy(update=changes)))
    return trace


def written(folder: Path, trace: Trace | None = None) -> str:
    write_page(trace or performed(), folder / "trace.html")
    return (folder / "trace.html").read_text("utf-8")


def played(folder: Path, trace: Trace | None = None) -> dict[str, Any]:
    """What the page says there is to play."""
    return Page(written(folder, trace)).data["media"]


def put_film(target: Path) -> bytes:
    with av.open(str(target), "w") as file:
        stream = file.add_stream("mpeg4", rate=4)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for place in range(8):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 20 * place, np.uint8), format="rgb24")
            file.mux(stream.encode(frame))
        file.mux(stream.encode())
    return target.read_bytes()


def put_timeline(target: Path, text: str = REPLY) -> None:
    words = [
        {"text": found[0], "at": found.start(), "start": 0.4 * place, "end": 0.4 * place + 0.3, "spoken": found[0]}
        for place, found in enumerate(re.finditer(r"\w+", text))
    ]
    target.write_text(json.dumps({"format": "heartfelt timeline 1", "words": words}), "utf-8")


# ── what is played ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_film_is_in_the_page_with_a_poster_and_may_be_played(tmp_path: Path):
    film = put_film(tmp_path / "reply.mp4")
    (tmp_path / "reply.wav").write_bytes(b"RIFF")
    (shown,) = played(tmp_path)["shown"]
    assert shown["source"] == "data:video/mp4;base64," + base64.b64encode(film).decode()
    assert (shown["kind"], shown["name"], shown["bytes"]) == ("film", "reply.mp4", len(film))
    assert (shown["poster"]["width"], shown["poster"]["height"]) == (64, 48) and shown["poster"]["data"]
    assert "media-src data:;" in Page(written(tmp_path)).policy


def test_without_a_film_the_sound_is_played(tmp_path: Path):
    (tmp_path / "reply.wav").write_bytes(b"RIFF")
    (shown,) = played(tmp_path, performed(files=("reply.wav",), face="", carried=(VOICE,), findings=()))["shown"]
    assert (shown["kind"], shown["source"]) == ("sound", "data:audio/wav;base64,UklGRg==")


def test_a_missing_film_is_told_and_the_sound_steps_in(tmp_path: Path):
    (tmp_path / "reply.wav").write_bytes(b"RIFF")
    found = played(tmp_path)
    assert found["remarks"] == ["The film reply.mp4 does not lie beside this page, so it cannot be played here."]
    assert [medium["kind"] for medium in found["shown"]] == ["sound"]


def test_nothing_there_makes_no_broken_player(tmp_path: Path):
    found = played(tmp_path)
    assert found["shown"] == [] and all("does not lie beside this page" in each for each in found["remarks"])
    assert len(found["remarks"]) == 2


def test_what_is_too_large_lies_beside_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    put_film(tmp_path / "reply.mp4")
    (tmp_path / "reply.wav").write_bytes(b"RIFF")
    monkeypatch.setattr(media, "LARGEST", 100)
    film, sound = played(tmp_path)["shown"]
    assert (film["source"], film["link"]) == ("", "./reply.mp4") and film["poster"]["data"]
    assert sound["source"].startswith("data:audio/wav")  # small enough


def test_six_megabytes_are_the_limit(tmp_path: Path):
    for count, embedded in ((media.LARGEST, True), (media.LARGEST + 1, False)):
        (tmp_path / "reply.wav").write_bytes(bytes(count))
        (found,) = media.media_beside(["reply.wav"], tmp_path, seconds=1.0, text="").shown
        assert bool(found.source) is embedded


@pytest.mark.parametrize("name", ["../x.mp4", "/etc/x.wav", "a/b.mp4", "..\\x.wav", "C:x.wav", "..", ".", "", "a\0.wav"])
def test_a_name_that_leads_elsewhere_is_refused(name: str, tmp_path: Path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "x.mp4").write_bytes(b"secret")
    assert not is_plain(name)
    text = written(inner, performed(files=(name,)))
    assert "is not the plain name of a file, so it was not opened." in text
    assert base64.b64encode(b"secret").decode() not in text and Page(text).data["media"]["shown"] == []


@pytest.mark.parametrize("name", ["x" * 4000 + ".mp4", "folder.mp4"])
def test_a_name_that_cannot_be_opened_is_missing(name: str, tmp_path: Path):
    (tmp_path / "folder.mp4").mkdir()
    assert "does not lie beside this page" in written(tmp_path, performed(files=(name,)))


def test_other_files_are_never_put_into_the_page(tmp_path: Path):
    (tmp_path / "keys.txt").write_text("hunter2-hunter2")
    text = written(tmp_path, performed(files=("keys.txt",)))
    assert "hunter2-hunter2" not in text and base64.b64encode(b"hunter2-hunter2").decode() not in text


def test_a_film_that_is_none_has_no_poster(tmp_path: Path):
    (tmp_path / "reply.mp4").write_bytes(b"no film")
    (shown,) = played(tmp_path)["shown"]
    assert shown["source"] and shown["poster"] is None


def test_without_a_folder_there_is_nothing_to_play():
    found = Page(render(performed())).data
    assert found["media"] == {"shown": [], "remarks": []} and found["events"][-1]["kind"] == "performed"


# ── captions ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_film_has_captions_where_the_times_of_its_words_are_known(tmp_path: Path):
    put_film(tmp_path / "reply.mp4")
    put_timeline(tmp_path / "timeline.json")
    (shown,) = played(tmp_path)["shown"]
    told = base64.b64decode(shown["captions"].removeprefix("data:text/vtt;base64,")).decode()
    assert told == f"WEBVTT\n\n00:00:00.000 --> 00:00:03.100\n{REPLY}\n"


@pytest.mark.parametrize("timeline", ["An earlier turn said this.", None])
def test_a_timeline_that_does_not_fit_gives_no_captions(timeline: str | None, tmp_path: Path):
    put_film(tmp_path / "reply.mp4")
    if timeline:
        put_timeline(tmp_path / "timeline.json", timeline)
    else:
        (tmp_path / "timeline.json").write_text("{}")
    assert played(tmp_path)["shown"][0]["captions"] == ""


def test_captions_are_short_and_hold_every_word_in_order():
    text = "I hear you, and I am <so> sorry. " + "word " * 30
    words = [
        ScoreSaid(text=found[0], at=found.start(), start=n, end=n + 0.5)
        for n, found in enumerate(re.finditer(r"[\w<>]+", text))
    ]
    told = vtt(words, text)
    lines = [line for line in told.splitlines()[2:] if line and "-->" not in line]
    assert all(len(line.split()) <= MOST_WORDS for line in lines)
    assert " ".join(lines).replace("&lt;", "<").replace("&gt;", ">") == text.strip()
    assert "<so>" not in told


def test_the_poster_is_taken_with_open_eyes_and_a_closed_mouth():
    blinks = tuple(0.0 if 60 <= at < 80 else 1.0 for at in range(200))
    speaks = tuple(0.0 if at == 70 else 0.5 for at in range(200))
    face = {"eyeBlinkLeft": blinks, "jawOpen": speaks, "browInnerUp": (0.0,)}
    assert Score(words=(), channels=face).quietest(4.0) == 1.4
    assert Score(words=(), channels={"jawOpen": (0.0,)}).quietest(3.0) == NONE.quietest(3.0) == 1.0


# ── the page as a whole ─────────────────────────────────────────────────────────────────────────────────────────────


def hostile(folder: Path) -> Trace:
    name = HOSTILE.replace("/", "").replace(":", "") + ".wav"
    (folder / name).write_bytes(b"RIFF")
    carried = FACE.model_copy(
        update={"intended": HOSTILE, "recognised": HOSTILE, "shares": {HOSTILE: 1.0, "joy": 0.2}, "note": HOSTILE}
    )
    spoken = VOICE.model_copy(update={"intended": HOSTILE, "wanted": {HOSTILE: 1.0}, "measured": {HOSTILE: 1.0}})
    found = Finding(step=HOSTILE, problem=HOSTILE, instruction=HOSTILE)
    changes = {"emotion": HOSTILE, "tone": HOSTILE, "voice": HOSTILE, "face": HOSTILE, "ms": {HOSTILE: 1.0}}
    identity = Identity(name=HOSTILE)
    return performed(**changes, identity=identity, files=(name, HOSTILE), carried=(spoken, carried), findings=(found,))


def test_hostile_names_make_no_tag(tmp_path: Path):
    page = Page(written(tmp_path, hostile(tmp_path)))
    assert page.tags == Page(render(samples.one_pass())).tags
    (shown,) = page.data["media"]["shown"]
    assert shown["link"].startswith("./") and "<" not in shown["link"]


def test_odd_numbers_are_told_as_nothing(tmp_path: Path):
    odd = VOICE.model_copy(update={"wanted": {"pitch": float("inf"), "rate": 2.0}})
    told = Page(render(performed(carried=(odd,)))).data["events"][-1]["performance"]["carried"][0]["wanted"]
    assert told == {"pitch": None, "rate": 2.0}


def test_a_page_without_a_performance_has_nothing_to_play(tmp_path: Path):
    text = written(tmp_path, samples.one_pass())
    assert text == render(samples.one_pass()) and Page(text).data["media"] == {"shown": [], "remarks": []}


def test_a_trace_that_was_read_again_shows_the_same(tmp_path: Path):
    trace = performed()
    file = tmp_path / "trace.jsonl"
    file.write_text("".join(event.model_dump_json() + "\n" for event in trace.events), "utf-8")
    assert Trace.read(file).performance == trace.performance and render(Trace.read(file)) == render(trace)


def test_the_viewer_judges_as_heartfelt_does():
    """What it computes itself, it computes with the same numbers."""
    web = Path(__file__).parents[2] / "web" / "src" / "why"
    channels = (web / "performance" / "channels.ts").read_text("utf-8")
    lanes = (web / "senses" / "lanes.ts").read_text("utf-8")
    assert f"const AUDIBLE = {heard.AUDIBLE};" in channels
    trust = re.search(r"const TRUST: .* = (\{.*\});", lanes)
    assert trust and json.loads(re.sub(r"(\w+):", r'"\1":', trust[1])) == fuse.TRUST
    assert re.findall(r'\[([\d.]+), "(\w+)"\]', lanes) == [(f"{least:g}", word) for least, word in tell._STRENGTHS]
