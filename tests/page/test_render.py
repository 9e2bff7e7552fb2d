import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest

from heartfelt import Dialogue, Trace, Turn
from heartfelt.events import PassStarted, StepFinished
from heartfelt.page import render, write_page
from heartfelt.page.passes import TITLES
from heartfelt.page.render import duration, percent
from heartfelt.records import Cause, Cue, Evidence, Finding, Forecast, Keyframe, Output, Reply

from . import samples

HOSTILE = "</script><script>alert(1)</script> \" ' & <img src=x onerror=alert(1)> </style> {{ 7 * 7 }} ‮שלום"
VOID = {"meta", "img", "br", "path", "circle", "link", "input", "hr", "track"}


class Page(HTMLParser):
    """Checks that tags are balanced, and gathers what tests ask for."""

    def __init__(self, page: str):
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


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
def test_every_trace_is_a_whole_page_of_its_own(make):
    page = Page(render(make()))
    assert len(page.named("main")) == len(page.named("h1")) == 1
    assert len(page.named("script")) == 1
    assert not page.named("link")
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("make", TRACES.values(), ids=TRACES)
def test_nothing_is_fetched(make):
    text = render(make())
    assert not re.search(r"https?://|@import|url\(", text)
    for _, attributes in Page(text).tags:
        assert (attributes.get("href") or "#").startswith("#")
        assert (attributes.get("src") or "data:").startswith("data:")


def test_what_people_typed_stays_text():
    text = render(hostile())
    assert text.count("<script") == text.count("</script") == text.count("</style") == 1
    assert "{{ 7 * 7 }}" in text
    page = Page(text)
    assert all("onerror" not in attributes for _, attributes in page.tags)
    assert page.named("img")[0]["src"] == 'data:image/png" onerror="alert(1);base64,AAAA'


def test_only_the_pages_own_script_may_run():
    policy = next(meta["content"] for meta in Page(render(samples.one_pass())).named("meta") if "http-equiv" in meta)
    assert policy and "default-src 'none'" in policy and "script-src 'sha256-" in policy
    assert "script-src 'unsafe" not in policy


def test_text_of_any_direction_keeps_to_itself():
    page = render(samples.one_pass(samples.outputs(text="אני מצטער"), Dialogue(turns=(Turn(speaker="דנה", text="נכשלתי"),))))
    assert '<h1 class="reply" dir="auto">אני מצטער</h1>' in page
    assert '<p class="words" dir="auto">נכשלתי</p>' in page


def test_the_changes_of_a_mended_step_are_marked():
    page = render(samples.mended())
    assert '<del class="was"><span class="hidden">was </span>celebrate</del> <ins>comfort</ins>' in page
    assert "Words of the attempt<del> 0</del><ins> 1</ins>, and more." in page
    assert page.count("kept from pass 0") == 3
    assert page.count('<span class="tag crowned">chosen</span>') == 1
    assert "Blamed: <b>plan</b>" in page
    assert "found by the audit" in page


def test_who_found_a_fault_and_what_was_set_by_hand_is_told():
    trace = samples.begun()
    trace(PassStarted(number=0, started_from="perceive"))
    found = tuple(Finding(step="perceive", problem=by, instruction="x", by=by) for by in ("code", "model"))
    invented = Evidence(cues=(Cue(quote="my dog ran away", meaning="x"),))
    trace(StepFinished(number=0, record=samples.record("perceive", invented, findings=found, planted=True)))
    page = render(trace)
    for told in ("found by code", "found by the audit", "planted fault", "never said"):
        assert told in page


def test_a_failed_turn_says_what_failed_and_where():
    page = render(samples.failed())
    assert "This turn failed" in page and "The model gave no usable answer." in page and "&lt;oops&gt;" in page
    assert "It failed here." in page


def test_an_unfinished_turn_says_so():
    page = render(samples.unfinished())
    assert "This turn is unfinished." in page and "The first 3 turns are left out." in page
    assert 'class="tag crowned"' not in page


def test_every_kind_of_record_has_a_title_and_a_template():
    kinds = {get_args(kind.model_fields["kind"].annotation)[0] for kind in get_args(get_args(Output)[0])}
    templates = files("heartfelt.page") / "templates" / "records"
    assert set(TITLES) == kinds == {Path(file.name).stem for file in templates.iterdir()}


@pytest.mark.parametrize("output", samples.other_outputs(), ids=lambda output: output.kind)
def test_the_records_of_other_recipes_are_shown(output):
    trace = samples.begun()
    trace.started = trace.start.model_copy(update={"steps": (output.kind, "respond")})
    for number in (0, 1):
        trace(PassStarted(number=number, started_from="respond" if number else output.kind, kept=(output.kind,) * number))
        if number == 0:
            trace(StepFinished(number=0, record=samples.record(output.kind, output)))
    assert TITLES[output.kind] in render(trace)


def test_the_file_is_written_with_its_folder(tmp_path: Path):
    write_page(samples.one_pass(), tmp_path / "new" / "trace.html")
    assert (tmp_path / "new" / "trace.html").read_text("utf-8") == render(samples.one_pass())


def test_numbers_are_written_for_people():
    assert [duration(ms) for ms in (3.2, 1500, 61_000)] == ["3 ms", "1.5 s", "1 min 1 s"]
    assert [percent(share) for share in (0, 0.001, 0.5)] == ["0 %", "< 1 %", "50 %"]


# ── what can be read by everyone ────────────────────────────────────────────────────────────────────────────────────

ON_TEXT = ("ink", "soft", "accent", "good", "bad", "hand", "gone")
GROUNDS = ("paper", "card", "sunk", "blame", "clear")
PAIRS = [(ink, ground) for ink in ON_TEXT for ground in GROUNDS]
PAIRS += [("ink", "cue"), ("new-ink", "new"), ("paper", "ink"), *(("ink", f"hue-{hue}") for hue in range(8))]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast_is_at_least_four_and_a_half(theme: str):
    sheet = (files("heartfelt.page") / "templates" / f"{theme}.css").read_text("utf-8")
    colours = dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6})", sheet))
    low = {pair: round(contrast(*(colours[name] for name in pair)), 2) for pair in PAIRS}
    assert {pair: value for pair, value in low.items() if value < 4.5} == {}


def contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * channel for weight, channel in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
