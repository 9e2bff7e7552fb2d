"""The reply as it was spoken and shown, on the page."""

import base64
import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import av
import numpy as np
import pytest

from heartfelt import Trace
from heartfelt.events import Performed
from heartfelt.expression.proof import heard
from heartfelt.page import channels, media, render, write_page
from heartfelt.page.captions import MOST_WORDS, vtt
from heartfelt.page.channels import channel_of, state_of
from heartfelt.page.media import is_plain
from heartfelt.page.performance import who
from heartfelt.page.render import size
from heartfelt.page.score import NONE, Score, ScoreSaid
from heartfelt.records import Carried, Finding, Identity, Performance

from . import samples
from .test_render import HOSTILE, Page

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


def policy(text: str) -> str:
    return next(meta["content"] or "" for meta in Page(text).named("meta") if "http-equiv" in meta)


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
    text = written(tmp_path)
    (video,) = Page(text).named("video")
    assert video["src"] == "data:video/mp4;base64," + base64.b64encode(film).decode()
    assert {"controls", "playsinline"} <= video.keys() and video["preload"] == "metadata" and "autoplay" not in video
    assert (video["poster"] or "").startswith("data:image/jpeg;base64,") and (video["width"], video["height"]) == ("64", "48")
    assert video["aria-label"] == "Maya says the reply"
    assert "media-src data:;" in policy(text) and "default-src 'none'" in policy(text)
    assert not Page(text).named("audio") and "it holds the whole turn, and it fetches nothing" in text


def test_without_a_film_the_sound_is_played(tmp_path: Path):
    (tmp_path / "reply.wav").write_bytes(b"RIFF")
    text = written(tmp_path, performed(files=("reply.wav",), face="", carried=(VOICE,), findings=()))
    (audio,) = Page(text).named("audio")
    assert audio["src"] == "data:audio/wav;base64,UklGRg==" and "media-src data:;" in policy(text)
    assert "no face was shown" in text and not Page(text).named("video")


def test_a_missing_film_is_told_and_the_sound_steps_in(tmp_path: Path):
    (tmp_path / "reply.wav").write_bytes(b"RIFF")
    text = written(tmp_path)
    assert "The film reply.mp4 does not lie beside this page" in text
    assert len(Page(text).named("audio")) == 1 and not Page(text).named("video")


def test_nothing_there_makes_no_broken_player(tmp_path: Path):
    text = written(tmp_path)
    assert text.count("does not lie beside this page") == 2
    assert not Page(text).named("video") and not Page(text).named("audio") and "media-src" not in policy(text)


def test_what_is_too_large_lies_beside_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    put_film(tmp_path / "reply.mp4")
    (tmp_path / "reply.wav").write_bytes(b"RIFF")
    monkeypatch.setattr(media, "LARGEST", 100)
    text = written(tmp_path)
    page = Page(text)
    assert "The film lies beside this page" in text and "./reply.mp4" in [link.get("href") for link in page.named("a")]
    assert not page.named("video") and len(page.named("audio")) == 1  # the sound is small enough
    assert "but for reply.mp4 beside it, and it fetches nothing" in text
    assert all((image["src"] or "").startswith("data:image/jpeg") for image in page.named("img"))


def test_six_megabytes_are_the_limit(tmp_path: Path):
    for count, embedded in ((media.LARGEST, True), (media.LARGEST + 1, False)):
        (tmp_path / "reply.wav").write_bytes(bytes(count))
        found = media.media_beside(["reply.wav"], tmp_path, seconds=1.0, text="")
        assert found.embedded is embedded


@pytest.mark.parametrize("name", ["../x.mp4", "/etc/x.wav", "a/b.mp4", "..\\x.wav", "C:x.wav", "..", ".", "", "a\0.wav"])
def test_a_name_that_leads_elsewhere_is_refused(name: str, tmp_path: Path):
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "x.mp4").write_bytes(b"secret")
    assert not is_plain(name)
    text = written(inner, performed(files=(name,)))
    assert "is not the plain name of a file, so it was not opened." in text
    assert base64.b64encode(b"secret").decode() not in text and not Page(text).named("video")


@pytest.mark.parametrize("name", ["x" * 4000 + ".mp4", "folder.mp4"])
def test_a_name_that_cannot_be_opened_is_missing(name: str, tmp_path: Path):
    (tmp_path / "folder.mp4").mkdir()
    assert "does not lie beside this page" in written(tmp_path, performed(files=(name,)))


def test_other_files_are_never_put_into_the_page(tmp_path: Path):
    (tmp_path / "keys.txt").write_text("secret")
    text = written(tmp_path, performed(files=("keys.txt",)))
    assert "secret" not in text and base64.b64encode(b"secret").decode() not in text


def test_a_film_that_is_none_has_no_poster(tmp_path: Path):
    (tmp_path / "reply.mp4").write_bytes(b"no film")
    (video,) = Page(written(tmp_path)).named("video")
    assert "poster" not in video


def test_without_a_folder_the_panel_has_nothing_to_play(tmp_path: Path):
    text = render(performed())
    assert "Voice and face</h2>" in text and "beside this page" not in text
    assert not Page(text).named("video") and "media-src" not in policy(text)


# ── captions ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_film_has_captions_where_the_times_of_its_words_are_known(tmp_path: Path):
    put_film(tmp_path / "reply.mp4")
    put_timeline(tmp_path / "timeline.json")
    (track,) = Page(written(tmp_path)).named("track")
    told = base64.b64decode((track["src"] or "").removeprefix("data:text/vtt;base64,")).decode()
    assert told == f"WEBVTT\n\n00:00:00.000 --> 00:00:03.100\n{REPLY}\n"


@pytest.mark.parametrize("timeline", ["An earlier turn said this.", None])
def test_a_timeline_that_does_not_fit_gives_no_captions(timeline: str | None, tmp_path: Path):
    put_film(tmp_path / "reply.mp4")
    if timeline:
        put_timeline(tmp_path / "timeline.json", timeline)
    else:
        (tmp_path / "timeline.json").write_text("{}")
    assert not Page(written(tmp_path)).named("track")


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


# ── what was to be carried, and what arrived ────────────────────────────────────────────────────────────────────────


def test_a_sentence_tells_it_all():
    text = re.sub(r"<[^>]+>", "", render(performed()))
    assert (
        "Maya says it with sad at 62 %, in a gentle tone; the voice changed as intended; "
        "the face is seen as neutral, and sadness was intended." in text
    )


def test_what_was_to_be_carried_stands_there_in_numbers():
    text = render(performed())
    for told in ("young-female-mid", "kokoro-82m", "heartfelt-face", "7.2 s", "62 %", "1.4 s", "8.8 s", "3.1 s"):
        assert told in text
    assert "Time it took, 13.3 s" in text and "Written: " in text


def test_the_intended_class_is_marked_even_where_it_is_far_down():
    channel = channel_of(FACE, "face")
    assert channel.meant == "sadness" and [bar.emotion for bar in channel.bars if bar.intended] == ["sadness"]
    assert len(channel.bars) == channels.TOP + 1 and channel.state == "not-ok"
    text = render(performed())
    assert "the senses call it sadness" in text and text.count('<span class="tag">intended</span>') == 1


def test_what_was_recognised_as_intended_is_marked_too():
    channel = channel_of(SEEN, "face")
    assert (channel.state, channel.meant, channel.verdict) == ("ok", "sadness", "seen as sadness, as intended")


def test_what_could_not_be_judged_is_neither_right_nor_wrong():
    faint = VOICE.model_copy(update={"note": "too faint a change to be measured"})
    unknown = FACE.model_copy(
        update={"intended": "caring", "expected": "", "agrees": True, "note": "the senses have no class for 'caring'"}
    )
    assert state_of(faint) == state_of(unknown) == "open"
    text = render(performed(carried=(faint, unknown), findings=()))
    assert 'class="arrived ok"' not in text and 'class="arrived not-ok"' not in text
    assert "The senses have no class for &#39;caring&#39;." in text and "Too faint a change to be measured." in text


def test_a_face_that_was_not_found_is_told():
    lost = Carried(channel="face", intended="sad", agrees=False, note="no face is found in the film")
    assert "the face is not as intended (no face is found in the film)" in render(performed(carried=(VOICE, lost)))


def test_a_performance_that_nobody_measured_says_so():
    text = render(performed(carried=(), findings=(), ms={}))
    assert "the voice was not measured; the face was not looked at" in text and "Time it took" not in text


def test_each_quality_of_the_voice_is_told_in_words():
    by_name = {quality.name: quality for quality in channel_of(VOICE, "voice").qualities}
    assert list(by_name) == ["pitch", "melody", "pace", "loudness", "brightness"]
    assert by_name["pitch"].told == "asked 1.8 lower, measured 1.2 lower" and by_name["pitch"].verdict == "the right way"
    assert by_name["loudness"].told == "asked 1.1 softer, measured 0.40 louder" and by_name["loudness"].state == "not-ok"
    assert by_name["brightness"].verdict == "hardly asked for"
    assert "3 of 4 changes the right way" in render(performed())


def test_bars_go_from_the_middle_to_their_side_and_never_beyond_the_scale():
    for quality in channel_of(VOICE, "voice").qualities:
        for stretch in (quality.wanted, quality.got):
            assert stretch and stretch.left >= 0 and stretch.left + stretch.width <= 100.01
    loudness = channel_of(VOICE, "voice").qualities[3]
    assert loudness.wanted.left + loudness.wanted.width == 50 and loudness.got and loudness.got.left == 50


def test_odd_numbers_break_nothing():
    odd = Carried(
        channel="voice", intended="sad", wanted={"pitch": float("inf"), "grit": 0.0, "rate": 2.0}, measured={"grit": 0.01}
    )
    qualities = channel_of(odd, "x").qualities
    assert [(q.name, q.told, q.verdict) for q in qualities] == [
        ("pace", "asked 2.0 faster", "not measured"),
        ("grit", "asked no change, measured no change", "hardly asked for"),
    ]


def test_the_page_and_the_proof_hear_alike():
    assert channels.AUDIBLE == heard.AUDIBLE
    judged = {q.name: q.state == "ok" for q in channel_of(VOICE, "voice").judged}
    assert list(judged.values()) == list(heard.directions(VOICE.wanted, VOICE.measured).values())


def test_findings_look_as_those_of_the_audit_and_are_told_once():
    text = render(performed())
    assert text.count(FINDING.problem) == 1 and "found by code" in text and "More of it." in text


@pytest.mark.parametrize(
    ("identity", "told"),
    [
        (Identity(name="maya"), "Maya"),
        (Identity(name="seed:7"), "Somebody from seed 7"),
        (Identity(age="elderly", gender="male"), "An elderly man"),
        (Identity(), "A young woman"),
        (Identity(age="child"), "A child"),
    ],
)
def test_whoever_speaks_has_a_name(identity: Identity, told: str):
    assert who(identity) == told


def test_the_time_is_told_where_time_is_told():
    text = render(performed())
    assert "1.2 s, and 13.3 s to speak and show it" in text
    assert '<span class="time-label">Express</span>' in text and "<td>after</td>" in text
    assert "Most time went into face (63 %)" in text


# ── the page as a whole ─────────────────────────────────────────────────────────────────────────────────────────────


def hostile(folder: Path) -> str:
    name = HOSTILE.replace("/", "").replace(":", "") + ".wav"
    (folder / name).write_bytes(b"RIFF")
    carried = FACE.model_copy(
        update={"intended": HOSTILE, "recognised": HOSTILE, "shares": {HOSTILE: 1.0, "joy": 0.2}, "note": HOSTILE}
    )
    spoken = VOICE.model_copy(update={"intended": HOSTILE, "wanted": {HOSTILE: 1.0}, "measured": {HOSTILE: 1.0}})
    found = Finding(step=HOSTILE, problem=HOSTILE, instruction=HOSTILE)
    changes = {"emotion": HOSTILE, "tone": HOSTILE, "voice": HOSTILE, "face": HOSTILE, "ms": {HOSTILE: 1.0}}
    identity = Identity(name=HOSTILE)
    return written(
        folder, performed(**changes, identity=identity, files=(name, HOSTILE), carried=(spoken, carried), findings=(found,))
    )


def bare(folder: Path) -> str:
    return written(folder, performed(carried=(), findings=(), ms={}, files=(), tone="", emotion="neutral", face=""))


@pytest.mark.parametrize("make", [written, hostile, bare])
def test_every_performance_is_a_whole_page_that_fetches_nothing(make: Callable[[Path], str], tmp_path: Path):
    text = make(tmp_path)
    page = Page(text)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids)) and text.count("<script") == text.count("</script") == 1
    assert not re.search(r"https?://|@import|url\(", text)
    for _, attributes in page.tags:
        assert "onerror" not in attributes and (attributes.get("src") or "data:").startswith("data:")
        assert {*(attributes.get("aria-labelledby") or "").split()} <= {*ids}


def test_a_page_without_a_performance_knows_nothing_of_it(tmp_path: Path):
    text = written(tmp_path, samples.one_pass())
    assert text == render(samples.one_pass())
    for trace in ("performed", ".players", "media-src", "Express", "to speak and show"):
        assert trace not in text


def test_a_trace_that_was_read_again_shows_the_same(tmp_path: Path):
    trace = performed()
    lines = [trace.start, Performed(performance=PERFORMANCE)]
    file = tmp_path / "trace.jsonl"
    file.write_text("".join(event.model_dump_json() + "\n" for event in lines), "utf-8")
    assert Trace.read(file).performance == trace.performance and "Voice and face</h2>" in render(Trace.read(file))


def test_the_panel_has_no_colour_of_its_own():
    """Whatever it is drawn with changes with the theme, and both themes have it."""
    templates = files("heartfelt.page") / "templates"
    sheet = (templates / "performance.css").read_text("utf-8")
    assert not re.search(r"#[0-9a-f]{3,8}\b|rgb|hsl", sheet)
    used = {*re.findall(r"var\(--([a-z0-9-]+)\)", sheet)} - {"serif", "sans", "mono"}
    for theme in ("light", "dark"):
        assert used <= {*re.findall(r"--([a-z0-9-]+):", (templates / f"{theme}.css").read_text("utf-8"))}


def test_sizes_are_written_for_people():
    assert [size(count) for count in (12, 409_060, 7_409_060)] == ["1 kB", "409 kB", "7.4 MB"]
