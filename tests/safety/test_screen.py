"""The screen: any detector raises the alert, none lowers it, and one that fails leaves the others to act."""

import asyncio

import pytest

from heartfelt.errors import ModelError
from heartfelt.models import Scripted
from heartfelt.records import Dialogue, Moment, Readings, Sensed, Turn
from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.safety.detect.frame import WINDOW, windows
from heartfelt.safety.screen import HELD, Screen
from heartfelt.safety.settings import Safety

DIRECT = "I want to kill myself tonight."
QUIET = "The bus was late and it rained."


def talk(*said: str, replies: str = "I see.") -> Dialogue:
    turns = [turn for text in said for turn in (Turn(speaker="User", text=text), Turn(speaker="Listener", text=replies))]
    return Dialogue(turns=tuple(turns[:-1]))


async def looked(dialogue: Dialogue, reader: ScriptedReader | None = None, **safety: object):
    guard = safety.pop("model", None)
    return await Screen(Safety(**safety), reader or ScriptedReader(), guard).look(dialogue)  # type: ignore[arg-type]


async def test_ordinary_talk_alarms_nobody():
    alert = await looked(talk(QUIET))
    assert (alert.tier, alert.danger, alert.signs, alert.failed) == ("none", None, (), ())


async def test_the_rules_alone_alarm():
    alert = await looked(talk(DIRECT))
    assert alert.tier in ("active", "imminent") and alert.danger == "suicide"
    assert all(sign.quote in DIRECT for sign in alert.signs)


async def test_the_reader_alone_alarms():
    alert = await looked(talk(QUIET), ScriptedReader({"bus": ("active", "abuse")}))
    assert (alert.tier, alert.danger, alert.signs[0].by) == ("active", "abuse", "reader")


async def test_a_reader_that_sees_nothing_lowers_nothing():
    assert (await looked(talk(DIRECT), ScriptedReader())).tier != "none"


@pytest.mark.parametrize(
    ("reader", "why"),
    [
        (ScriptedReader(fails=ModelError("The weights are gone.")), "reader: The weights are gone."),
        (ScriptedReader(fails=RuntimeError("secret")), "reader: RuntimeError"),
        (ScriptedReader(seconds=9), "reader: no answer within 0.05 s"),
    ],
)
async def test_where_the_reader_fails_or_is_late_the_rules_still_act(reader: ScriptedReader, why: str):
    alert = await looked(talk(DIRECT), reader, seconds=0.05)
    assert alert.tier in ("active", "imminent") and alert.failed == (why,)


async def test_without_the_reader_weighed_phrases_help_the_rules():
    hint = "he hit me again last night and locked the door, i am so scared of him"
    alert = await looked(talk(hint), ScriptedReader(fails=ModelError("gone")))
    assert alert.tier in ("active", "imminent") and "phrases" in {sign.by for sign in alert.signs}
    assert "phrases" not in {sign.by for sign in (await looked(talk(hint))).signs}


async def test_a_screen_that_is_cancelled_is_cancelled():
    task = asyncio.create_task(looked(talk(QUIET), ScriptedReader(seconds=9)))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize(
    ("answer", "tier", "danger"),
    [
        ("Safety: Unsafe\nCategories: Suicide & Self-Harm", "active", "suicide"),
        ("Safety: Controversial\nCategories: Violent", "concern", "violence"),
        ("Safety: Unsafe\nCategories: Copyright Violation", "none", None),
        ("Safety: Safe\nCategories: None", "none", None),
    ],
)
async def test_a_guard_model_is_asked_too(answer: str, tier: str, danger: str | None):
    alert = await looked(talk(QUIET), model=Scripted({"guard": answer}))
    assert (alert.tier, alert.danger) == (tier, danger)


async def test_a_guard_model_that_talks_of_something_else_is_left_out():
    alert = await looked(talk(DIRECT), model=Scripted({"guard": "Hello!"}))
    assert alert.tier != "none" and alert.failed[0].startswith("guard: ")


async def test_an_alarm_stands_for_some_turns_and_is_a_concern_for_good():
    held = HELD[(await looked(talk(DIRECT))).tier]
    for after in range(1, held + 1):
        alert = await looked(talk(DIRECT, *[QUIET] * after))
        assert alert.tier in ("active", "imminent") and alert.signs[0].by == "before"
    assert (await looked(talk(DIRECT, *[QUIET] * (held + 1)))).tier == "concern"
    assert (await looked(talk(DIRECT, *[QUIET] * 40))).tier == "concern"


async def test_a_short_answer_is_read_with_what_was_said_before_it():
    reader = ScriptedReader({"bridge. yes": ("imminent", "suicide")})
    assert (await looked(talk("I look at the bridge.", "yes, now"), reader)).tier == "imminent"


@pytest.mark.parametrize(
    ("asked", "said", "tier"),
    [
        ("Are you thinking of ending your life?", "sometimes", "active"),
        ("Are you thinking of ending your life?", "no, not at all", "none"),
        ("Are you having thoughts of not wanting to live?", "Yes.", "active"),
        ("Have you been hurting yourself?", "i guess so", "active"),
        ("Is the child safe right now?", "no", "active"),
        ("Is the child safe right now?", "yes she is", "none"),
        ("Would you like some tea?", "yes", "none"),
        ("I thought of ending it. I mean the meeting.", "yes", "none"),
    ],
)
async def test_a_direct_question_can_be_answered(asked: str, said: str, tier: str):
    dialogue = Dialogue(
        turns=(Turn(speaker="User", text=QUIET), Turn(speaker="Listener", text=asked), Turn(speaker="User", text=said))
    )
    assert (await looked(dialogue)).tier == tier


def sad(share: float) -> Readings:
    moment = Moment(start=0, end=1, shares={"sadness": share, "joy": 1 - share}, reliability=0.9)
    return Readings(duration=1, sensed=tuple(Sensed(source=source, moments=(moment,)) for source in ("face", "voice")))


async def test_face_and_voice_may_raise_an_alert_and_never_lower_one():
    said = Dialogue(turns=(Turn(speaker="User", text=QUIET, readings=sad(0.9)),))
    assert (await looked(said)).tier == "concern"
    glad = Dialogue(turns=(Turn(speaker="User", text=DIRECT, readings=sad(0.0)),))
    assert (await looked(glad)).tier == (await looked(talk(DIRECT))).tier


@pytest.mark.parametrize("deployment", ["workplace", "education"])
async def test_at_work_and_in_schools_faces_and_voices_say_nothing(deployment: str):
    said = Dialogue(turns=(Turn(speaker="User", text=QUIET, readings=sad(0.9)),))
    assert (await looked(said, deployment=deployment)).tier == "none"


def test_a_long_message_is_read_in_pieces_that_overlap_the_last_first():
    words = [f"w{i}" for i in range(5 * WINDOW)]
    pieces = windows(" ".join(words))
    assert pieces[0].split()[-1] == words[-1] and pieces[-1].split()[0] == words[0]
    assert {word for piece in pieces for word in piece.split()} == set(words)
    assert all(len(piece.split()) <= WINDOW for piece in pieces)


async def test_danger_in_the_middle_of_a_long_letter_is_found():
    letter = f"{'It was a long day. ' * 80} {DIRECT} {'Anyway, the garden. ' * 80}"
    assert (await looked(talk(letter))).tier in ("active", "imminent")


@pytest.mark.reader
@pytest.mark.embedded
@pytest.mark.xdist_group("reader")
async def test_the_real_reader_tells_danger_from_its_look_alike():
    from heartfelt.safety.detect.reader import usual_reader

    reader = usual_reader()
    grave = await reader.read(
        "I've written the letters and given my dog to my sister. After Sunday nobody has to worry about me."
    )
    light = await reader.read(
        "We are moving to Lisbon on Sunday, so my sister takes the dog and I have written to all our friends."
    )
    assert grave.alarm > 0.5 > light.alarm and grave.danger in ("suicide", "despair")
