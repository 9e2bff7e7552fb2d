"""In the room: whose words are whose, what was not heard, other scripts and languages, very long messages, help at any time."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from heartfelt.errors import ModelError
from heartfelt.languages import notes
from scripts import FULL, REPLY, Stuck, good

from ..live import test_foreign
from ..serving import Served, serving
from .browser import DESK, ON_A_PHONE, ON_BOTH, PHONE, TABLET, Visitor, sound, visiting

SAID = "I failed my driving test today, and my father laughed at me."
DARK = "I want to kill myself tonight"
LONG = "Being mocked by your own dad when you needed him most must hurt so very much. I am on your side, whatever comes next."
GERMAN = "Ich bin heute durch die Prüfung gefallen, und mein Vater hat mich ausgelacht."
HEBREW = "היום היה לי יום קשה מאוד, ואבא שלי צחק עליי"
JARGON = re.compile(
    r"bank of|profile|embedded|recipe|audit|\bpass \d|tokens?\b|prompt|perceive|forecast|respond\b|deliver\b|--\w", re.I
)
pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("room")) as running:
        yield running


@pytest.fixture
def visitor(app: Served, size: tuple[int, int]) -> Iterator[Visitor]:
    with visiting(app, size=size) as someone:
        yield someone
        assert someone.complaints == [] and not someone.wide()


def _transcript(page: Page) -> Locator:
    return page.get_by_label("What was said")


def _portrait(page: Page) -> Locator:
    return page.locator(".face img.portrait")


@ON_A_PHONE
def test_what_was_not_heard_can_be_read_and_is_said_to_be_so(tmp_path: Path, size: tuple[int, int]):
    with serving(tmp_path, model=good(respond=LONG)) as served, visiting(served, size=size) as someone:
        page = someone.page
        someone.come_in()
        someone.say(SAID)
        expect(page.get_by_role("status")).to_contain_text("speaking")
        page.get_by_role("button", name="Stop the answer").click()
        unheard = _transcript(page).locator(".unheard")
        expect(unheard).to_be_visible()
        assert "line-through" not in unheard.evaluate("(each) => getComputedStyle(each).textDecorationLine")
        expect(_transcript(page)).to_contain_text("not heard")
        expect(_transcript(page).locator(".from-them .said")).to_contain_text("whatever comes next.")
        assert someone.serious() == []


@ON_A_PHONE
def test_what_somebody_said_stays_theirs_when_another_one_answers(visitor: Visitor):
    page = visitor.page
    visitor.come_in()
    visitor.say(SAID)
    speakers = _transcript(page).locator(".from-them .speaker")
    expect(speakers).to_have_text(["Maya"])
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("dialog", name="Settings").get_by_role("radio", name="Tom").click(force=True)
    page.get_by_role("button", name="Close").click()
    expect(page.get_by_role("status")).to_contain_text("Tom")
    expect(speakers).to_have_text(["Maya"])
    visitor.say(SAID)
    expect(speakers).to_have_text(["Maya", "Tom"])
    page.reload()
    expect(speakers).to_have_text(["Maya", "Tom"])
    faces = speakers.locator("img").evaluate_all("(all) => all.map((each) => each.getAttribute('src'))")
    assert faces == ["/api/identities/maya/picture.jpg", "/api/identities/tom/picture.jpg"]
    assert visitor.serious() == []


@ON_A_PHONE
def test_nobody_is_smiled_at_while_they_may_be_in_danger(visitor: Visitor):
    page = visitor.page
    visitor.come_in()
    visitor.say(SAID)
    expect(_transcript(page)).to_contain_text(REPLY)
    assert _smiling(page) == [True, True]
    visitor.say(DARK)
    expect(page.get_by_role("region", name="Help by people")).to_be_visible()
    expect(_transcript(page).locator(".from-them")).to_have_count(2)
    assert _smiling(page) == [False, False, False]
    expect(_portrait(page)).to_have_js_property("naturalWidth", 384)
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("dialog", name="Settings").wait_for()
    assert _smiling(page) == [False] * (3 + 10)
    page.get_by_role("link", name="Read the opening page again").click()
    page.get_by_role("button", name="Come in").wait_for()
    assert _smiling(page) == [False] * 10
    page.go_back()
    page.get_by_role("button", name="Close").click()
    page.reload()
    expect(_transcript(page).locator(".from-them")).to_have_count(2)
    assert _smiling(page) == [False, False, False]


@pytest.mark.parametrize("size", [DESK, PHONE, TABLET, (844, 390)])
def test_the_whole_face_is_seen_however_little_room_there_is(visitor: Visitor):
    visitor.come_in()
    assert _square(_portrait(visitor.page))
    visitor.say(DARK)
    expect(visitor.page.get_by_role("region", name="Help by people")).to_be_visible()
    assert _square(_portrait(visitor.page))


def _square(picture: Locator) -> bool:
    """A picture that has another form is cut."""
    box = picture.bounding_box()
    return box is not None and box["height"] > 60 and abs(box["height"] - box["width"]) < 1


@ON_A_PHONE
def test_what_was_answered_in_danger_keeps_its_serious_picture(visitor: Visitor):
    page = visitor.page
    visitor.come_in()
    visitor.say("I want to die.")
    card = page.get_by_role("region", name="Help by people")
    expect(card).to_be_visible()
    page.get_by_role("button", name="That was not meant so").click()
    expect(card).to_have_count(0)
    expect(_transcript(page).locator(".from-them")).to_have_count(2)
    assert _smiling(page) == [True, False, True]


def _smiling(page: Page) -> list[bool]:
    """Of each picture of somebody who listens, as they stand on the page."""
    sources = page.locator("img").evaluate_all("(all) => all.map((each) => each.getAttribute('src'))")
    pictures = [source for source in sources if source and source.startswith("/api/identities/")]
    return ["mood=serious" not in picture for picture in pictures]


@ON_BOTH
def test_help_by_people_is_one_touch_away_at_any_time(visitor: Visitor):
    page = visitor.page
    page.get_by_label("Where are you?").select_option("DE")
    visitor.come_in()
    link = page.get_by_role("link", name="Help", exact=True)
    expect(link.get_by_text("Help")).to_be_in_viewport(ratio=1)
    assert link.get_by_text("Help").bounding_box()["width"] > 20  # type: ignore[index]  # the word, and not only its icon
    link.click()
    help_ = page.get_by_role("dialog", name="Help by people")
    expect(help_.get_by_role("link", name="Call 112")).to_be_visible()
    expect(help_.get_by_role("link", name="TelefonSeelsorge").first).to_be_visible()
    who = help_.get_by_text("TelefonSeelsorge", exact=True).bounding_box()
    assert who and who["width"] > 100, "the name is squeezed into a column of letters"
    assert visitor.serious() == []


@ON_A_PHONE
def test_the_help_says_which_languages_are_understood_and_how_far(visitor: Visitor):
    visitor.come_in()
    visitor.page.get_by_role("link", name="Help", exact=True).click()
    languages = visitor.page.get_by_role("region", name="Languages")
    expect(languages).to_contain_text("English is understood.")
    languages.get_by_text("In your language").click()
    told = languages.get_by_role("note").evaluate_all("(all) => all.map((each) => [each.lang, each.textContent])")
    assert told == [[code, note] for code, _own, note in notes()] and told
    expect(languages.get_by_role("note", name="עברית")).to_have_css("direction", "rtl")
    assert visitor.serious() == []


@ON_A_PHONE
def test_another_script_is_written_in_its_own_direction(tmp_path: Path, size: tuple[int, int]):
    with serving(tmp_path, model=good(respond=HEBREW)) as served, visiting(served, size=size) as someone:
        page = someone.page
        someone.come_in()
        page.get_by_label("Your words").fill(HEBREW)
        assert _direction(page.get_by_label("Your words")) == "rtl"
        page.get_by_label("Your words").press("Enter")
        expect(_transcript(page).locator(".from-them .said")).to_have_text(HEBREW)
        assert _direction(_transcript(page).locator(".from-you .said")) == "rtl"
        assert _direction(_transcript(page).locator(".from-them .said")) == "rtl"
        page.get_by_role("link", name="Conversations").click()
        assert _direction(page.locator(".line-title").first) == "rtl"
        assert someone.serious() == []


def _direction(element: Locator) -> str:
    return element.evaluate("(each) => getComputedStyle(each).direction")


@ON_A_PHONE
def test_another_language_is_told_at_once_what_can_be_had_in_it(visitor: Visitor):
    page = visitor.page
    visitor.come_in()
    visitor.say(GERMAN)
    note = page.get_by_role("note", name="Deutsch")
    expect(note).to_have_text({code: note for code, _own, note in notes()}["de"])
    expect(note).to_have_attribute("lang", "de")
    expect(_transcript(page).locator(".from-you .said")).to_have_attribute("lang", "de")
    visitor.say("Kannst du mir bitte sagen, was ich jetzt machen soll?")
    expect(_transcript(page).locator(".from-them")).to_have_count(2)
    expect(note).to_have_count(1)
    assert visitor.serious() == []


@ON_A_PHONE
def test_another_language_that_is_heard_is_told_so_as_well(tmp_path: Path, size: tuple[int, int]):
    microphone = sound(tmp_path, (2, 2), (30, 0))
    heard = serving(tmp_path, sensing=test_foreign.senses)
    with heard as served, visiting(served, size=size, microphone=microphone) as someone:
        page = someone.page
        someone.come_in("Microphone")
        note = page.get_by_role("note", name="Deutsch")
        expect(note).to_have_text({code: note for code, _own, note in notes()}["de"])
        said = _transcript(page).locator(".from-you .said").first
        pieces = re.compile(f"^({re.escape(test_foreign.SAID)} ?)+$")  # a busy machine may hear the tone in two pieces
        expect(said).to_have_text(pieces)
        expect(said).to_have_attribute("lang", "de")
        assert someone.serious() == [] and not someone.wide()


@ON_BOTH
def test_nothing_of_a_very_long_message_is_lost(visitor: Visitor):
    page = visitor.page
    visitor.come_in()
    field, send = page.get_by_label("Your words"), page.get_by_role("button", name="Send")
    field.fill("😀" * 19_500)
    expect(page.get_by_text("500 characters left")).to_be_visible()
    field.fill("a" * 20_500)
    expect(page.get_by_text("This is 500 characters too long to send at once; 20,000 are possible.")).to_be_visible()
    expect(send).to_be_disabled()
    field.press("Enter")
    assert field.input_value() == "a" * 20_500
    assert visitor.serious() == []
    page.reload()
    assert field.input_value() == "a" * 20_500
    field.fill("a" * 20_000)
    expect(send).to_be_enabled()
    send.click()
    expect(_transcript(page).locator(".from-them")).to_have_count(1)


@ON_A_PHONE
def test_words_that_are_refused_come_back_to_be_changed(tmp_path: Path, size: tuple[int, int]):
    with serving(tmp_path) as served, visiting(served, size=size) as someone:
        page = someone.page
        someone.come_in()
        page.get_by_label("Your words").wait_for()
        expect(page.get_by_role("status")).to_contain_text("here, with time")
        served.app.state.parts.turns.begin = _refuse
        someone.say(SAID)
        page.get_by_role("button", name="Change it").click()
        expect(page.get_by_label("Your words")).to_have_value(SAID)
        expect(page.get_by_label("Your words")).to_be_focused()
        expect(_transcript(page)).not_to_contain_text(SAID)


async def _refuse(*_given: object, **_named: object) -> None:
    from heartfelt.errors import TurnError

    raise TurnError("Too many are waiting. Try again in a minute.")


@ON_A_PHONE
def test_what_it_does_can_be_read_at_every_moment_of_its_thinking(tmp_path: Path, size: tuple[int, int]):
    with serving(tmp_path, model=Stuck("perceive")) as served, visiting(served, size=size) as someone:
        page = someone.page
        someone.come_in()
        someone.say(SAID)
        expect(page.get_by_role("status")).to_contain_text("thinking: noticing what stands out")
        assert page.evaluate("document.getAnimations().filter((one) => one.animationName === 'breathe').length") == 1
        for theme in ("dark", "light"):
            page.get_by_role("button", name=f"Use the {theme} theme").click()
            page.evaluate("document.getAnimations().forEach((one) => { one.pause(); one.currentTime = 1600; })")
            assert someone.serious() == []


@ON_A_PHONE
def test_nothing_that_is_read_speaks_of_the_insides(tmp_path: Path, size: tuple[int, int]):
    failure = ModelError("embedded: has no answer for the step 'perceive'. Give it more with --tries.")
    model, read = good(perceive=[FULL["perceive"], failure]), list[str]()
    model.name = "embedded:heartfelt-3/11af"
    with serving(tmp_path, model=model) as served, visiting(served, size=size) as someone:
        page = someone.page
        page.get_by_role("button", name="Come in").wait_for()
        read.append(page.inner_text("main"))
        someone.come_in()
        someone.say(SAID)
        page.get_by_role("link", name="Why this answer").click()
        expect(page.get_by_text("Afterwards it was gone over once more")).to_be_visible()
        page.get_by_text("The same in numbers").click()
        read.append(page.inner_text(".why"))
        page.go_back()
        for name, there in (("Help", "English is understood."), ("Conversations", "one exchange"), ("Settings", "Who answers")):
            page.get_by_role("link", name=name, exact=True).click()
            dialog = page.get_by_role("dialog")
            expect(dialog).to_contain_text(there)
            if name == "Settings":
                dialog.get_by_text("How it comes to its answers").click()
            read.append(dialog.inner_text())
            dialog.get_by_role("button", name="Close").click()
        someone.say(SAID)
        expect(_transcript(page)).to_contain_text("This could not be answered.")
        read.append(_transcript(page).inner_text())
        page.get_by_text("What happened").click()
        expect(_transcript(page).get_by_text("Give it more with --tries.")).to_be_visible()
    assert [len(text) > 100 for text in read] == [True] * 6
    assert [JARGON.findall(text) for text in read] == [[]] * 6


@ON_BOTH
def test_no_screen_has_a_serious_fault(visitor: Visitor):
    page = visitor.page
    found = {"opening": visitor.serious()}
    visitor.come_in()
    found["room"] = visitor.serious()
    visitor.say(SAID)
    page.get_by_role("link", name="Why this answer").click()
    expect(page.get_by_role("heading", name="How it came to these words")).to_be_visible()
    found["why"] = visitor.serious()
    page.go_back()
    for name in ("Help", "Conversations", "Settings"):
        page.get_by_role("link", name=name, exact=True).click()
        dialog = page.get_by_role("dialog")
        dialog.wait_for()
        if name == "Settings":
            dialog.get_by_text("How it comes to its answers").click()
        if name == "Conversations":
            dialog.get_by_role("button", name="Export").first.click()
        found[name] = visitor.serious()
        dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Use the dark theme").click()
    found["dark"] = visitor.serious()
    visitor.say(DARK)
    expect(page.get_by_role("region", name="Help by people")).to_be_visible()
    found["danger"] = visitor.serious()
    assert {name: faults for name, faults in found.items() if faults} == {}
