"""The first visit: who can answer is in sight at once, the way in too, and nothing is kept unless that is wanted."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from heartfelt.languages import notes
from heartfelt.safety.honesty import DISCLOSURE

from ..serving import Served, serving
from .browser import DESK, ON_A_DESK, ON_A_PHONE, PHONE, TABLET, visiting

pytestmark = pytest.mark.xdist_group("browser")

SCREENS = [DESK, PHONE, TABLET, (1366, 640), (375, 667), (320, 568), (844, 390)]

GAPS = """(all) => all.map((each) => {
    const [label, about] = [each.querySelector("span"), each.lastChild].map((one) => one.getBoundingClientRect());
    return about.top - label.bottom;
})"""
"""Between what a switch is called and what stands under it."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("opening")) as running:
        yield running


@pytest.mark.parametrize("size", [DESK, PHONE, TABLET])
def test_everybody_is_seen_at_the_first_visit(app: Served, size: tuple[int, int]):
    with visiting(app, size=size) as someone:
        faces = someone.page.get_by_role("radiogroup", name="Who answers").locator("img")
        expect(faces).to_have_count(10)
        for face in faces.all():
            face.evaluate("(face) => face.decode()")  # returns once it is there, and fails where it never will be
        widths = faces.evaluate_all("(all) => all.map((each) => each.complete && each.naturalWidth)")
        assert widths == [384] * 10
        assert min(faces.evaluate_all("(all) => all.map((each) => each.clientWidth)")) > 56, "too small to be told apart"
        assert someone.serious() == [] and someone.complaints == []


def test_the_way_in_is_in_sight_without_scrolling(app: Served):
    with visiting(app) as someone:
        for width, height in SCREENS:
            someone.page.set_viewport_size({"width": width, "height": height})
            someone.page.evaluate("scrollTo(0, 0)")
            button = someone.page.get_by_role("button", name="Come in")
            expect(button).to_be_in_viewport(ratio=1)
            assert someone.page.evaluate("scrollY") == 0 and not someone.wide()
            told, way = (each.bounding_box() for each in (someone.page.get_by_text(DISCLOSURE), button))
            expect(someone.page.get_by_text("English is understood.")).to_be_in_viewport(ratio=1)
            assert told and way and told["y"] + told["height"] <= way["y"], "what this is cannot be read before one comes in"
            someone.page.evaluate("scrollTo(0, document.body.scrollHeight)")
            expect(button).to_be_in_viewport(ratio=1)
            assert someone.serious() == [], (width, height)


def test_no_line_stands_on_another(app: Served):
    with visiting(app) as someone:
        someone.page.get_by_role("button", name="Come in").wait_for()
        for width, height in SCREENS:
            someone.page.set_viewport_size({"width": width, "height": height})
            gaps = someone.page.locator(".switch").evaluate_all(GAPS)
            assert len(gaps) == 4 and min(gaps) >= 0, (width, height)


@ON_A_DESK
def test_a_server_that_does_not_answer_is_told_and_asked_again(app: Served, size: tuple[int, int]):
    with visiting(app, size=size) as someone:
        page = someone.page
        page.route("**/api/options", lambda route: route.abort())
        page.reload()
        expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
        assert someone.serious() == [] and not someone.wide()
        page.unroute("**/api/options")
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("button", name="Come in")).to_be_visible()


@pytest.mark.parametrize(("wanted", "kept"), [((), False), (("Keep this conversation",), True)])
def test_a_conversation_is_kept_only_where_that_is_wanted(app: Served, wanted: tuple[str, ...], kept: bool):
    with visiting(app) as someone:
        expect(someone.page.get_by_role("switch", name="Keep this conversation")).not_to_be_checked()
        someone.come_in(*wanted)
        sessions = json.loads(someone.page.evaluate("fetch('/api/sessions').then((answer) => answer.text())"))
        assert [session["kept"] for session in sessions] == [kept]


@ON_A_PHONE
def test_who_reads_another_language_is_told_in_it_what_can_be_had(app: Served, size: tuple[int, int]):
    for locale, code, direction in (("de-AT", "de", "ltr"), ("he-IL", "he", "rtl")):
        with visiting(app, size=size, locale=locale) as someone:
            note = someone.page.locator(f"p[lang={code}]")
            expect(note).to_have_text({code: note for code, _own, note in notes()}[code])
            assert note.evaluate("(each) => getComputedStyle(each).direction") == direction
            assert someone.serious() == []
