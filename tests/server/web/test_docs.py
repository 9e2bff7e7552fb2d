"""The page of the API in a real browser, with no other server in reach."""

import pytest
from playwright.sync_api import expect

from ..serving import Served
from .browser import ON_A_PHONE, visiting

pytestmark = pytest.mark.xdist_group("browser")


@ON_A_PHONE
def test_the_page_of_the_api_can_be_read(served: Served, size: tuple[int, int]):
    with visiting(served, size=size) as someone:
        page, asked = someone.page, list[str]()
        page.wait_for_load_state("networkidle")
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{served.url}/docs")
        expect(page.get_by_role("heading", name="The API of Heartfelt")).to_be_visible()
        page.get_by_text("POST /v1/chat/completions").click()
        page.get_by_role("link", name="ChatRequest").first.click()
        expect(page.locator("#ChatRequest").get_by_text("max_completion_tokens", exact=True).first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert all(url.startswith(served.url) for url in asked) and len(asked) >= 1
        assert someone.serious() == [] and someone.complaints == []
