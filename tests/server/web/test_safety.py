"""Safety as a person meets it in the app: help by people, what this is, what may be taken of them, what leaves the page."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.safety.honesty import BREAK, DISCLOSURE
from heartfelt.safety.respond import services
from heartfelt.server.breaks import UNCHECKED
from scripts import REPLY, good

from ..serving import Served, serving
from .browser import ON_A_PHONE, Visitor, visiting

DARK = "I want to kill myself tonight"
QUIETLY_DARK = "I have it all laid out on the table before me."
SAID = "I failed my driving test today, and my father laughed at me."
MARIA = "My sister Maria Keller lives at 12 Garden Street and her number is 030 901820."
PATIENT = 30_000
SIZES = [(1280, 800), (390, 844), (844, 390)]

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    reader = ScriptedReader(finds={QUIETLY_DARK: ("active", "suicide")})
    with serving(tmp_path_factory.mktemp("safety"), reader=reader) as running:
        yield running


@pytest.fixture
def visitor(app: Served) -> Iterator[Visitor]:
    with visiting(app) as someone:
        yield someone
        assert someone.complaints == []


def _card(page: Page) -> Locator:
    return page.get_by_role("region", name="Help by people")


def _asks(page: Page, path: str) -> str:
    return page.evaluate(f"fetch('{path}').then((answer) => answer.text())")


def _session(page: Page) -> str:
    return page.evaluate("location.hash").split("/")[2]


# ── help by people ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_somebody_in_danger_sees_whom_to_call_and_talks_on(visitor: Visitor):
    page = visitor.page
    page.get_by_label("Where are you?").select_option("US")
    visitor.come_in()
    expect(_card(page)).to_have_count(0)
    visitor.say(DARK)
    card = _card(page)
    expect(card.get_by_role("link", name="Call 911")).to_have_attribute("href", "tel:911")
    expect(card.get_by_role("link", name="Call 988, ")).to_have_attribute("href", "tel:988")
    expect(card.get_by_role("link", name="Text 988, ")).to_have_attribute("href", "sms:988")
    checked = services.checked()
    expect(card).to_contain_text(f"For the United States, as of {checked.day} {checked:%B %Y}.")
    expect(page.get_by_label("Your words")).to_be_focused()
    assert visitor.serious() == []
    visitor.say("I do not know whom to talk to.")
    expect(page.get_by_label("What was said")).to_contain_text("I do not know whom to talk to.")
    expect(page.get_by_label("What was said").locator(".from-them")).to_have_count(2)
    expect(card).to_be_visible()


def test_the_card_is_folded_but_never_lost(visitor: Visitor):
    page = visitor.page
    page.get_by_label("Where are you?").select_option("DE")
    visitor.come_in()
    visitor.say(QUIETLY_DARK)
    card = _card(page)
    card.get_by_role("button", name="Fold the help away").press("Enter", timeout=PATIENT)
    expect(card.get_by_role("link", name="TelefonSeelsorge")).to_have_count(0)
    expect(card.get_by_role("link", name="Call 112")).to_be_visible()
    assert visitor.serious() == []
    page.reload()
    expect(card.get_by_role("link", name="TelefonSeelsorge").first).to_be_visible()
    card.get_by_role("button", name="Fold the help away").click()
    visitor.say(DARK)
    expect(card.get_by_role("button", name="Fold the help away")).to_be_visible()


def _stored_country(page: Page, country: str) -> bool:
    """Whether the server keeps it within some seconds: the card shows the lines at once."""
    for _ in range(50):
        if json.loads(_asks(page, f"/api/sessions/{_session(page)}"))["country"] == country:
            return True
        page.wait_for_timeout(100)
    return False


def test_where_the_country_is_not_known_it_is_asked_for_and_changes_the_lines(visitor: Visitor):
    page = visitor.page
    visitor.come_in()
    visitor.say(DARK)
    card = _card(page)
    expect(card).to_contain_text("Call your local emergency number")
    expect(card.locator("a[href^='tel:']")).to_have_count(0)
    card.get_by_label("Where are you?").select_option("GB")
    expect(card.get_by_role("link", name="Samaritans")).to_have_attribute("href", "tel:116123")
    assert _stored_country(page, "GB")
    card.get_by_role("button", name="Somewhere else?").click()
    card.get_by_label("Where are you?").select_option("JP")
    expect(card.get_by_role("list", name="Emergency services").get_by_role("link")).to_have_count(2)
    expect(card).to_contain_text("For Japan")
    expect(card.get_by_role("link", name="Samaritans")).to_have_count(0)
    assert visitor.serious() == []


@pytest.mark.parametrize("size", SIZES)
def test_the_card_moves_nothing_and_leaves_the_words_in_sight(app: Served, size: tuple[int, int]):
    with visiting(app, size=size) as someone:
        page = someone.page
        page.get_by_label("Where are you?").select_option("US")
        someone.come_in()
        field = page.get_by_label("Your words").bounding_box()
        someone.say(DARK)
        expect(_card(page).get_by_role("link", name="Call 911")).to_be_visible()
        expect(page.get_by_label("What was said").locator(".from-them")).to_be_visible()
        assert page.get_by_label("Your words").bounding_box() == field
        said = page.get_by_label("What was said").bounding_box()
        assert said is not None and said["height"] > 60
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth + 1"), "the page scrolls sideways"
        assert someone.serious() == []
        assert someone.complaints == []


def test_the_reasons_begin_with_what_was_looked_for(visitor: Visitor):
    page = visitor.page
    visitor.come_in()
    visitor.say(DARK)
    page.get_by_role("link", name="Why this answer").click(timeout=PATIENT)
    reasons = page.get_by_role("complementary", name="Why this answer")
    expect(reasons.get_by_role("heading", level=4).first).to_have_text("Looked for danger")
    expect(reasons).to_contain_text("Somebody may be in danger right now")
    expect(reasons).to_contain_text("A rule about words: thoughts of suicide")
    expect(reasons).not_to_contain_text("Still to come")
    assert visitor.serious() == []


def test_a_detector_that_failed_and_words_that_were_kept_back_are_told(tmp_path: Path):
    reader = ScriptedReader(fails=RuntimeError("gone"))
    claims = "That must hurt so very much. As your licensed therapist, I diagnose you with depression."
    with serving(tmp_path, reader=reader, model=good(respond=claims)) as served, visiting(served) as someone:
        someone.come_in()
        someone.say(SAID)
        expect(someone.page.get_by_label("What was said")).to_contain_text("That must hurt so very much.")
        expect(someone.page.get_by_label("What was said")).not_to_contain_text("diagnose")
        expect(someone.page.get_by_role("note", name="A note")).to_have_text(UNCHECKED)
        someone.page.get_by_role("link", name="Why this answer").click(timeout=PATIENT)
        reasons = someone.page.get_by_role("complementary", name="Why this answer")
        expect(reasons).to_contain_text("Could not look: the reader of danger")
        expect(reasons.get_by_role("heading", name="Kept back")).to_be_visible()
        assert someone.serious() == []


@ON_A_PHONE
def test_that_danger_could_not_be_looked_for_stands_beside_that_reply_and_goes_along_with_it(
    tmp_path: Path, size: tuple[int, int]
):
    reader = ScriptedReader(fails=RuntimeError("gone"))
    with serving(tmp_path, reader=reader, country="GB") as served, visiting(served, size=size) as someone:
        page = someone.page
        someone.come_in()
        turns, note = page.get_by_label("What was said").locator(".turn"), page.get_by_role("note", name="A note")
        someone.say(SAID)
        expect(turns.nth(0).get_by_role("note")).to_have_text(UNCHECKED)
        expect(turns.nth(0).get_by_role("note")).to_be_in_viewport()
        someone.say(DARK)
        expect(_card(page)).to_be_visible()
        expect(turns.nth(1).get_by_role("note")).to_have_text(UNCHECKED)
        reader.fails = None
        someone.say(SAID)
        expect(turns.nth(2).locator(".from-them")).to_be_visible()
        expect(turns.nth(2).get_by_role("link", name="Why this answer")).to_be_visible()
        expect(note).to_have_count(2)
        page.reload()
        expect(note).to_have_count(2)
        assert someone.serious() == [] and not someone.wide()
        page.get_by_role("link", name="Conversations").click()
        dialog = page.get_by_role("dialog", name="Conversations")
        told = json.loads(_exported(page, dialog))["conversation"]
        assert [turn["reminder"] for turn in told] == [UNCHECKED, UNCHECKED, ""]
        exchanges = _exported(page, dialog, link="Download to read").split("</li>")
        assert [UNCHECKED in exchange for exchange in exchanges] == [True, True, False, False]


# ── what this is ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_that_it_is_an_ai_is_said_first_and_always_in_sight(visitor: Visitor):
    page = visitor.page
    expect(page.get_by_role("main")).to_contain_text(DISCLOSURE)
    visitor.come_in()
    badge = page.get_by_role("button", name="AI", exact=True)
    expect(badge).to_be_visible()
    expect(badge).to_have_accessible_description(DISCLOSURE)
    badge.press("Enter")
    expect(page.get_by_text(DISCLOSURE)).to_be_visible()
    assert visitor.serious() == []
    page.keyboard.press("Escape")
    expect(page.get_by_text(DISCLOSURE)).to_be_hidden()


def test_a_break_is_suggested_quietly(visitor: Visitor, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("heartfelt.server.breaks.MANY", 1)
    visitor.come_in()
    visitor.say(SAID)
    expect(visitor.page.get_by_role("note", name="A note")).to_have_text(BREAK)
    expect(_card(visitor.page)).to_have_count(0)
    assert visitor.serious() == []


# ── what may be taken ───────────────────────────────────────────────────────────────────────────────────────────────


def test_nothing_is_taken_until_it_is_given(visitor: Visitor):
    page = visitor.page
    expect(page.get_by_role("switch", name="Microphone")).not_to_be_checked()
    expect(page.get_by_role("switch", name="Tone of voice")).not_to_be_checked()
    expect(page.get_by_role("switch", name="Camera")).not_to_be_checked()
    begun = _begun(page)
    visitor.come_in()
    page.get_by_role("link", name="Settings").click()
    settings = page.get_by_role("dialog", name="Settings")
    for name in ("Microphone", "Tone of voice", "Camera"):
        switch = settings.get_by_role("switch", name=name)
        expect(switch).not_to_be_checked()
        expect(switch).to_have_accessible_description(re.compile("in memory; (sound is|pictures are) never stored"))
    settings.get_by_role("switch", name="Tone of voice").click()
    settings.get_by_role("switch", name="Microphone").click()
    expect(settings.get_by_role("switch", name="Microphone")).to_be_checked()
    assert visitor.serious() == []
    for _ in range(100):
        if begun[-1]["microphone"]:
            break
        page.wait_for_timeout(50)
    nothing, voice = (dict.fromkeys(("microphone", "tone"), given) | {"camera": False} for given in (False, True))
    assert begun[-1] == voice and all(each == nothing for each in begun[:-1])
    page.reload()
    page.get_by_role("link", name="Settings").wait_for(state="attached")
    expect(page.get_by_role("dialog", name="Settings").get_by_role("switch", name="Tone of voice")).not_to_be_checked()


def _begun(page: Page) -> list[dict[str, bool]]:
    """What the page says to the server that it may take, as it says so."""
    found: list[dict[str, bool]] = []

    def sent(frame: str | bytes) -> None:
        if isinstance(frame, str) and (message := json.loads(frame))["kind"] == "begin":
            found.append({name: message[name] for name in ("microphone", "tone", "camera")})

    page.on("websocket", lambda socket: socket.on("framesent", sent))
    return found


def test_at_work_neither_tone_nor_face_is_asked_for_and_a_line_says_why(tmp_path: Path):
    with serving(tmp_path, deployment="workplace") as served, visiting(served) as someone:
        page = someone.page
        someone.come_in()
        expect(page.get_by_role("button", name="Microphone off")).to_be_visible()
        expect(page.get_by_role("button", name="Camera")).to_have_count(0)
        page.get_by_role("link", name="Settings").click()
        settings = page.get_by_role("dialog", name="Settings")
        expect(settings.get_by_role("switch", name="Microphone")).not_to_be_checked()
        expect(settings.get_by_role("switch", name="Tone of voice")).to_have_count(0)
        expect(settings.get_by_role("switch", name="Camera")).to_have_count(0)
        expect(settings).to_contain_text("This server is for work or school")
        assert someone.serious() == []


def test_the_country_of_the_settings_is_the_conversations(visitor: Visitor):
    page = visitor.page
    visitor.come_in()
    page.get_by_role("link", name="Settings").click()
    settings = page.get_by_role("dialog", name="Settings")
    settings.get_by_label("Where you are").select_option("AU")
    settings.get_by_text("Who helps in Australia").click()
    expect(settings.get_by_role("link", name="Lifeline")).to_have_attribute("href", "tel:131114")
    assert json.loads(_asks(page, f"/api/sessions/{_session(page)}"))["country"] == "AU"
    assert visitor.serious() == []


# ── what leaves the page ────────────────────────────────────────────────────────────────────────────────────────────


def test_an_export_leaves_names_and_numbers_out_unless_they_are_wanted(visitor: Visitor):
    page = visitor.page
    visitor.come_in()
    visitor.say(MARIA)
    expect(page.get_by_label("What was said")).to_contain_text(REPLY)
    page.get_by_role("link", name="Conversations").click()
    dialog = page.get_by_role("dialog", name="Conversations")
    redacted = _exported(page, dialog)
    assert "Maria" not in redacted and "030 901820" not in redacted and REPLY.split(".")[0] in redacted
    whole = _exported(page, dialog, "With names and numbers")
    assert "Maria" in whole and "030 901820" in whole
    page_to_read = _exported(page, dialog, link="Download to read")
    assert page_to_read.startswith("<!doctype html>") and "Maria" not in page_to_read and REPLY in page_to_read
    dialog.get_by_role("button", name="Delete").first.click()
    expect(page.get_by_role("alertdialog")).to_contain_text("what was said and answered, what was measured of voice and face")
    assert visitor.serious() == []


def _exported(page: Page, dialog: Locator, *switches: str, link: str = "All data, for programs") -> str:
    dialog.get_by_role("button", name="Export").first.click()
    for name in switches:
        dialog.get_by_role("switch", name=name).click()
    with page.expect_download() as download:
        dialog.get_by_role("link", name=link).click()
    return Path(download.value.path()).read_text("utf-8")
