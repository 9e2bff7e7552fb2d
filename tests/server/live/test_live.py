"""Taking turns live: typed and spoken, answered in words, sound and face; spoken over; gone in the middle."""

import asyncio
import itertools
import json
import struct
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from heartfelt.listener import Listener
from heartfelt.models import Completion, Model, Request, Scripted
from heartfelt.records import Dialogue
from heartfelt.senses.media.pieces import Samples
from heartfelt.senses.sense import Senses
from heartfelt.senses.voice.transcribe import ScriptedTranscriber, Transcript
from heartfelt.server import runtime
from scripts import FULL, REPLY, Stuck, fine, good

from ..serving import HEARD, Ears, Served, sensing, serving
from .person import PATIENT, Message, person

SAID = "I failed my driving test today, and my father laughed at me."
LONG = (
    "Being mocked by your own dad when you needed him must hurt so much. "
    + "I am on your side, whatever comes of the next one."
)


class SlowTranscriber(ScriptedTranscriber):
    def transcribe(self, samples: Samples) -> Transcript:
        time.sleep(0.5)
        return super().transcribe(samples)


class SlowEars(Ears):
    def __init__(self) -> None:
        super().__init__()
        self.voice.transcriber = SlowTranscriber(self.voice.transcriber._script)


def slowly(model: Model) -> Senses:
    return replace(sensing(model), ears=SlowEars)  # type: ignore[arg-type]


class Slow(Scripted):
    """Writes its reply word by word, with time between."""

    def __init__(self, between: float = 0.03):
        super().__init__(FULL | {"audit": fine, "respond": LONG})
        self.between = between

    async def stream(self, request: Request):
        completion: Completion = await self.complete(request)
        for word in completion.text.split(" "):
            yield word + " "
            await asyncio.sleep(self.between)
        yield completion


async def test_a_typed_message_is_answered_in_words_sound_and_face(served: Served):
    async with person(served, served.session()) as ana:
        ready = await ana.kind("ready")
        assert ready["session"]["conversation"] == []
        await ana.send(kind="begin", voice=True)
        await ana.send(kind="say", text=SAID)
        turn = await ana.turn("answered")
        last = await ana.until(lambda each: each["kind"] == "speech" and each["last"])
        await ana.until(lambda _each: (0, last["piece"]) in ana.sounds)
        speech = [each for each in ana.told if each["kind"] == "speech"]
    assert turn["reply"] == REPLY and turn["by"] == "typed"
    assert [each["piece"] for each in speech] == list(range(len(speech))) and last is speech[-1]
    for before, after in itertools.pairwise(speech):
        assert after["start"] == pytest.approx(before["start"] + before["seconds"], abs=0.001)
    assert all(len(ana.sounds[0, each["piece"]]) == 2 * round(each["seconds"] * 24_000) for each in speech)
    words = [word for each in speech for word in each["timeline"]["words"]]
    assert [REPLY[word["at"] : word["at"] + len(word["text"])] for word in words] == [word["text"] for word in words]
    assert " ".join(word["text"] for word in words) == REPLY.replace(".", "")
    assert any("jawOpen" in each["timeline"]["channels"] for each in speech)


async def test_without_a_wish_for_a_voice_nothing_is_spoken(served: Served):
    async with person(served, served.session()) as ana:
        await ana.send(kind="begin", voice=False)
        await ana.send(kind="say", text=SAID)
        await ana.turn("answered")
        await ana.send(kind="ping", sent=1.5)
        assert (await ana.kind("pong"))["sent"] == 1.5
    assert not ana.sounds


async def test_speech_ends_the_turn_by_silence_and_the_times_count_from_its_last_sound(served: Served):
    async with person(served, served.session()) as ana:
        await ana.send(kind="begin", microphone=True, voice=True)
        await ana.speak(0.3, loud=False)
        await ana.speak(1.0)
        await ana.speak(2.0, loud=False)
        turn = await ana.turn("answered")
        timed = await ana.until(lambda each: each["kind"] == "turn" and each["turn"]["times"]["first_sound_ms"])
    assert (turn["said"], turn["by"]) == (HEARD, "spoken")
    assert turn["readings"]["words"]
    activity = [each["event"]["speaking"] for each in ana.told if each["kind"] == "sensing" and "speaking" in each["event"]]
    assert activity == [True, False]
    times = timed["turn"]["times"]
    assert 300 < times["understood_ms"] < times["first_word_ms"] <= times["first_sound_ms"] < 4000


async def test_an_answer_is_begun_in_the_silence_after_which_it_is_sure_that_the_person_has_finished(tmp_path: Path):
    ahead: list[tuple[float, str]] = []

    class Ahead(Listener):
        async def read_ahead(self, dialogue: Dialogue, *, whole: bool = True) -> None:
            ahead.append((time.monotonic(), dialogue.last.text))
            await super().read_ahead(dialogue, whole=whole)

    with serving(tmp_path) as served, pytest.MonkeyPatch.context() as patch:
        patch.setattr(runtime, "Listener", Ahead)
        async with person(served, served.session()) as ana:
            await ana.send(kind="begin", microphone=True)
            await ana.speak(1.0)
            await ana.speak(2.0, loud=False)
            begun = await ana.until(lambda each: each["kind"] == "turn")
            await ana.turn("answered")
    (began, words) = ahead[0]
    assert words == HEARD and began < begun["at"]


async def test_a_button_ends_the_turn_without_waiting(served: Served):
    async with person(served, served.session()) as ana:
        await ana.send(kind="begin", microphone=True)
        await ana.speak(1.0)
        await ana.send(kind="end turn")
        assert (await ana.turn("answered"))["said"] == HEARD


async def test_the_first_sound_comes_before_the_last_word_is_written(tmp_path: Path):
    with serving(tmp_path, model=Slow(0.08)) as served:
        async with person(served, served.session()) as ana:
            await ana.send(kind="begin", voice=True)
            await ana.send(kind="say", text=SAID)
            await ana.until(lambda each: each["kind"] == "speech" and each["last"])
            timed = await ana.until(lambda each: each["kind"] == "turn" and each["turn"]["times"]["last_sound_ms"])
    times = timed["turn"]["times"]
    assert times["first_word_ms"] < times["first_sound_ms"] < times["last_word_ms"]


async def test_speaking_over_the_reply_ends_it_and_what_was_not_heard_is_not_remembered(tmp_path: Path):
    model = good(respond=LONG)
    with serving(tmp_path, model=model) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.send(kind="begin", microphone=True, voice=True)
            await ana.send(kind="say", text=SAID)
            await ana.until(lambda each: each["kind"] == "speech" and each["last"])
            spoken = asyncio.create_task(ana.speak(0.6))
            began = asyncio.get_running_loop().time()
            hush = await ana.kind("hush")
            assert asyncio.get_running_loop().time() - began < 0.6  # while it is still being spoken over
            assert hush["why"] == "spoken over"
            await ana.send(kind="stop", turn=0, at=1.0)
            await spoken
            await ana.until(lambda each: each["kind"] == "turn" and 0 < len(each["turn"]["heard"]) < 20)
            await ana.speak(1.5, loud=False)
            await ana.turn("answered", 1)
            turn = [each["turn"] for each in ana.told if each["kind"] == "turn" and each["turn"]["number"] == 0][-1]
    assert turn["interrupted"] and LONG.startswith(turn["heard"]) and turn["reply"] == LONG
    said = model.asked("respond")[-1].messages
    prompt = "\n".join(message.text for message in said)
    assert turn["heard"] in prompt and "whatever comes" not in prompt


async def test_a_stop_while_it_is_still_written_keeps_what_was_heard(tmp_path: Path):
    with serving(tmp_path, model=Slow(0.15)) as served:
        async with person(served, served.session()) as ana:
            await ana.send(kind="begin", voice=True)
            await ana.send(kind="say", text=SAID)
            await ana.kind("speech")
            await ana.send(kind="stop", turn=0, at=0.7)
            turn = (await ana.until(lambda each: each["kind"] == "turn" and each["turn"]["interrupted"]))["turn"]
    assert turn["state"] == "answered" and turn["heard"] and LONG.startswith(turn["heard"])
    assert len(turn["heard"]) < len(turn["reply"]) < len(LONG)


async def test_a_new_message_while_one_is_thought_about_takes_its_place(tmp_path: Path):
    model = Stuck("plan")
    with serving(tmp_path, model=model) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.send(kind="say", text="I failed.")
            await ana.until(lambda each: each["kind"] == "happened" and each["event"].get("step") == "plan")
            model.step = ""
            await ana.send(kind="say", text=SAID)
            await ana.turn("answered", 1)
        with served.client() as client:
            turns = client.get(f"/api/sessions/{session}").json()["conversation"]
    assert [turn["state"] for turn in turns] == ["unfinished", "answered"]


async def test_somebody_who_pauses_and_goes_on_has_said_one_thing(tmp_path: Path):
    model = Stuck("plan")
    with serving(tmp_path, model=model) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.send(kind="begin", microphone=True)
            await ana.speak(1.0)
            await ana.speak(1.5, loud=False)
            await ana.until(lambda each: each["kind"] == "happened" and each["event"].get("step") == "plan")
            model.step = ""
            await ana.speak(1.0)
            await ana.speak(1.5, loud=False)
            turn = await ana.turn("answered")
        with served.client() as client:
            turns = client.get(f"/api/sessions/{session}").json()["conversation"]
    assert turn["said"] == f"{HEARD} {HEARD}" and len(turns) == 1


async def test_a_line_that_stalls_in_mid_sentence_is_no_silence(tmp_path: Path):
    with serving(tmp_path) as served:
        async with person(served, served.session()) as ana:
            await ana.send(kind="begin", microphone=True)
            await ana.speak(1.0)
            await ana.speak(0.2, loud=False)
            await asyncio.sleep(1.2)
            await ana.speak(1.0)
            await ana.speak(1.5, loud=False)
            turn = await ana.turn("answered")
            begun = [each["turn"] for each in ana.told if each["kind"] == "turn"]
    assert turn["said"] == f"{HEARD} {HEARD}"
    assert {each["said"] for each in begun} == {turn["said"]}, "it was answered in the middle"


async def test_sound_that_ends_without_a_word_about_it_is_a_silence(tmp_path: Path):
    with serving(tmp_path) as served:
        async with person(served, served.session()) as ana:
            await ana.send(kind="begin", microphone=True)
            await ana.speak(1.0)
            await ana.speak(0.3, loud=False)
            assert (await ana.turn("answered"))["said"] == HEARD


@pytest.mark.parametrize(
    "switched",
    [
        {"microphone": False},
        {"microphone": False, "camera": True},
        {"microphone": True, "tone": True},
        {"microphone": True, "tone": True, "camera": True},
    ],
)
async def test_who_switches_in_the_middle_of_a_word_has_said_what_was_heard_until_then(
    served: Served, switched: dict[str, bool]
):
    session = served.session()
    async with person(served, session) as ana:
        await ana.send(kind="begin", microphone=True, camera=switched.get("camera", False), voice=False)
        await ana.speak(1.0)
        await ana.send(kind="begin", **switched, voice=False)
        assert (await ana.turn("answered"))["said"] == HEARD
        await ana.send(kind="begin", microphone=True, voice=False)
        await ana.speak(1.0)
        await ana.speak(1.5, loud=False)
        assert (await ana.turn("answered", 1))["said"] == HEARD
    await _conversation(served, session, [HEARD, HEARD])
    assert not [each for each in ana.told if each["kind"] == "error"]


async def test_who_switches_while_nothing_was_said_has_said_nothing(served: Served):
    session = served.session()
    async with person(served, session) as ana:
        await ana.send(kind="begin", microphone=True)
        await ana.speak(0.5, loud=False)
        for tone in (True, False):
            await ana.send(kind="begin", microphone=True, tone=tone)
        await ana.send(kind="begin", microphone=False)
        await ana.send(kind="ping")
        await ana.kind("pong")
    assert served.conversation(session) == [] and not [each for each in ana.told if each["kind"] == "error"]


async def test_what_is_spoken_too_soon_is_kept_without_an_answer_and_the_microphone_is_off(tmp_path: Path):
    with serving(tmp_path, messages_a_minute=4) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.send(kind="begin", microphone=True)
            await ana.speak(1.0)
            await ana.send(kind="begin", microphone=False)
            assert (await ana.kind("error"))["code"] == "too_fast"
            assert (await ana.turn("unfinished"))["said"] == HEARD
            await ana.speak(0.04)
            await ana.until(lambda each: "microphone was not allowed" in each.get("message", ""))


async def test_a_closed_tab_in_mid_turn_loses_nothing(tmp_path: Path):
    with serving(tmp_path, model=Slow(0.05)) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.send(kind="begin", voice=True)
            await ana.send(kind="say", text=SAID)
            await ana.until(lambda each: each["kind"] == "happened" and each["event"]["kind"] == "wrote")
        async with person(served, session) as ana:
            assert (await ana.kind("ready"))["session"]["conversation"][0]["state"] == "answering"
            turn = await ana.turn("answered")
        assert turn["reply"] == LONG
        with served.client() as client:
            assert "heartfelt_live_sockets 0.0" in client.get("/metrics").text


async def test_who_leaves_in_the_middle_of_a_sentence_finds_it_again(served: Served):
    session = served.session()
    async with person(served, session) as ana:
        await ana.send(kind="begin", microphone=True)
        await ana.speak(1.0)
    async with person(served, session) as ana:
        (turn,) = await _conversation(served, session, [HEARD])
        assert turn["by"] == "spoken"
        await ana.send(kind="again", turn=0)
        assert (await ana.turn("answered"))["said"] == HEARD
    await _conversation(served, session, [HEARD])


async def test_who_leaves_while_it_is_not_sure_that_they_have_finished_is_heard_once(served: Served):
    session = served.session()
    async with person(served, session) as ana:
        await ana.send(kind="begin", microphone=True)
        await ana.speak(1.0)
        await ana.speak(0.3, loud=False)
    await _conversation(served, session, [HEARD])


async def test_what_was_said_before_the_line_broke_stands_before_what_is_said_after(tmp_path: Path):
    with serving(tmp_path, sensing=slowly) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.send(kind="begin", microphone=True)
            await ana.speak(1.0)
        async with person(served, session) as ana:
            await ana.send(kind="say", text=SAID)
            await ana.turn("answered", 1)
        await _conversation(served, session, [HEARD, SAID])


@pytest.mark.parametrize("silence", [0.0, 0.2])
async def test_typed_words_do_not_take_the_place_of_spoken_ones(tmp_path: Path, silence: float):
    with serving(tmp_path, sensing=slowly) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.send(kind="begin", microphone=True, voice=False)
            await ana.speak(1.0)
            await ana.speak(silence, loud=False)
            await ana.send(kind="say", text="My mother did not.")
            await ana.speak(1.5, loud=False)
            await ana.turn("answered", 1)
        await _conversation(served, session, [HEARD, "My mother did not."])


async def test_what_is_spoken_right_after_typed_words_is_said_too(served: Served):
    """As it comes from a page whose line was broken: all at once."""
    session = served.session()
    async with person(served, session) as ana:
        await ana.send(kind="begin", microphone=True, voice=False)
        await ana.speak(0.2, loud=False)
        await ana.send(kind="say", text=SAID, id="m1")
        await ana.speak(0.4, at_once=True)
        await ana.speak(1.5, loud=False)
        assert (await ana.turn("answered", 1))["said"] == HEARD
    assert served.conversation(session)[0]["said"] == SAID


async def test_words_that_arrive_with_the_last_breath_of_the_line_are_kept(served: Served):
    session = served.session()
    async with person(served, session) as ana:
        await ana.send(kind="begin", microphone=True)
        for number in range(60):
            await ana.socket.send(struct.pack("<Bd", 1, number * 0.04) + bytes(1280))
        await ana.send(kind="say", text=SAID)
        await ana.socket.close()
    await _conversation(served, session, [SAID])


async def test_what_had_arrived_when_the_line_broke_is_still_taken(served: Served):
    """A line on which nothing can be told any more, while messages from it still lie there."""
    session = served.session()
    begin, say = json.dumps({"kind": "begin"}), json.dumps({"kind": "say", "text": SAID})
    arrived = iter([{"type": "websocket.connect"}, *({"type": "websocket.receive", "text": text} for text in (begin, say))])

    async def receive() -> Any:
        await asyncio.sleep(0.05)
        return next(arrived, {"type": "websocket.disconnect", "code": 1006})

    async def send(message: Any) -> None:
        if message["type"] == "websocket.send":
            raise OSError

    headers = [(b"host", b"127.0.0.1"), (b"authorization", b"Bearer ana")]
    scope = {"type": "websocket", "path": f"/api/sessions/{session}/live", "query_string": b"", "headers": headers}
    there = served.server.servers[0].get_loop()
    await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(served.app(scope, receive, send), there))
    assert [turn["said"] for turn in served.conversation(session)] == [SAID]


async def _conversation(served: Served, session: str, said: list[str]) -> list[Message]:
    """What is in it once nobody works on it any more; that is to be what was said, and nothing else."""
    over = ("answered", "unfinished")
    for _ in range(10 * int(PATIENT)):
        found = served.conversation(session)
        if len(found) >= len(said) and all(turn["state"] in over for turn in found):
            break
        await asyncio.sleep(0.1)
    assert [turn["said"] for turn in found] == said
    return found


async def test_words_that_are_sent_again_are_told_as_they_are(tmp_path: Path):
    with serving(tmp_path) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.send(kind="say", text=SAID, id="m1")
            assert (await ana.turn("answered"))["message_id"] == "m1"
    with serving(tmp_path) as served:
        async with person(served, session) as ana:
            await ana.send(kind="begin", microphone=True, voice=False)
            await ana.speak(1.0)
            await ana.send(kind="say", text=SAID, id="m1")
            assert (await ana.turn("answered"))["reply"] == REPLY
            await ana.speak(1.5, loud=False)
            assert (await ana.turn("answered", 1))["said"] == HEARD
            await ana.send(kind="say", text=SAID, id="m2")
            await ana.turn("answered", 2)
        await _conversation(served, session, [SAID, HEARD, SAID])
        assert not [each for each in ana.told if each["kind"] == "error"]


async def test_words_that_two_lines_bring_at_once_are_said_once(served: Served):
    session = served.session()
    async with person(served, session) as ana, person(served, session) as again:
        for number in range(5):
            await asyncio.gather(*(each.send(kind="say", text=f"{SAID} {number}", id=f"m{number}") for each in (ana, again)))
        await asyncio.gather(*(each.turn("answered", 4) for each in (ana, again)))
        await _conversation(served, session, [f"{SAID} {number}" for number in range(5)])
        assert not [each for each in (*ana.told, *again.told) if each["kind"] == "error"]


async def test_what_is_said_while_the_turn_before_a_reload_is_still_answered_waits_for_it(tmp_path: Path):
    model = Slow(0.1)
    with serving(tmp_path, model=model) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.send(kind="say", text=SAID)
            await ana.until(lambda each: each["kind"] == "happened" and each["event"]["kind"] == "wrote")
        async with person(served, session) as ana:
            await ana.send(kind="say", text="My mother did not.")
            turn = await ana.turn("answered", 1)
    assert turn["said"] == "My mother did not."
    assert any(LONG in str(request) and "My mother did not." in str(request) for request in model.requests)


async def test_who_leaves_while_their_turn_waits_finds_it_unfinished(tmp_path: Path):
    model = Stuck("plan")
    with serving(tmp_path, model=model) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.send(kind="say", text=SAID)
            await ana.until(lambda each: each["kind"] == "happened" and each["event"].get("step") == "plan")
        async with person(served, session) as ana:
            await ana.send(kind="say", text="My mother did not.")
            await ana.turn("waiting", 1)
        with served.client() as client:
            states = ["", ""]
            async with asyncio.timeout(10):
                while states[1] != "unfinished":
                    await asyncio.sleep(0.1)
                    states = [turn["state"] for turn in client.get(f"/api/sessions/{session}").json()["conversation"]]
    assert states[0] == "answering"


@pytest.mark.parametrize(
    "message",
    [
        "no json",
        '{"kind": "dance"}',
        '{"kind": "say"}',
        '{"kind": "say", "text": ""}',
        '{"kind": "again", "turn": 99}',
        b"",
        b"\x01\x00",
        struct.pack("<Bd", 9, 1.0) + b"xx",
        struct.pack("<Bd", 1, float("nan")) + b"xx",
        struct.pack("<Bd", 2, 0.0) + b"no jpeg",
    ],
)
async def test_what_cannot_be_used_is_told_and_the_socket_stays(served: Served, message: str | bytes):
    async with person(served, served.session()) as ana:
        await ana.socket.send(message)
        error = await ana.kind("error")
        assert error["code"] == "invalid" and error["message"]
        await ana.send(kind="ping", sent=2)
        await ana.kind("pong")


async def test_sound_that_comes_before_begin_is_heard_once_it_is_allowed(served: Served):
    async with person(served, served.session()) as ana:
        await ana.speak(1.0)
        await ana.send(kind="begin", microphone=True, voice=False)
        await ana.speak(1.2, loud=False)
        assert (await ana.turn("answered"))["said"] == HEARD
    assert not [each for each in ana.told if each["kind"] == "error"]


async def test_sound_that_comes_before_begin_is_forgotten_where_it_is_not_allowed(served: Served):
    async with person(served, served.session()) as ana:
        await ana.speak(1.0)
        await ana.send(kind="begin", microphone=False)
        await ana.speak(0.04)
        assert "microphone was not allowed" in (await ana.kind("error"))["message"]
        await ana.send(kind="begin", microphone=True)
        await ana.speak(1.2, loud=False)
        await ana.send(kind="end turn")
        assert (await ana.until(lambda each: each.get("message") == "Nothing was heard yet."))["code"] == "invalid"


async def test_who_never_says_begin_is_told_before_the_sound_piles_up(served: Served):
    async with person(served, served.session()) as ana:
        for _ in range(6):
            await ana.socket.send(struct.pack("<Bd", 1, 0.0) + bytes(32_000))
        assert "send a `begin`" in (await ana.kind("error"))["message"]


async def test_a_picture_that_is_no_jpeg_is_told_though_the_camera_is_allowed(served: Served):
    async with person(served, served.session()) as ana:
        await ana.send(kind="begin", camera=True)
        await ana.socket.send(struct.pack("<Bd", 2, 0.0) + b"no jpeg")
        assert "JPEG" in (await ana.kind("error"))["message"]


async def test_a_session_of_another_cannot_be_joined(served: Served):
    with pytest.raises(ConnectionClosed) as closed:
        async with person(served, served.session("ana"), who="ben") as ben:
            await ben.socket.recv()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404


async def test_what_is_said_over_the_api_is_heard_in_the_room(served: Served):
    session = served.session()
    async with person(served, session) as ana:
        await ana.kind("ready")
        with served.client() as client:
            await asyncio.to_thread(client.post, f"/api/sessions/{session}/messages", json={"text": SAID})
        assert (await ana.turn("answered"))["said"] == SAID


async def test_too_many_sockets_are_refused(tmp_path: Path):
    with serving(tmp_path, live=1) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.kind("ready")
            with pytest.raises(ConnectionClosed) as closed:
                async with person(served, session) as other:
                    await other.socket.recv()
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013


async def test_one_caller_does_not_take_every_socket(tmp_path: Path):
    with serving(tmp_path, live=3, live_each=1) as served:
        session, other = served.session(), served.session("ben")
        async with person(served, session) as ana:
            await ana.kind("ready")
            with pytest.raises(ConnectionClosed) as closed:
                async with person(served, session) as again:
                    await again.socket.recv()
            async with person(served, other, who="ben") as ben:
                await ben.kind("ready")
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013 and "other tabs" in closed.value.rcvd.reason


async def test_a_caller_has_one_pace_on_the_socket_and_beside_it(tmp_path: Path):
    with serving(tmp_path, messages_a_minute=16) as served:
        session = served.session()
        async with person(served, session) as ana:
            await ana.kind("ready")
            for _ in range(20):
                await ana.send(kind="say", text=SAID)
            refused = await ana.kind("error")
            assert refused["code"] == "too_fast" and "Go on in" in refused["message"]
            await ana.send(kind="ping", sent=3)
            await ana.kind("pong")
            with served.client() as client:
                assert client.post("/api/sessions", json={}).status_code == 429
                assert len(client.get(f"/api/sessions/{session}").json()["conversation"]) <= 3
        assert served.session("ben")


async def test_a_server_that_may_not_look_or_listen_says_so(tmp_path: Path):
    with serving(tmp_path, senses=False) as served:
        async with person(served, served.session()) as ana:
            await ana.send(kind="begin", microphone=True)
            assert "neither looks nor listens" in (await ana.kind("error"))["message"]
