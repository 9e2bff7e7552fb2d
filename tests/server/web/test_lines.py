"""Lines that break between a page and its server: what somebody typed is said once, whatever became of the line meanwhile."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, WebSocketRoute, expect

from scripts import REPLY

from ..serving import Served, serving
from .browser import Visitor, visiting

pytestmark = pytest.mark.xdist_group("browser")
SAID = ("I failed my driving test.", "My father laughed at me.")


class Line:
    """What of one kind of message comes through, until it is told otherwise."""

    def __init__(self, someone: Visitor):
        self.lost_on_the_way_there, self.lost_on_the_way_back = "", ""
        self.lines: list[WebSocketRoute] = []
        someone.page.route_web_socket("**/live", self._opened)
        someone.page.reload()

    def lose(self, *, there: str = "", back: str = "") -> None:
        self.lost_on_the_way_there, self.lost_on_the_way_back = there, back

    def break_(self) -> None:
        self.lose()
        self.lines[-1].close(code=1011)

    def _opened(self, line: WebSocketRoute) -> None:
        self.lines.append(line)
        server = line.connect_to_server()
        line.on_message(lambda message: self._lost(message, self.lost_on_the_way_there) or server.send(message))
        server.on_message(lambda message: self._lost(message, self.lost_on_the_way_back) or line.send(message))

    def _lost(self, message: str | bytes, kind: str) -> bool:
        return isinstance(message, str) and json.loads(message)["kind"] == kind


def _said(someone: Visitor) -> Locator:
    return someone.page.get_by_label("What was said").locator(".from-you .said")


@pytest.mark.parametrize("lost", ["there", "back"])
@pytest.mark.parametrize("how", ["breaks", "is loaded again"])
def test_words_whose_arrival_nobody_knows_of_are_said_once(tmp_path: Path, lost: str, how: str):
    with serving(tmp_path) as served, visiting(served) as someone:
        line = Line(someone)
        someone.come_in("Keep this conversation")
        expect(someone.page.get_by_role("status")).to_contain_text("here, with time")
        line.lose(**{"there": {"there": "say"}, "back": {"back": "turn"}}[lost])
        for said in SAID:
            someone.say(said)
        expect(_said(someone)).to_have_text(SAID)
        if how == "breaks":
            line.break_()
        else:
            line.lose()
            someone.page.reload()
        expect(_said(someone)).to_have_text(SAID)
        expect(someone.page.get_by_label("What was said").locator(".from-them").last).to_contain_text(REPLY)
        expect(_said(someone)).to_have_text(SAID)
        assert _stored(someone, served) == list(SAID)


def test_the_same_words_sent_again_after_a_refusal_are_said_once(tmp_path: Path):
    with serving(tmp_path) as served, visiting(served) as someone:
        line = Line(someone)
        someone.come_in("Keep this conversation")
        expect(someone.page.get_by_role("status")).to_contain_text("here, with time")
        line.lose(back="turn")
        someone.say(SAID[0])
        expect(_said(someone)).to_have_text([SAID[0]])
        line.lines[-1].send(json.dumps({"kind": "error", "code": "invalid", "message": "Something else.", "turn": None}))
        someone.page.get_by_role("button", name="Send it again").click()
        expect(someone.page.get_by_role("button", name="Send it again")).to_have_count(0)
        line.lose()
        someone.page.reload()
        expect(someone.page.get_by_label("What was said").locator(".from-them")).to_have_count(1)
        assert _stored(someone, served) == [SAID[0]]


def _stored(someone: Visitor, served: Served) -> list[str]:
    session = someone.page.evaluate("location.hash.split('/')[2]")
    turns = json.loads(someone.page.evaluate(f"fetch('{served.url}/api/sessions/{session}').then((answer) => answer.text())"))
    return [turn["said"] for turn in turns["conversation"]]
