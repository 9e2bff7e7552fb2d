"""Nothing glad is said where danger is only hinted at."""

import pytest

from heartfelt import Listener, Setup
from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.detect.reader import Read
from heartfelt.safety.guard import sober
from heartfelt.safety.screen import Screen
from heartfelt.safety.settings import Safety
from scripts import Shelf, Telling, good, talk

HINT = "I've not booked anything for Friday, or any Friday."
GLAD, SOBER = "Ha, good for you! Enjoy your Friday.", "You keep your Fridays empty. What is behind that?"


class Uneasy(ScriptedReader):
    """Finds a little danger in a hint, having read the whole talk."""

    unease = 0.1

    async def read(self, message: PersonMessage, *, closely: bool = False) -> Read:
        read = await super().read(message, closely=closely)
        none = 1 - self.unease * (message.text == HINT)
        return read._replace(tiers=read.tiers | {"none": none, "concern": 1 - none}, thorough=True)


async def test_unease_is_told_of_the_last_two_messages():
    screen = Screen(Safety(), Uneasy())
    assert (await screen.look(talk(HINT))).unease == pytest.approx(0.1)
    assert (await screen.look(talk(HINT, "And?", "Soup."))).unease == pytest.approx(0.1)
    assert (await screen.look(talk(HINT, "And?", "Soup.", "Which?", "Leek."))).unease == 0
    assert (await Screen(Safety(), ScriptedReader()).look(talk(HINT))).unease == 0, "the quick reader knows too little"


@pytest.mark.parametrize(
    "text", [GLAD, "Good luck on Thursday!", "What a surprise!", "You'll be fine.", "You sound quite alright."]
)
def test_in_unease_no_bright_word_is_talk(text: str):
    assert sober.problems(sober.UNEASY)(text)
    assert not sober.problems(0.0)(text)


@pytest.mark.parametrize(
    "text", [SOBER, "I hope he's all right.", "Tell me if you're all right.", "What would be best for her?"]
)
def test_a_sober_word_may_always_be_talk(text: str):
    assert not sober.problems(1.0)(text)


def test_a_forbidden_one_may_never_be_talk():
    assert sober.problems(0.0)("You should kill yourself.") and sober.problems(1.0)("You should kill yourself.")


@pytest.mark.parametrize(("text", "reply"), [(HINT, SOBER), ("I passed!", GLAD)])
async def test_a_glad_reply_to_a_hint_is_mended(text: str, reply: str):
    async with Listener(
        Setup(recipe="heartfelt"), model=good(respond=[GLAD, SOBER]), memory=Shelf(), classifier=Telling(), reader=Uneasy()
    ) as heard:
        assert (await heard.answer(talk(text))).reply == reply
