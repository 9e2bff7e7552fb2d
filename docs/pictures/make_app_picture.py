"""Make app.png, why.png and app-phone.png, the pictures of the web app: python docs/pictures/make_app_picture.py

The embedded model and voice answer; the pictures are taken while the reply is spoken, of its reasons, and while somebody plays
with them. `make web` must have run, and it needs playwright and a `chromium` on the PATH.
"""

import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

HERE = Path(__file__).parent
SAID = "I failed my exam again and I do not know how to tell my mother."
FLAGS = ["--no-sandbox", "--enable-unsafe-swiftshader", "--autoplay-policy=no-user-gesture-required"]
DESK, PHONE = (1440, 900), (390, 844)
WAIT = 60_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "heartfelt", "serve", "--port", "0", "--store", f"sqlite:///{folder}/sessions.db"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as playwright:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            try:
                desk = _room(browser, url, DESK, "light")
                _save(_reasons(desk), "app.png", DESK)
                (HERE / "why.png").write_bytes(_played(desk))
                phones = [_room(browser, url, PHONE, scheme).screenshot() for scheme in ("light", "dark")]
                _beside(phones, "app-phone.png")
            finally:
                browser.close()
                server.terminate()


def _room(browser: Browser, url: str, size: tuple[int, int], scheme: str) -> Page:
    """In the room, in the middle of the reply. Twice as fine as it is shown: a processor draws without smoothing edges."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,  # type: ignore[arg-type]
        device_scale_factor=2,
    )
    page = context.new_page()
    page.goto(f"{url}?fine")
    page.get_by_role("button", name="Come in").click()
    page.wait_for_timeout(5000)
    page.get_by_label("Your words").fill(SAID)
    page.get_by_label("Your words").press("Enter")
    page.locator(".spoken").first.wait_for(timeout=WAIT)
    page.wait_for_timeout(700)
    return page


def _reasons(page: Page) -> bytes:
    page.get_by_role("link", name="Why this answer").click()
    expect(page.get_by_role("complementary", name="Why this answer")).to_be_visible()
    page.wait_for_timeout(4000)
    return page.screenshot()


def _played(page: Page) -> bytes:
    """The top of the reasons, with another feeling."""
    play = page.get_by_role("region", name="Play with this answer")
    play.get_by_role("combobox", name="Feeling").select_option("angry")
    expect(play.get_by_role("article", name="With your change").locator(".said")).to_be_visible(timeout=WAIT)
    page.wait_for_timeout(1000)
    whole, last = page.locator(".why").bounding_box(), page.get_by_role("region", name="This answer as one page").bounding_box()
    assert whole and last
    return page.screenshot(clip={**whole, "height": last["y"] + last["height"] + 24})


def _save(shot: bytes, name: str, size: tuple[int, int]) -> None:
    Image.open(BytesIO(shot)).resize(size, Image.Resampling.LANCZOS).save(HERE / name, optimize=True)


def _beside(shots: list[bytes], name: str) -> None:
    pictures = [Image.open(BytesIO(shot)).resize(PHONE, Image.Resampling.LANCZOS) for shot in shots]
    whole = Image.new("RGB", (len(pictures) * PHONE[0] + 24 * (len(pictures) - 1), PHONE[1]), "white")
    for number, picture in enumerate(pictures):
        whole.paste(picture, (number * (PHONE[0] + 24), 0))
    whole.save(HERE / name, optimize=True)


if __name__ == "__main__":
    main()
