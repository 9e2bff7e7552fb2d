"""The avatar in a real browser, without a graphics card: what it draws against what the renderer draws."""

import io
import json
import subprocess
import threading
from collections.abc import Generator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from heartfelt.expression.browser.flesh import order_of
from heartfelt.expression.face import Pose
from heartfelt.expression.face.names import UNITS
from heartfelt.expression.face.people import look_named
from heartfelt.expression.render import Renderer
from server.web.browser import chromium

from .conftest import Cast

pytestmark = [pytest.mark.embedded, pytest.mark.xdist_group("avatar")]

WEB = Path(__file__).parents[3] / "web"
STUDIO = WEB / "src" / "avatar" / "studio"
SIZE = 256
SOFTWARE = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None: ...


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, cast: Cast) -> Generator[str, None, None]:
    """The studio as built for a browser, with two people beside it."""
    assert (WEB / "node_modules" / ".bin" / "vite").exists(), "the web app's packages are not here: make web"
    folder = tmp_path_factory.mktemp("studio")
    command = ["npx", "vite", "build", str(STUDIO), "--base", "./", "--outDir", str(folder), "--logLevel", "error"]
    subprocess.run(command, cwd=WEB, check=True, timeout=240)
    for name in ("maya", "omar"):
        (folder / f"{name}.bin").write_bytes(cast.file(name))
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Generator[Browser, None, None]:
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium(), args=SOFTWARE)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def page(browser: Browser, address: str) -> Generator[Page, None, None]:
    page, wrong = browser.new_page(viewport={"width": SIZE, "height": SIZE}), list[str]()
    page.set_default_timeout(120_000)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto(f"{address}?fine&who=maya.bin")
    assert page.evaluate("studio.ready") == "ready"
    yield page
    assert wrong == []


def drawn(page: Page, **pose: Any) -> np.ndarray:
    page.evaluate("pose => studio.pose(pose)", pose)
    return np.asarray(Image.open(io.BytesIO(page.screenshot())).convert("RGB")).astype(int)


@pytest.mark.parametrize("name", ["maya", pytest.param("omar", marks=pytest.mark.slow)])
def test_the_mesh_moves_as_the_renderers_does(page: Page, cast: Cast, name: str):
    person = cast.person(name)
    order, chance = order_of(person), np.random.default_rng(11)
    for _ in range(4):
        units = {unit: round(float(chance.uniform(0, 1)), 3) for unit in chance.choice(UNITS, 14, replace=False)}
        pose = Pose(units=units, gaze_yaw=float(chance.integers(-25, 25)), gaze_pitch=float(chance.integers(-20, 20)))
        person.move(pose)
        wanted = person.moving.points[order.fine] - person.rig.pivot
        found = page.evaluate("([url, pose]) => studio.points(url, pose)", [f"{name}.bin", json.loads(pose.model_dump_json())])
        assert np.abs(np.array(found).reshape(-1, 3) - wanted).max() < 6e-4  # decimetres


def test_the_picture_is_the_renderers(page: Page, cast: Cast):
    renderer = Renderer(look_named("maya"), SIZE, head=cast.head)
    for pose in (Pose(), Pose(units={"jawOpen": 0.6}, yaw=15), Pose(units={"mouthSmileLeft": 1, "mouthSmileRight": 1})):
        found, wanted = drawn(page, **json.loads(pose.model_dump_json())), renderer.frame(pose).astype(int)
        assert np.abs(found - wanted).mean() < 4.5, pose


def test_lids_shut_and_the_mouth_opens(page: Page):
    rest = drawn(page)
    shut = drawn(page, units={"eyeBlinkLeft": 1, "eyeBlinkRight": 1})
    wide = drawn(page, units={"jawOpen": 0.8})
    assert np.abs(shut - rest).max(2)[90:115].max() > 60 and np.abs(shut - rest).max(2)[140:].max() < 40
    assert np.abs(wide - rest).max(2)[130:].max() > 60 and np.abs(wide - rest).max(2)[:70].max() < 40


@pytest.mark.slow
def test_the_page_shines_through_where_it_should(browser: Browser, address: str):
    page = browser.new_page(viewport={"width": SIZE, "height": SIZE})
    page.set_default_timeout(120_000)
    page.goto(f"{address}?fine&who=omar.bin&background=none&page=%23ff00ff")
    assert page.evaluate("studio.ready") == "ready"
    picture = drawn(page)
    assert picture[4, 4].tolist() == [255, 0, 255] and picture[-4, SIZE // 2].tolist() != [255, 0, 255]
    page.close()


@pytest.mark.slow
def test_another_person_takes_over(page: Page):
    before = drawn(page)
    page.evaluate("async () => { await studio.avatar.load('omar.bin') }")
    page.wait_for_timeout(700)
    assert np.abs(drawn(page) - before).mean() > 5
    page.evaluate("async () => { await studio.avatar.load('maya.bin') }")
    page.wait_for_timeout(700)
    np.testing.assert_allclose(drawn(page), before, atol=3)


def test_a_browser_that_cannot_draw_says_so(browser: Browser, address: str):
    page = browser.new_page()
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.goto(f"{address}?who=maya.bin")
    assert page.evaluate("studio.ready") == "NoGraphics"
    page.close()
