"""A long talk in a real browser: pages that are loaded again, replies that are interrupted, a server that is killed twice."""

import json
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocket, expect

from ..serving import Served
from ..tones import pitch_of, sentence_of
from .browser import Visitor, visiting

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
TURNS, KILLS, SEED = 30, 2, 7
PATIENT = 60.0
START = """
import sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from server.serving import serving
from server.tones import sensing
with serving(Path(sys.argv[2]), sensing=sensing, port=int(sys.argv[3])) as served:
    print(served.url, flush=True)
    time.sleep(600)
"""
MICROPHONE = """
navigator.mediaDevices.getUserMedia = async () => {
  const context = new AudioContext();
  const air = context.createMediaStreamDestination();
  window.sound = (pitch, seconds) => {
    const tone = new OscillatorNode(context, { frequency: pitch });
    tone.connect(new GainNode(context, { gain: 0.3 })).connect(air);
    tone.start();
    tone.stop(context.currentTime + seconds);
    window.spoken = new Promise((over) => (tone.onended = over));
  };
  return air.stream;
};
"""
"""Of which the page's own way from the microphone to the socket is left as it is."""


class KillableServer:
    def __init__(self, folder: Path):
        self._folder, self._port, self.url = folder, 0, ""
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", START, str(Path(__file__).parents[2]), str(self._folder), str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        self._port = int(self.url.rsplit(":", 1)[1])

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()


class Talk:
    def __init__(self, someone: Visitor, server: KillableServer):
        self.someone, self.server, self.page = someone, server, someone.page
        self.chance, self.did = random.Random(SEED), Counter[str]()
        self.kills = set(self.chance.sample(range(3, TURNS - 1), KILLS))
        self.said: list[str] = []
        self.voice, self.voices = False, 0
        """Whether the server hears one, and how many it has heard."""
        self.typed = False
        self.page.on("websocket", self._opened)

    def go(self) -> None:
        does = {"goes on": self._wait, "stops": self._stop, "loads again": self._load, "listens": self._listen}
        for number in range(TURNS):
            how = self.chance.choice((self._type, self._speak))
            self.said.append(sentence_of(number))
            self.typed = how == self._type
            self.page.evaluate("window.spoken")  # nobody says two things at once
            how(number)
            what = "kills" if number in self.kills else self.chance.choice(tuple(does))
            self.did.update((how.__name__, what))
            (self._kill if what == "kills" else does[what])()

    def stored(self) -> list[dict[str, Any]]:
        path = "/api/sessions/" + self.page.evaluate("location.hash.split('/')[2]")
        return json.loads(self.page.evaluate(f"fetch('{path}').then((answer) => answer.text())"))["conversation"]

    def until(self, happened: Callable[[], bool]) -> None:
        for _ in range(round(PATIENT / 0.1)):
            if happened():
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"It did not happen. The person {dict(self.did)}; the page shows {self.shown()}.")

    def shown(self) -> list[str]:
        return self.page.get_by_label("What was said").locator(".from-you .said").all_text_contents()

    # ── how something is said ───────────────────────────────────────────────────────────────────────────────────

    def _type(self, number: int) -> None:
        self.someone.say(sentence_of(number))

    def _speak(self, number: int) -> None:
        """Until the server has heard some of it; the rest is said while something else happens."""
        self.until(lambda: not self.voice)
        voices = self.voices
        self.page.evaluate(f"sound({pitch_of(number)}, 0.9)")
        self.until(lambda: self.voices > voices)
        self.page.wait_for_timeout(300)

    # ── what happens then ───────────────────────────────────────────────────────────────────────────────────────

    def _wait(self) -> None:
        self.page.wait_for_timeout(1500 * self.chance.random())

    def _stop(self) -> None:
        self._wait()
        stop = self.page.get_by_role("button", name="Stop the answer")
        if stop.is_visible():
            stop.dispatch_event("click")

    def _load(self) -> None:
        self._wait()
        self.page.reload()
        self._switch_on()

    def _listen(self) -> None:
        expect(self.page.get_by_role("status")).to_contain_text("speaking")
        expect(self.page.get_by_role("status")).not_to_contain_text("speaking")

    def _kill(self) -> None:
        """What was typed counts at once, what was spoken once it is stored."""
        if not self.typed:
            self.until(lambda: self.said[-1] in " ".join(turn["said"] for turn in self.stored()))
        self.page.wait_for_timeout(500 * self.chance.random())
        self.server.kill()
        self._wait()
        self.server.start()

    def _switch_on(self) -> None:
        self.page.get_by_role("button", name="Microphone off").click()
        expect(self.page.get_by_role("button", name="Microphone on")).to_be_visible()

    def _opened(self, socket: WebSocket) -> None:
        self.voice = False
        socket.on("framereceived", self._told)

    def _told(self, frame: str | bytes) -> None:
        event = json.loads(frame).get("event", {}) if isinstance(frame, str) else {}
        if event.get("kind") == "voice activity":
            self.voice = event["speaking"]
            self.voices += self.voice


def test_every_sentence_of_a_long_talk_is_in_it_once_and_in_its_order(tmp_path: Path):
    server = KillableServer(tmp_path)
    try:
        with visiting(Served(server.url, None, None)) as someone:  # type: ignore[arg-type]  # it runs elsewhere
            someone.context.add_init_script(MICROPHONE)
            someone.page.reload()
            talk = Talk(someone, server)
            someone.come_in("Keep this conversation", "Microphone")
            talk.go()
            talk.until(lambda: talk.said[-1] in " ".join(turn["said"] for turn in talk.stored()))
            talk.until(lambda: not {turn["state"] for turn in talk.stored()} & {"waiting", "answering"})
            stored = [turn["said"] for turn in talk.stored()]
            assert " ".join(stored).split("Today") == " ".join(talk.said).split("Today"), stored
            talk.until(lambda: talk.shown() == stored)
            assert len(talk.did) == 7, "not everything happened"
    finally:
        server.kill()
