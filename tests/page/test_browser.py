"""The written page in a real browser, opened from the disk as a person opens it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from heartfelt import Dialogue, Trace, Turn
from heartfelt.events import Guarded, Screened
from heartfelt.page import write_page
from heartfelt.records import Alert, Evidence, Sign
from server.web.browser import AXE, chromium

from . import samples, sensed, test_performance, test_render, test_senses
from .reading import HOSTILE

pytestmark = pytest.mark.xdist_group("browser")
_SERIOUS = ("serious", "critical")
Open: TypeAlias = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def look(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Write the page of a trace and open it. It asks for nothing but itself, and nothing complains."""
    complaints: list[str] = []
    context = None

    def opened(trace: Trace, *, width: int = 1280, scripts: bool = True, theme: str = "light") -> Page:
        nonlocal context
        write_page(trace, tmp_path / "trace.html")
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            java_script_enabled=scripts,
            color_scheme=theme,  # type: ignore[arg-type]
        )
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request", lambda request: complaints.append(request.url) if request.url[:5] not in ("file:", "data:") else None
        )
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto((tmp_path / "trace.html").as_uri())
        return page

    yield opened
    assert complaints == []
    if context:
        context.close()


def test_reply_steps_and_passes_are_seen(look: Open):
    page = look(samples.mended())
    expect(page.get_by_role("heading", level=1)).to_have_text("Words of the attempt 1, and more.")
    steps = page.get_by_role("region", name="How it came to these words")
    for title in ("What stood out", "The feeling", "What set it off", "How to answer", "The words", "Looked over"):
        expect(steps.get_by_role("heading", name=title)).to_have_count(1)
    tries = page.get_by_role("group", name="The tries beside each other")
    expect(tries).to_contain_text("First try")
    expect(tries.locator(".crowned")).to_contain_text("Second try")
    expect(tries.locator("del").first).to_have_text("celebrate")
    expect(tries.locator("ins").first).to_have_text("comfort")
    expect(page.get_by_text("found on looking it over")).to_have_count(1)
    expect(page.get_by_label("What was said").locator("mark.cue").first).to_contain_text("my parents are furious")
    expect(page.get_by_text("Most time went into how to answer")).to_be_visible()


def test_prompts_and_answers_are_folded_away_and_reached_by_key(look: Open):
    page = look(samples.one_pass())
    sent = page.get_by_text("What now?").first
    expect(sent).to_be_hidden()
    page.locator(".behind summary").first.focus()
    page.keyboard.press("Enter")
    expect(sent).to_be_visible()


def test_hostile_text_is_shown_as_text(look: Open):
    page = look(test_render.hostile())
    expect(page.locator("h1")).to_have_text(HOSTILE * 2)
    expect(page.locator(".bubble .said").first).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.evaluate("document.querySelectorAll('script').length") == 2
    assert page.evaluate("document.querySelectorAll('[onerror]').length") == 0


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make, id=name, marks=[] if name in ("two passes", "failed", "hostile") else pytest.mark.slow)
        for name, make in test_render.TRACES.items()
    ],
)
def test_every_trace_is_shown_and_nobody_is_left_out(look: Open, make: Callable[[], Trace]):
    page = look(make(), theme="dark")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run()")["violations"]
    assert [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found if each["impact"] in _SERIOUS] == []


@pytest.mark.parametrize("make", [samples.mended, sensed.trace, test_performance.performed, test_render.hostile])
def test_a_phone_has_room_for_it(look: Open, make: Callable[[], Trace]):
    page = look(make(), width=360)
    expect(page.locator("h1")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("make", test_senses.TRACES.values(), ids=test_senses.TRACES)
def test_what_was_seen_and_heard_is_drawn(look: Open, make: Callable[[], Trace]):
    page = look(make())
    expect(page.get_by_role("region", name="What was seen and heard")).to_be_visible()
    assert page.locator("rect").count() < 1500


def test_a_cited_cue_leads_to_its_time(look: Open):
    page = look(sensed.trace())
    links = page.get_by_role("link", name="smiles with the mouth only")
    expect(links).to_have_count(2)  # beside the dialogue, and in the step
    links.last.click()
    expect(page.locator("#turn-0-face-0")).to_be_focused()
    expect(page.locator("#turn-0-face-0")).to_be_in_viewport()
    expect(page.get_by_text("neutral 74 % at 0.4–2.1 s, then sadness 83 % at 2.1–4.0 s")).to_have_count(1)


def test_a_turn_that_was_not_sensed_has_no_such_part(look: Open):
    page = look(samples.one_pass())
    expect(page.get_by_role("heading", name="What was seen and heard")).to_have_count(0)
    expect(page.get_by_role("heading", name="Voice and face", level=3)).to_have_count(0)


def test_an_earlier_turn_that_was_sensed_is_there_to_be_opened(look: Open):
    first = Turn(speaker="Ana", text="Hm.", readings=sensed.picture(), keyframes=(sensed.keyframe(0, 8),))
    turns = (first, Turn(speaker="Ana", text=samples.SAID))
    page = look(samples.one_pass(dialogue=Dialogue(turns=turns)))
    page.get_by_text("Earlier, as Ana said turn 1").click()
    expect(page.locator("img")).to_be_visible()


def test_the_film_is_played_where_it_lies_beside_the_page(look: Open, tmp_path: Path):
    test_performance.put_film(tmp_path / "reply.mp4")
    test_performance.put_timeline(tmp_path / "timeline.json")
    page = look(test_performance.performed())
    film = page.get_by_label("Maya says the reply")
    expect(film).to_be_visible()
    assert film.evaluate("(each) => each.querySelectorAll('track').length") == 1
    expect(page.get_by_role("region", name="Voice and face")).to_contain_text("3 of 4 changes the right way")


def test_danger_and_what_was_kept_back_are_told(look: Open):
    trace = samples.begun()
    sign = Sign(by="rules", tier="active", danger="suicide", quote="I failed my exam", why="a rule")
    trace(
        Screened(
            alert=Alert(tier="active", danger="suicide", who="self", state="opened", signs=(sign,), failed=("guard: away",))
        )
    )
    samples.walk(trace, samples.outputs())
    trace(Guarded(number=0, why="It claims to be a doctor.", kept_back="I am a doctor.", reply="I am here."))
    page = look(samples.finish(trace))
    danger = page.get_by_role("article", name="Looked for danger")
    expect(danger).to_contain_text("It is thought to be about Ana.")
    expect(danger).to_contain_text("A rule about words: thoughts of suicide, active (a rule)")
    expect(danger).to_contain_text("Could not look: the guard model, away.")
    expect(page.get_by_text("I am a doctor.", exact=True)).to_be_hidden()
    page.get_by_text("Show the words that were not said").click()
    expect(page.get_by_text("I am a doctor.", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (samples.failed, ("It failed at “what set it off”.", "The model gave no usable answer.", "It failed here.", "<oops>")),
        (samples.unfinished, ("This turn is unfinished.", "The first 3 turns are left out.", "Left out: the budget is spent.")),
        (lambda: samples.one_pass(samples.outputs() | {"perceive": Evidence(cues=())}), ("Nothing stood out.", "First try")),
        (samples.begun, ("No step was begun.", "No reply was written.")),
    ],
)
def test_what_happened_is_told(look: Open, make: Callable[[], Trace], told: tuple[str, ...]):
    page = look(make())
    for text in told:
        expect(page.locator("body")).to_contain_text(text)


def test_the_theme_is_that_of_the_system_until_somebody_chooses(look: Open):
    page = look(samples.one_pass(), theme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name="Use the light theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_paper_is_white(look: Open, tmp_path: Path):
    page = look(samples.mended(), theme="dark")
    page.evaluate("addEventListener('beforeprint', () => { window.worn = document.documentElement.dataset.theme })")
    page.pdf(path=str(tmp_path / "page.pdf"))
    assert page.evaluate("window.worn") == "light"
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_mark_tells_what_it_means_to_whoever_points_at_it_or_tabs_to_it(look: Open):
    page = look(samples.one_pass())
    page.locator("mark.cue").first.focus()
    expect(page.locator(".tip")).to_have_text("dread")
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_have_count(0)


def test_text_of_any_direction_keeps_to_itself(look: Open):
    page = look(samples.one_pass(samples.outputs(text="אני מצטער"), Dialogue(turns=(Turn(speaker="דנה", text="נכשלתי"),))))
    for element in (page.locator("h1"), page.locator(".bubble .said")):
        assert element.evaluate("(each) => getComputedStyle(each).direction") == "rtl"


def test_without_scripts_the_reply_is_shown_and_the_way_to_the_rest(look: Open):
    page = look(samples.one_pass(), scripts=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("That is a hard evening to walk into.")
    expect(page.locator("noscript code")).to_have_text("heartfelt show trace.jsonl")
