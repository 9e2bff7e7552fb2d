"""The page as a file: whole, of its own, and holding the turn as data that nothing in it can break out of."""

import base64
import json
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from heartfelt import Dialogue, Trace, Turn
from heartfelt.cli.respond import _write
from heartfelt.errors import MissingBuild
from heartfelt.events import PassStarted, StepFinished
from heartfelt.page import policy, render, write_page
from heartfelt.records import Cause, Cue, Evidence, Finding, Forecast, Keyframe, Reply

from . import samples
from .reading import HOSTILE, Page, data

ROOT = Path(__file__).parents[2]
VIEWER = ROOT / "src" / "heartfelt" / "page" / "viewer.html"
TEMPLATES = ROOT / "src" / "heartfelt" / "page" / "templates"
WEB = ROOT / "web"


def hostile() -> Trace:
    made = samples.outputs(text=HOSTILE, goal=HOSTILE) | {
        "perceive": Evidence(cues=(Cue(quote=HOSTILE, meaning=HOSTILE), Cue(source="face", quote=HOSTILE, meaning=HOSTILE))),
        "forecast": Forecast(emotion=HOSTILE, labels="ed32", distribution={HOSTILE: 1.0}, why=HOSTILE, conflict=HOSTILE),
        "cause": Cause(spans=(HOSTILE,), category=HOSTILE, summary=HOSTILE),
    }
    frame = Keyframe(mime='image/png" onerror="alert(1)', data="AAAA")
    turns = (Turn(speaker=HOSTILE, text=HOSTILE, keyframes=(frame,)),)
    trace = samples.begun(Dialogue(turns=turns, listener=HOSTILE, id=HOSTILE), recipe=HOSTILE)
    samples.walk(trace, made)
    found = Finding(step="plan", problem=HOSTILE, instruction=HOSTILE)
    call = samples.call(sent=HOSTILE, raw=HOSTILE, error=HOSTILE, model=HOSTILE)
    trace(PassStarted(number=1, started_from="respond", kept=samples.STEPS[:5], instruction=HOSTILE))
    reply = samples.record("respond", Reply(text=HOSTILE * 2), 1, findings=(found,), calls=(call,))
    trace(StepFinished(number=1, record=reply))
    return samples.finish(trace, chosen=1)


TRACES = {
    "one pass": samples.one_pass,
    "two passes": samples.mended,
    "six passes": lambda: samples.mended(6),
    "unfinished": samples.unfinished,
    "failed": samples.failed,
    "nothing but a start": samples.begun,
    "no evidence": lambda: samples.one_pass(samples.outputs() | {"perceive": Evidence(cues=())}),
    "very long": lambda: samples.one_pass(samples.outputs(text="word " * 4000)),
    "hostile": hostile,
}


@pytest.mark.parametrize("make", TRACES.values(), ids=TRACES)
def test_every_trace_is_a_whole_page_of_its_own_that_fetches_nothing(make):
    text = render(make())
    page = Page(text)
    assert [attributes.get("type") for attributes in page.named("script")] == ["application/json", None]
    assert not page.named("link") and not page.named("iframe")
    assert all("src" not in attributes and "href" not in attributes for _, attributes in page.tags)
    assert not re.search(r"@import|url\((?!data:)", "".join(page.text("style")))
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("make", TRACES.values(), ids=TRACES)
def test_the_page_holds_every_event(make):
    trace = make()
    told = Page(render(trace)).data["events"]
    assert [event["kind"] for event in told] == [event.kind for event in trace.events]
    lines = "".join(json.dumps(event) + "\n" for event in told).encode()
    again = Trace.parse(lines, "the page")
    assert (again.passes, again.finished, again.failed, again.notices) == (
        trace.passes,
        trace.finished,
        trace.failed,
        trace.notices,
    )


def test_what_people_typed_stays_text():
    text, plain = render(hostile()), render(samples.mended())
    page = Page(text)
    assert page.tags == Page(plain).tags  # it makes no tag and no attribute
    assert page.data["events"][0]["dialogue"]["turns"][0]["text"] == HOSTILE
    assert page.text("h1") == [HOSTILE * 2]
    assert text.count("{{ 7 * 7 }}") == text.count("%TRACE%") > 0  # no mark is filled in twice


def test_only_the_pages_own_script_may_run():
    page = Page(render(samples.one_pass()))
    fingerprint = base64.b64encode(sha256(page.text("script")[-1].encode()).digest()).decode()
    assert f"script-src 'sha256-{fingerprint}'" in page.policy and "default-src 'none'" in page.policy
    assert "script-src 'unsafe" not in page.policy and page.policy == policy()


def test_without_scripts_the_reply_is_there_and_the_way_to_the_rest():
    page = Page(render(samples.one_pass()))
    assert len(page.named("noscript")) == 1 and page.text("h1") == [samples.outputs()["respond"].text]  # type: ignore[union-attr]
    assert page.text("code") == ["heartfelt show trace.jsonl"]
    assert Page(render(samples.begun())).text("h1") == ["No reply was written."]


def test_a_page_is_named_after_its_reply():
    assert Page(render(samples.mended())).text("title") == ["Words of the attempt 1, and more. · Heartfelt"]
    assert len(Page(render(samples.one_pass(samples.outputs(text="word " * 99)))).text("title")[0]) < 80
    assert Page(render(samples.begun())).text("title") == ["A turn without a reply · Heartfelt"]


def test_the_file_is_written_with_its_folder(tmp_path: Path):
    write_page(samples.one_pass(), tmp_path / "new" / "trace.html")
    assert (tmp_path / "new" / "trace.html").read_text("utf-8") == render(samples.one_pass())


def test_an_older_trace_is_shown_with_what_it_lacks_filled_in(tmp_path: Path):
    """A record of an earlier release has fewer fields; the viewer reads those of this one."""
    lines = [json.loads(event.model_dump_json()) for event in samples.mended().events]
    for line in lines:
        for field in ("given", "guarded", "instruction"):
            line.pop(field, None)
        for record in [line["record"]] if "record" in line else []:
            record.pop("planted"), record.pop("edited"), [call.pop("drafts") for call in record["calls"]]
    file = tmp_path / "trace.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    events = data(Trace.read(file))["events"]
    assert events[1]["given"] == [] and events[2]["record"]["calls"][0]["drafts"] == [] and not events[2]["record"]["planted"]


# ── the built viewer ────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_built_viewer_is_that_of_these_sources():
    """It is in the repository, so that a page can be written without Node; whoever changes its sources builds it again."""
    told = json.loads(VIEWER.read_text("utf-8").partition("<!--sources ")[2].partition("-->")[0])
    lines = [f"{name}\n{sha256((WEB / name).read_bytes()).hexdigest()}\n" for name in told["files"]]
    assert sha256("".join(lines).encode()).hexdigest() == told["hash"], "The viewer is out of date. Build it again: make web"
    assert "src/viewer/main.tsx" in told["files"] and "src/trace/story.ts" in told["files"]


def test_the_built_viewer_is_small_and_what_it_tells_of_its_sources_stays_out_of_pages():
    assert VIEWER.stat().st_size < 400_000
    assert "<!--sources" not in render(samples.one_pass())


@pytest.fixture
def unbuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in a checkout without the viewer."""
    module = sys.modules["heartfelt.page.render"]  # the package has a function of this name
    monkeypatch.setattr(module, "_VIEWER", tmp_path / "none.html")
    module._viewer.cache_clear()
    yield
    monkeypatch.undo()
    module._viewer.cache_clear()


@pytest.mark.usefixtures("unbuilt")
def test_a_viewer_that_is_not_built_is_told_with_the_way_to_build_it(tmp_path: Path):
    with pytest.raises(MissingBuild, match="run: make web"):
        write_page(samples.one_pass(), tmp_path / "deep" / "trace.html")
    assert not (tmp_path / "deep").exists() and MissingBuild.exit_code == 4


@pytest.mark.usefixtures("unbuilt")
def test_without_the_viewer_a_turn_is_written_down_nevertheless(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "trace.html").write_text("of an earlier turn")
    _write(tmp_path, samples.one_pass())
    assert (tmp_path / "reply.txt").read_text("utf-8").strip() == samples.one_pass().best.reply
    assert not (tmp_path / "trace.html").exists()
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "make web" in told and "trace.jsonl" in told


# ── what can be read by everyone ────────────────────────────────────────────────────────────────────────────────────

ON_TEXT = ("ink", "soft", "accent", "good", "bad", "hand", "gone")
PAIRS = [("ink", "cue"), ("new-ink", "new"), ("paper", "ink"), *(("ink", f"hue-{hue}") for hue in range(8))]
TOKENS = (WEB / "src" / "style" / "tokens.css").read_text("utf-8")
SHEETS = {
    "light": (TOKENS.partition(':root[data-theme="dark"]')[0], "raised"),
    "dark": (TOKENS.partition(':root[data-theme="dark"]')[2].partition("@media")[0], "raised"),
    "light report": ((TEMPLATES / "light.css").read_text("utf-8"), "card"),
    "dark report": ((TEMPLATES / "dark.css").read_text("utf-8"), "card"),
}


@pytest.mark.parametrize("theme", SHEETS)
def test_contrast_is_at_least_four_and_a_half(theme: str):
    sheet, card = SHEETS[theme]
    colours = dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", sheet))
    pairs = [(ink, ground) for ink in ON_TEXT for ground in ("paper", card, "sunk", "blame", "clear")] + PAIRS
    low = {pair: round(contrast(*(colours[name] for name in pair)), 2) for pair in pairs}
    assert {pair: value for pair, value in low.items() if value < 4.5} == {}


@pytest.mark.parametrize(
    "sheet", ["style/marks", "style/reasons", "style/steps", "style/senses", "style/performed", "viewer/viewer"]
)
def test_no_sheet_has_a_colour_of_its_own(sheet: str):
    """Whatever is drawn changes with the theme, and both themes have it."""
    text = (WEB / "src" / f"{sheet}.css").read_text("utf-8")
    assert not re.search(r"#[0-9a-f]{3,8}\b|\brgb|\bhsl", text)
    used = {*re.findall(r"var\(--([a-z0-9-]+)[,)]", text)} - {"serif", "sans", "slow", "share", "columns", "width", "gap"}
    for theme in ("light", "dark"):
        assert used <= {*re.findall(r"--([a-z0-9-]+):", SHEETS[theme][0])}


def contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * channel for weight, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
