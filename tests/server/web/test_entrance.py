"""A server that asks for a token: the page that takes it, what it says to a wrong one, and leaving again."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import TimeoutError as Timeout
from playwright.sync_api import expect

from heartfelt.server import tokens
from scripts import REPLY

from ..serving import Served, serving
from .browser import Visitor, visiting

SAID = "I failed my driving test today, and my father laughed at me."

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.toml"


@pytest.fixture
def token(file: Path) -> str:
    return tokens.add(file, "ana")


@pytest.fixture
def asking(tmp_path: Path, file: Path, token: str) -> Iterator[Served]:
    with serving(tmp_path, tokens=str(file)) as running:
        yield running


def _enter(someone: Visitor, token: str) -> None:
    someone.page.get_by_label("Access token").fill(token)
    someone.page.get_by_label("Access token").press("Enter")


def test_somebody_comes_in_with_a_token_talks_and_leaves(asking: Served, token: str):
    with visiting(asking) as someone:
        page = someone.page
        expect(page.get_by_label("Access token")).to_be_focused()
        assert someone.serious() == []
        _enter(someone, f" {token} ")
        someone.come_in()
        someone.say(SAID)
        expect(page.get_by_label("What was said")).to_contain_text(REPLY)
        page.reload()
        expect(page.get_by_label("What was said")).to_contain_text(REPLY)
        assert token not in page.evaluate("document.cookie + JSON.stringify(localStorage)")
        page.get_by_role("link", name="Settings").click()
        page.get_by_role("button", name="Forget my access token").click()
        expect(page.get_by_label("Access token")).to_be_visible()
        page.reload()
        expect(page.get_by_label("Access token")).to_be_visible()


def test_a_wrong_token_is_said_plainly_and_too_many_are_slowed_down(tmp_path: Path, file: Path, token: str):
    with serving(tmp_path, tokens=str(file), messages_a_minute=20) as served, visiting(served) as someone:
        alert = someone.page.get_by_role("alert")
        _enter(someone, "not this one")
        expect(alert).to_contain_text("This token is not known here")
        assert someone.serious() == []
        for _ in range(40):  # as many as a machine that is busy with something else needs to be too quick
            _enter(someone, "nor this one")
            expect(alert).not_to_be_empty()
            if "Go on in" in alert.inner_text():
                break
        expect(alert).to_contain_text("Go on in")


def test_whoever_is_shut_out_meanwhile_comes_to_the_entrance(asking: Served, file: Path, token: str):
    with visiting(asking) as someone:
        _enter(someone, token)
        someone.come_in()
        tokens.remove(file, "ana")
        with suppress(Timeout):  # the page notices within two seconds, and may be there before the click
            someone.page.get_by_role("link", name="Conversations").click(timeout=5000)
        expect(someone.page.get_by_label("Access token")).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_the_entrance_fits_any_size(asking: Served, size: tuple[int, int]):
    with visiting(asking, size=size) as someone:
        expect(someone.page.get_by_role("button", name="Come in")).to_be_in_viewport()
        expect(someone.page.get_by_text("English is understood.")).to_be_in_viewport(ratio=1)
        assert not someone.page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")
        assert someone.serious() == []
