"""A real Chromium whose camera and microphone are fed from files, and a person who uses the app in it."""

import shutil
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, expect, sync_playwright

from ..serving import Served

expect.set_options(timeout=30_000)

ROOT = Path(__file__).parents[3]
TALK = ROOT / "samples" / "talk.mp4"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
DESK, PHONE, TABLET = (1280, 800), (390, 844), (768, 1024)
ON_BOTH = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
ON_A_DESK = pytest.mark.parametrize("size", [DESK, pytest.param(PHONE, marks=pytest.mark.slow)], ids=["desk", "phone"])
ON_A_PHONE = pytest.mark.parametrize("size", [PHONE, pytest.param(DESK, marks=pytest.mark.slow)], ids=["phone", "desk"])
"""What is done in the same way on both; `make nightly` tries the other one too."""
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_SERIOUS = ("serious", "critical")
_AT_REST = """() => Promise.allSettled(
    document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished))"""


def chromium() -> str:
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    assert found, "The browser tests need Chromium. `make test` installs it, or says how."
    return found


def film(folder: Path) -> Path:
    """The sample's pictures in the form that Chromium's fake camera takes."""
    target = folder / "camera.mjpeg"
    with av.open(str(TALK)) as source, av.open(str(target), "w", format="mjpeg") as sink:
        stream = sink.add_stream("mjpeg", rate=10, width=320, height=240, pix_fmt="yuvj420p")
        stream.time_base = Fraction(1, 10)
        for number, frame in enumerate(frame for i, frame in enumerate(source.decode(video=0)) if i % 3 == 0):
            small = frame.reformat(width=320, height=240, format="yuvj420p")
            small.pts, small.time_base = number, Fraction(1, 10)
            sink.mux(stream.encode(small))
            if number >= 40:
                break
        sink.mux(stream.encode())
    return target


def sound(folder: Path, *pieces: tuple[float, float], name: str = "microphone.wav") -> Path:
    """Silence, and the sample's speech: each piece is seconds of silence, and seconds of speech after it."""
    with av.open(str(TALK)) as source:
        resampler = av.AudioResampler(format="s16", layout="mono", rate=48_000)
        frames = [out for frame in source.decode(audio=0) for out in resampler.resample(frame)]
    speech = np.concatenate([frame.to_ndarray().ravel() for frame in frames])
    parts = [
        part for quiet, loud in pieces for part in (np.zeros(round(quiet * 48_000), np.int16), speech[: round(loud * 48_000)])
    ]
    target = folder / name
    with wave.open(str(target), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(np.concatenate(parts).astype("<i2").tobytes())
    return target


class Visitor:
    """Somebody at the page. What the browser complains about is kept."""

    def __init__(self, page: Page, context: BrowserContext):
        self.page, self.context = page, context
        self.complaints: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def come_in(self, *switches: str) -> None:
        """Through the opening, with these switches turned on."""
        for name in switches:
            self.page.get_by_role("switch", name=name).click()
        self.page.get_by_role("button", name="Come in").click()
        self.page.get_by_label("Your words").wait_for()

    def say(self, text: str) -> None:
        self.page.get_by_label("Your words").fill(text)
        self.page.get_by_label("Your words").press("Enter")

    def serious(self) -> list[str]:
        """What axe finds seriously wrong with the page, at rest, for people who use it otherwise."""
        self.page.evaluate(_AT_REST)
        self.page.evaluate(AXE.read_text("utf-8"))
        found = self.page.evaluate("() => axe.run()")["violations"]
        return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found if each["impact"] in _SERIOUS]

    def wide(self) -> bool:
        """Whether the page scrolls sideways."""
        return self.page.evaluate("document.documentElement.scrollWidth > innerWidth + 1")

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "GPU stall" not in message.text:
            self.complaints.append(message.text)


@contextmanager
def visiting(
    served: Served,
    *,
    microphone: Path | None = None,
    camera: Path | None = None,
    size: tuple[int, int] = (1280, 800),
    locale: str = "en-GB",
    drawn: bool = False,
) -> Iterator[Visitor]:
    """`locale`: what the browser is set to. `drawn`: with the moving face, which takes most of a test's time where there is no
    graphics card; else with a picture."""
    flags = ["--no-sandbox", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    flags += ["--enable-unsafe-swiftshader" if drawn else "--disable-3d-apis", "--autoplay-policy=no-user-gesture-required"]
    files = [f"--use-file-for-fake-audio-capture={microphone}%noloop"] if microphone else []
    files += [f"--use-file-for-fake-video-capture={camera}"] if camera else []
    with _browsers[-1].opened(flags, files) as browser:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale=locale)
        visitor = Visitor(context.new_page(), context)
        visitor.page.goto(served.url)
        try:
            yield visitor
        finally:
            context.close()


class Browsers:
    """One Chromium for all visits that want the same of it; one of its own for each whose camera or microphone plays a file."""

    def __init__(self, playwright: Playwright):
        self._playwright = playwright
        self._kept: dict[tuple[str, ...], Browser] = {}

    @contextmanager
    def opened(self, flags: list[str], files: list[str]) -> Iterator[Browser]:
        if files:
            browser = self._launch([*flags, *files])
            yield browser
            browser.close()
        else:
            if tuple(flags) not in self._kept:
                self._kept[tuple(flags)] = self._launch(flags)
            yield self._kept[tuple(flags)]

    def close(self) -> None:
        for browser in self._kept.values():
            browser.close()

    def _launch(self, flags: list[str]) -> Browser:
        return self._playwright.chromium.launch(executable_path=chromium(), args=flags)


_browsers: list[Browsers] = []


@contextmanager
def browsers() -> Iterator[None]:
    """Visits within it share their browsers."""
    with sync_playwright() as playwright:
        _browsers.append(Browsers(playwright))
        try:
            yield
        finally:
            _browsers.pop().close()
