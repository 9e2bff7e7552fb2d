"""Who reads a message, and which reviewed reply answers it."""

import asyncio

import pytest

from heartfelt.memory.embed import HashEmbedder
from heartfelt.records import Alert, Dialogue, Turn
from heartfelt.safety.detect import readers
from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.safety.detect.large_prompt import LABELS, LONGEST, danger_prompt, judged_prompt, spans
from heartfelt.safety.detect.large_reader import LargeReader, ReplyJudgement
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.safety.detect.reader import Read
from heartfelt.safety.detect.readers import TwoReaders, open_reader, suspects
from heartfelt.safety.respond import crisis_plan, reply_bank
from heartfelt.safety.screen import Screen
from heartfelt.safety.settings import Safety

SAID = Dialogue(turns=(Turn(speaker="User", text="Can he see what I write here?"),))
ALERT = Alert(tier="active", danger="abuse", who="self", state="open", act="private_here")
TIRED = Dialogue(turns=(Turn(speaker="User", text="I am so tired"),))


class Judging(ScriptedReader):
    """Likes what holds a word."""

    likes = ""

    async def judge(self, lines: tuple[str, ...], replies: tuple[str, ...]) -> list[ReplyJudgement]:
        assert lines[-1] == "Person: Can he see what I write here?"
        return [ReplyJudgement(0.9 if self.likes and self.likes in reply else 0.1, {"-": 1.0}) for reply in replies]


def letters(text: str) -> list[int]:
    return list(text.encode())


def pair(*, quick: ScriptedReader, large: ScriptedReader) -> TwoReaders:
    return TwoReaders(quick, large)  # type: ignore[arg-type]


async def read_of(reader: ScriptedReader, text: str) -> Read:
    return await reader.read(PersonMessage(text))


def test_every_label_has_a_token_of_its_own_and_none_is_anothers():
    tokens = [token for span in spans() for token in span]
    assert len(tokens) == len(set(tokens)) == sum(map(len, LABELS))


def test_of_a_long_talk_the_last_lines_are_read_and_the_message_always():
    message = PersonMessage("now", earlier=tuple(f"Person: line {n} {'x' * 20}" for n in range(40)))
    prompt = bytes(danger_prompt(message, letters)).decode()
    assert prompt.endswith("Person: now\nDanger:") and len(prompt) < LONGEST + 60
    alone = PersonMessage("y" * 900)
    assert bytes(danger_prompt(alone, letters)).decode().startswith("Person: yyy"), "what was just said is never left out"


def test_a_talk_that_goes_on_begins_with_the_same_tokens():
    first = PersonMessage("one")
    then = PersonMessage("two", earlier=("Person: one", "Listener: why?"))
    shared = bytes(danger_prompt(first, letters)).decode().removesuffix("Danger:")
    assert bytes(danger_prompt(then, letters)).decode().startswith(shared)
    assert bytes(judged_prompt(first.lines, "So do I.", letters)).decode() == f"{shared}Reply: So do I.\nJudged:"


async def test_where_a_talk_begins_the_quick_reader_is_a_second_witness():
    message = PersonMessage("the lathe goes to the lad next door")
    large = ScriptedReader(finds={"lathe": ("active", "suicide")}, share=0.6)
    doubting, agreeing = (ScriptedReader(finds={"lathe": ("active", "suicide")}, share=share) for share in (0.04, 0.9))
    assert (await pair(quick=doubting, large=large).read(message)).alarm < 0.4
    assert (await pair(quick=doubting, large=large).read(message, closely=True)).alarm == pytest.approx(0.6)
    assert (await pair(quick=agreeing, large=large).read(message)).alarm > 0.6


async def test_the_large_reader_is_asked_where_there_is_a_reason():
    quick = ScriptedReader(finds={"lathe": ("active", "suicide")}, share=0.05)
    large = ScriptedReader(finds={"lathe": ("active", "suicide"), "soup": ("imminent", "suicide")})
    both = pair(quick=quick, large=large)
    assert (await both.read(PersonMessage("the lathe goes to the lad next door"))).alarm == pytest.approx(1.0, abs=1e-4)
    assert (await both.read(PersonMessage("the soup was good"))).alarm == 0.0, "no reason to look closely"
    assert (await both.read(PersonMessage("the soup was good"), closely=True)).alarm == 1.0


async def test_what_rules_and_phrases_find_is_looked_at_closely():
    nothing = await read_of(ScriptedReader(), "x")
    assert suspects(nothing, PersonMessage("I want to kill myself"))
    assert not suspects(nothing, PersonMessage("The tomatoes are nearly ripe."))


async def test_what_is_not_english_is_left_to_the_large_reader():
    nothing = await read_of(ScriptedReader(), "")
    assert suspects(nothing, PersonMessage("Estou no telhado do meu prédio e não sei o que vou fazer"))
    assert not suspects(nothing, PersonMessage("The soup needs more salt than I thought."))


async def test_a_large_reader_that_is_late_leaves_it_to_the_quick_one(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(readers, "SECONDS", 0.01)
    both = pair(quick=ScriptedReader(finds={"a": ("active", "suicide")}, share=0.5), large=ScriptedReader(seconds=5.0))
    assert (await both.read(PersonMessage("a"))).alarm == 0.5


async def test_where_something_is_measured_a_late_large_reader_is_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(readers, "SECONDS", 0.01)
    quick, large = (ScriptedReader(finds={"a": ("active", "suicide")}, share=share) for share in (0.5, 0.9))
    large.seconds = 0.05
    both = TwoReaders(quick, large, patient=True)  # type: ignore[arg-type]
    assert (await both.read(PersonMessage("a"), closely=True)).alarm == 0.9


async def test_where_the_large_reader_fails_the_quick_one_decides_and_it_is_told():
    quick = ScriptedReader(finds={"lathe": ("active", "suicide")}, share=0.9)
    both = pair(quick=quick, large=ScriptedReader(fails=RuntimeError("no memory")))
    talk = Dialogue(turns=(Turn(speaker="User", text="the lathe goes to the lad next door"),))
    alert = await Screen(Safety(), both).look(talk)
    assert alert.tier == "active" and alert.failed == ("reader: RuntimeError",)


def test_replies_are_found_for_the_act_and_for_whose_danger_it_is():
    found = reply_bank.candidates(ALERT, {"private_here": 0.9}, SAID, HashEmbedder())
    written = {reply.text: reply for reply in reply_bank.replies()}
    assert len(found) == reply_bank.OFFERED
    assert all(written[text].act == "private_here" and written[text].who == "self" for text in found)
    again = Dialogue(turns=(SAID.last, Turn(speaker="Listener", text=found[0]), SAID.last))
    assert found[0] not in reply_bank.candidates(ALERT, {"private_here": 0.9}, again, HashEmbedder())


def test_a_doubt_is_met_without_the_word_and_without_numbers():
    doubt = ALERT.model_copy(update={"state": "doubt", "tier": "concern", "danger": "suicide"})
    for text in reply_bank.candidates(doubt, {"tells_more": 0.9}, TIRED, HashEmbedder()):
        assert "suicide" not in text and "{" not in text and "die" not in text.split()


def test_every_reply_of_the_bank_is_short_asks_once_and_shouts_never():
    assert len(reply_bank.replies()) == len(reply_bank.vectors())
    for reply in reply_bank.replies():
        assert len(reply.text.split()) <= 48 and reply.text.count("?") <= 1 and "!" not in reply.text


async def test_the_reply_that_answers_best_is_said_and_none_where_none_does(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reply_bank, "_embedder", HashEmbedder)
    reader = Judging(acts={"see what I write": "private_here"})
    assert await Screen(Safety(), reader).words(ALERT, SAID) == ""
    reader.likes = " "
    words = await Screen(Safety(), reader).words(ALERT, SAID)
    assert words in {reply.text for reply in reply_bank.replies()}
    said = crisis_plan.reply(ALERT, SAID, "GB", words)
    assert said.startswith(words.partition("{")[0].strip().rstrip("?").split("?")[0][:40])


def test_a_reader_that_is_not_known_is_refused_with_what_is():
    with pytest.raises(Exception, match="embedded:quick"):
        open_reader("embedded:slow")


def test_the_large_reader_understands_what_is_only_hinted_at():
    reader = LargeReader()
    hinted = reader.score(PersonMessage("My family would be better off with the insurance money."))
    assert hinted.alarm > 0.35 and hinted.who == "self" and hinted.thorough
    assert reader.score(PersonMessage("The coffee is cold and there is no milk.")).alarm < 0.05
    answer = PersonMessage("no, nothing like that, it's just the job", asked="Are you thinking of ending your life?")
    assert reader.score(answer).act == "denied" and reader.score(answer).alarm < 0.2
    asyncio.run(reader.warm())
    assert reader.loaded
