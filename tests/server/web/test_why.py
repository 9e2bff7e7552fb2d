"""«Why» as play, in a real browser on a desk and on a phone: another feeling or plan, the other answer beside the first, heard,
kept, and taken away as one file."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from agents.test_marks import Marking
from heartfelt.models import Completion, Request, Scripted
from scripts import FULL, REPLY, fine, good

from ..serving import Served, serving
from .browser import DESK, ON_A_DESK, ON_BOTH, Visitor, visiting

SAID = "I failed my driving test today, and my father laughed at me."
OTHER = "Being mocked by your own dad when you needed him is not fair. You have every right to be angry."
PLAYED = """window.played = [];
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () { window.played.push(this); return play.call(this); };"""
"""Keeps what sounds, as it stands nowhere on the page."""

pytestmark = pytest.mark.xdist_group("browser")


def words(request: Request) -> str:
    """Other words to somebody who is angry."""
    return OTHER if "angry" in request.messages[-1].text else REPLY


class Slow(Scripted):
    """Takes its time to find the words again."""

    async def complete(self, request: Request) -> Completion:
        if request.purpose == "respond" and self.calls["respond"]:
            await asyncio.sleep(2)
        return await super().complete(request)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("why"), model=good(respond=words)) as running:
        yield running


@pytest.fixture
def visitor(app: Served, size: tuple[int, int]) -> Iterator[Visitor]:
    with visiting(app, size=size) as someone:
        yield someone
        assert someone.complaints == []


def answered(someone: Visitor) -> Locator:
    """Somebody was answered, and asks why: what they can play with."""
    someone.come_in()
    someone.say(SAID)
    someone.page.get_by_role("link", name="Why this answer").click()
    return playing(someone.page)


def playing(page: Page) -> Locator:
    return page.get_by_role("region", name="Play with this answer")


def choice(play: Locator, name: str) -> Locator:
    return play.get_by_role("combobox", name=name, exact=True)


def said(page: Page) -> Locator:
    return page.get_by_label("What was said")


def answer(play: Locator, title: str) -> Locator:
    return play.get_by_role("article", name=title)


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")


@ON_BOTH
def test_another_feeling_brings_another_answer_beside_the_first(visitor: Visitor, size: tuple[int, int]):
    play = answered(visitor)
    choice(play, "Feeling").select_option("angry")
    first, second = answer(play, "As it is"), answer(play, "With your change")
    expect(second.locator(".said")).to_have_text(OTHER)
    expect(second).to_be_in_viewport(ratio=1)
    expect(first.locator(".said")).to_have_text(REPLY)
    expect(first.locator("del")).to_contain_text(["must hurt"])
    expect(second.locator("ins")).to_contain_text(["is not fair"])
    one, other = first.bounding_box(), second.bounding_box()
    assert one and other and (one["y"] == other["y"] if size == DESK else one["x"] == other["x"])
    expect(said(visitor.page)).not_to_contain_text(OTHER)
    assert visitor.serious() == [] and fits(visitor.page)
    play.get_by_text("Every step beside what it was").click()
    expect(play.get_by_role("region", name="The feeling")).to_contain_text("set by hand")
    choice(play, "Feeling").select_option("ashamed")
    expect(second).to_have_count(0)


@ON_A_DESK
def test_the_same_words_are_told_as_such_and_why(visitor: Visitor):
    play = answered(visitor)
    choice(play, "Tone").select_option("calm")
    second = answer(play, "With your change")
    expect(second.locator(".said")).to_have_text(REPLY)
    expect(second).to_contain_text("You changed “how to answer”, and the words that fit best are the same.")
    expect(second).to_contain_text("What changed is how they are said: a calm tone instead of a gentle one.")
    assert visitor.serious() == []


@ON_BOTH
def test_one_sees_how_far_it_has_come_where_one_looks(tmp_path: Path, size: tuple[int, int]):
    model = Slow(FULL | {"audit": fine, "respond": words})
    with serving(tmp_path, model=model) as served, visiting(served, size=size) as someone:
        play = answered(someone)
        choice(play, "Feeling").select_option("angry")
        second = answer(play, "With your change")
        expect(second.get_by_role("status")).to_contain_text("finding the words")
        expect(second).to_be_in_viewport(ratio=1)
        expect(second.get_by_role("listitem").filter(has_text="The feeling")).to_contain_text("yours")
        expect(second.get_by_role("listitem").filter(has_text="What set it off")).to_have_attribute("data-state", "done")
        assert someone.serious() == []
        expect(second.locator(".said")).to_have_text(OTHER)
        expect(second.get_by_role("status")).to_have_count(0)
        assert someone.complaints == []


@ON_A_DESK
def test_either_answer_is_heard(visitor: Visitor):
    visitor.page.add_init_script(PLAYED)
    visitor.page.reload()
    page, play = visitor.page, answered(visitor)
    choice(play, "Feeling").select_option("angry")
    for title, number in (("As it is", 0), ("With your change", 1)):
        button = answer(play, title).get_by_role("button", name="Hear it")
        with page.expect_response(
            lambda response, number=number: response.url.endswith(f"speech.wav?answer={number}")
        ) as heard:
            button.click()
        assert heard.value.ok and heard.value.headers["content-type"] == "audio/wav"
        expect(answer(play, title).get_by_role("button", name="Stop")).to_be_visible()
        expect(button).to_be_visible()  # once it is over
    answer(play, "As it is").get_by_role("button", name="Hear it").click()
    answer(play, "As it is").get_by_role("button", name="Stop").click()
    assert page.evaluate("played.map((sound) => [sound.ended, sound.paused])") == [[True, True], [True, True], [False, True]]
    expect(play.get_by_role("button", name="Stop")).to_have_count(0)


@ON_A_DESK
def test_the_other_answer_is_kept_and_the_first_can_be_taken_back(app: Served, visitor: Visitor):
    page, play = visitor.page, answered(visitor)
    beside = visitor.context.new_page()
    beside.goto(page.url)
    choice(play, "Feeling").select_option("angry")
    answer(play, "With your change").get_by_role("button", name="Keep this one").click()
    expect(play.get_by_text("Kept. The conversation goes on from these words.")).to_be_visible()
    expect(answer(play, "With your change")).to_contain_text("kept")
    expect(said(beside)).to_contain_text(OTHER)
    beside.close()
    page.reload()
    expect(said(page)).to_contain_text(OTHER)
    expect(choice(play, "Feeling")).to_have_value("angry")
    expect(page.get_by_role("region", name="How it came to these words")).to_contain_text("Somebody set a step by hand")
    assert visitor.serious() == [] and fits(page)
    answer(play, "As it was").get_by_role("button", name="Keep this one").click()
    expect(answer(play, "As it was")).to_contain_text("kept")
    expect(said(page)).to_contain_text(REPLY)
    expect(said(page)).not_to_contain_text(OTHER)


@ON_A_DESK
def test_the_first_answer_is_kept(visitor: Visitor):
    play = answered(visitor)
    choice(play, "Feeling").select_option("angry")
    expect(answer(play, "With your change").locator(".said")).to_have_text(OTHER)
    answer(play, "As it is").get_by_role("button", name="Keep this one").click()
    expect(play.get_by_text("It stays as it was.")).to_be_visible()
    expect(choice(play, "Feeling")).to_have_value("ashamed")
    expect(said(visitor.page)).to_contain_text(REPLY)


@ON_A_DESK
def test_any_other_step_can_be_set_too(visitor: Visitor):
    page, play = visitor.page, answered(visitor)
    page.get_by_role("button", name="Change What stood out").click()
    form = page.get_by_role("form", name="Change What stood out")
    expect(form).to_be_in_viewport()
    form.get_by_label("What it tells").fill("angry about it")
    form.get_by_role("button", name="See what follows").click()
    second = answer(play, "With your change")
    expect(second.locator(".said")).to_have_text(OTHER)
    expect(second).to_be_in_viewport()
    assert page.get_by_role("button", name="Change The words").count() == 0, "nothing comes after them"
    form.get_by_role("button", name="Leave it as it was").click()
    expect(form).to_have_count(0)
    expect(second).to_have_count(0)


@ON_A_DESK
def test_a_plan_can_be_given_to_an_answer_that_went_without_one(tmp_path: Path, size: tuple[int, int]):
    """As with the embedded model, whose words are chosen among plain replies."""
    model = Marking(1.0, 3.0, understand={"kind": "wrong", "feeling": "sad"})
    with serving(tmp_path, model=model) as served, visiting(served, size=size) as someone:
        play = answered(someone)
        expect(play).to_contain_text("It went without a plan")
        before = said(someone.page).locator(".from-them .said").inner_text()
        choice(play, "Goal").select_option("explore")
        second = answer(play, "With your change")
        expect(second.locator(".said")).to_contain_text("?")
        assert second.locator(".said").inner_text() != before
        choice(play, "Tone").select_option("tender")
        expect(second).to_contain_text("A tender tone is heard in the voice; these words do not show it.")
        assert someone.serious() == [] and someone.complaints == []


@ON_A_DESK
def test_what_goes_wrong_is_said_there(visitor: Visitor):
    play = answered(visitor)
    visitor.page.route("**/replay", lambda route: route.abort())
    choice(play, "Feeling").select_option("angry")
    expect(play.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    visitor.complaints.clear()  # the browser's own word about it


# ── the page of a turn ──────────────────────────────────────────────────────────────────────────────────────────────


@ON_A_DESK
def test_the_turn_is_a_page_whose_buttons_work(visitor: Visitor):
    play = answered(visitor)
    choice(play, "Feeling").select_option("angry")
    answer(play, "With your change").get_by_role("button", name="Keep this one").click()
    expect(play.get_by_text("Kept.")).to_be_visible()
    with visitor.context.expect_page() as opened:
        visitor.page.get_by_role("link", name="Open as a page").click()
    works(Visitor(opened.value, visitor.context))


@ON_A_DESK
def test_the_page_works_as_a_file_too(visitor: Visitor, tmp_path: Path):
    play = answered(visitor)
    choice(play, "Feeling").select_option("angry")
    answer(play, "With your change").get_by_role("button", name="Keep this one").click()
    expect(play.get_by_text("Kept.")).to_be_visible()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("link", name="Save as a file").click()
    assert download.value.suggested_filename.endswith("-1.html")
    download.value.save_as(file := tmp_path / "turn.html")
    asked: list[str] = []
    alone = visitor.context.new_page()
    alone.on("request", lambda request: asked.append(request.url))
    reader = Visitor(alone, visitor.context)
    alone.goto(file.as_uri())
    works(reader)
    assert all(url.startswith(("file:", "data:")) for url in asked)


def works(reader: Visitor) -> None:
    """Everything on the page of a turn that can be pressed does what it says, and the browser forbids nothing of it."""
    page = reader.page
    expect(page.get_by_role("heading", level=1)).to_have_text(OTHER)
    expect(page.get_by_text(f"Before that it had said: {REPLY}")).to_be_visible()
    assert reader.serious() == [] and fits(page)
    worn = page.locator("html")
    before = worn.get_attribute("data-theme")
    page.get_by_role("button", name="Use the").click()
    expect(worn).not_to_have_attribute("data-theme", before or "")
    behind = page.get_by_text("Behind this step").first
    behind.click()
    expect(page.get_by_text("What was sent, after the part that all steps share").first).to_be_visible()
    page.keyboard.press("Tab")
    skip: Any = page.get_by_role("link", name="Skip to the reasoning")
    skip.focus()
    skip.press("Enter")
    expect(page.locator("#reasoning")).to_be_focused()
    page.locator("mark.cue").first.focus()
    expect(page.locator(".tip")).to_be_visible()
    assert reader.complaints == []
