"""A dialogue file is words and nothing else: whatever it names, no other file is opened and nobody is called."""

import base64
import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heartfelt import Trace, TraceWriter
from heartfelt.errors import InputError
from heartfelt.intake import LARGEST_STILL, MOST_STILLS, of_bytes, of_file, of_json
from heartfelt.models import Capabilities
from heartfelt.models.openai import OpenAIModel
from heartfelt.models.seam import Message
from heartfelt.page import write_page
from heartfelt.recipes import RECIPES
from heartfelt.safety.settings import Safety
from scripts import good, listening

CANARY = "canary-7f3a: the key of the house"
JPEG = base64.b64encode(b"\xff\xd8\xff\xe0 not much of a picture").decode()
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n not much either").decode()


class Watch:
    """What Python opens and calls while somebody watches. A hook of the interpreter stays, so there is only one."""

    def __init__(self) -> None:
        self.on = False
        self.opened: list[str] = []
        self.called: list[object] = []
        sys.addaudithook(self._told)

    def _told(self, event: str, args: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event == "open":
            self.opened.append(str(args[0]))
        elif event in (
            "socket.connect",
            "socket.getaddrinfo",
            "socket.sendto",
            "urllib.Request",
            "subprocess.Popen",
            "os.system",
        ):
            self.called.append(args)


_WATCH = Watch()


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    def refused(*_: object) -> None:
        raise AssertionError("Nobody may be called.")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket.socket, "connect_ex", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    _WATCH.opened, _WATCH.called, _WATCH.on = [], [], True
    yield _WATCH
    _WATCH.on = False


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    path = tmp_path / "canary.txt"
    path.write_text(CANARY)
    return path


def addresses(canary: Path) -> list[str]:
    return [
        str(canary),
        f"file://{canary}",
        f"../../../../../..{canary}",
        "./canary.txt",
        "file:///etc/passwd",
        "/etc/passwd",
        "..\\..\\windows\\win.ini",
        "http://127.0.0.1:9/canary.txt",
        "https://example.com/canary.jpg",
        "ftp://example.com/x",
        "data:text/plain;base64,Y2FuYXJ5",
        "//example.com/x",
        "\\\\example.com\\share\\x",
        f"$(cat {canary})",
        f"`cat {canary}`",
        f"{{% include '{canary}' %}}",
        f"{{{{ ''.__class__.__mro__[1].__subclasses__() }}}} {{% include '{canary}' %}}",
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{canary}">]><x>&e;</x>',
        f'{{"$ref": "file://{canary}"}}',
        f"!include {canary}",
        f"@{canary}",
    ]


def everywhere(address: str) -> dict[str, Any]:
    """A dialogue with the address in every field that takes a text."""
    readings = {
        "duration": 1,
        "sensed": [
            {
                "source": "face",
                "note": address,
                "cues": [{"source": "face", "text": address, "start": 0, "end": 1, "strength": 1}],
                "moments": [{"start": 0, "end": 1, "shares": {address: 1}, "reliability": 1}],
            }
        ],
        "words": [{"text": address, "start": 0, "end": 1}],
        "conflict": {"start": 0, "end": 1, "score": 1, "text": address},
    }
    last = {"speaker": address, "text": address, "emotion": address, "readings": readings}
    frame = {"mime": "image/jpeg", "data": JPEG}
    return {
        "id": address,
        "split": address,
        "listener": "Mia",
        "lesson": {"said": address, "instruction": address},
        "turns": [{"speaker": "Mia", "text": address}, last | {"keyframes": [frame]}],
    }


@pytest.mark.parametrize("profile", ["full", "compact"])
@pytest.mark.parametrize("recipe", RECIPES)
async def test_a_turn_about_addresses_opens_none_of_them(
    recipe: str, profile: str, tmp_path: Path, canary: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(canary.parent)
    for address in addresses(canary):
        model = good(profile, capabilities=Capabilities(profile=profile, images=True, context=100_000))  # type: ignore[arg-type]
        listener = listening(recipe, model, safety=Safety(on=False))
        dialogue = of_bytes(json.dumps(everywhere(address)).encode(), "it.json")
        writer = TraceWriter(tmp_path / "out" / "trace.jsonl")
        await listener.answer(dialogue, observers=(writer,))
        write_page(Trace.read(writer.path), tmp_path / "out" / "trace.html")
        sent = "".join(message.model_dump_json() for request in model.requests for message in request.messages)
        written = writer.path.read_text() + (tmp_path / "out" / "trace.html").read_text()
        for secret in (CANARY, base64.b64encode(CANARY.encode()).decode(), "root:x:0:0"):
            assert secret not in sent + written
    assert not watch.called
    assert not [path for path in watch.opened if "canary" in path or "passwd" in path]


@pytest.mark.parametrize("field", ["data", "mime"])
def test_a_picture_is_its_own_bytes_and_no_address(field: str, canary: Path, watch: Watch):
    for address in addresses(canary):
        frame = {"mime": "image/jpeg", "data": JPEG} | {field: address}
        turn = {"speaker": "Ana", "text": "Look.", "keyframes": [frame]}
        with pytest.raises(InputError, match=r"keyframes\.0 of turn 1 of it") as caught:
            of_json([turn], "it")
        assert CANARY not in str(caught.value)
    assert not watch.called and not [path for path in watch.opened if "canary" in path]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        ({"mime": "image/png", "data": JPEG}, "is no image/png in base64"),
        ({"mime": "image/jpeg", "data": PNG}, "is no image/jpeg in base64"),
        ({"mime": "image/svg+xml", "data": base64.b64encode(b"<svg/>").decode()}, "of the kind 'image/svg\\+xml'"),
        ({"mime": "text/html", "data": JPEG}, "Give one of: image/jpeg, image/png"),
        ({"mime": 'image/jpeg"><script>', "data": JPEG}, "of the kind"),
        ({"data": ""}, "is no image/jpeg"),
        ({"data": "/9j/" + "A" * (LARGEST_STILL * 2)}, "larger than 10 MB"),
    ],
)
def test_what_is_no_picture_is_refused(frame: dict[str, Any], message: str):
    with pytest.raises(InputError, match=message):
        of_json([{"speaker": "Ana", "text": "Look.", "keyframes": [frame]}], "it")


def test_pictures_are_read_up_to_a_number():
    turn = {"speaker": "Ana", "text": "Look.", "keyframes": [{"data": JPEG}] * MOST_STILLS}
    assert len(of_json([turn], "it").keyframes) == MOST_STILLS
    with pytest.raises(InputError, match="has 65 keyframes; at most 64"):
        of_json([turn | {"keyframes": [{"data": JPEG}] * 65}], "it")


def test_a_picture_is_sent_as_data_whatever_it_claims():
    dialogue = of_json([{"speaker": "Ana", "text": "Look.", "keyframes": [{"mime": "image/png", "data": PNG}]}], "it")
    model = OpenAIModel("http://127.0.0.1:1/v1", "m", capabilities=Capabilities(images=True))
    sent = model._message(Message(role="user", text="x", images=dialogue.keyframes))
    assert sent["content"][0]["image_url"]["url"] == f"data:image/png;base64,{PNG}"


@pytest.mark.parametrize(
    "field", ["$ref", "include", "file", "path", "url", "src", "video", "audio", "recording", "model", "memory"]
)
def test_a_field_that_could_name_a_file_is_unknown(field: str, canary: Path):
    for data in (
        {"turns": [{"speaker": "Ana", "text": "Hm."}], field: str(canary)},
        {"turns": [{"speaker": "Ana", "text": "Hm.", field: str(canary)}]},
        {"turns": [{"speaker": "Ana", "text": "Hm.", "keyframes": [{"data": JPEG, field: str(canary)}]}]},
    ):
        with pytest.raises(InputError, match="not permitted"):
            of_json(data, "it")


@pytest.mark.parametrize("readings", [{"duration": 1, "sensed": [{"source": "face"}, {"source": "face"}]}])
def test_each_sense_speaks_once(readings: dict[str, Any]):
    with pytest.raises(InputError, match="several readings of one sense"):
        of_json([{"speaker": "Ana", "text": "Hm.", "readings": readings}], "it")


def test_a_cue_is_short():
    cue = {"source": "face", "text": "x" * 400, "start": 0, "end": 1, "strength": 1}
    readings = {"duration": 1, "sensed": [{"source": "face", "cues": [cue]}]}
    with pytest.raises(InputError, match="has 400 characters; at most 300"):
        of_json([{"speaker": "Ana", "text": "Hm.", "readings": readings}], "it")


def test_a_file_is_read_and_no_other(tmp_path: Path, canary: Path, watch: Watch):
    (tmp_path / "it.txt").write_text(f"file://{canary}")
    assert of_file(tmp_path / "it.txt").last.text == f"file://{canary}"
    assert [path for path in watch.opened if str(tmp_path) in path and "it.txt" not in path] == []
