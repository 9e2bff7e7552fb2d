"""A break is suggested after long talk or many turns, again after as much more, and never to somebody in danger."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartfelt.errors import ModelError
from heartfelt.safety.detect.double import ScriptedReader
from heartfelt.safety.honesty import BREAK
from heartfelt.server.breaks import LONG, MANY, UNCHECKED, reminder
from heartfelt.server.wire import TurnView
from scripts import Stuck

from .serving import serving

START = datetime(2026, 3, 1, 20, tzinfo=UTC)
DARK = "I have it all laid out on the table before me."
SAID = "I failed my driving test today, and my father laughed at me."


class Clock:
    """Tells the time that it is told."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self, when: datetime | None = None) -> str:
        return (when or self.now).isoformat(timespec="microseconds")


def conversation(*gaps: float) -> list[TurnView]:
    """A turn after each gap, in minutes, answered as the server would."""
    turns: list[TurnView] = []
    now = START
    for number, gap in enumerate(gaps):
        now += timedelta(minutes=gap)
        turn = TurnView(number=number, state="answered", said="x", made=now.isoformat())
        turns.append(turn.model_copy(update={"reminder": reminder(turns, turn)}))
    return turns


def reminded(*gaps: float) -> list[int]:
    return [turn.number for turn in conversation(*gaps) if turn.reminder]


def test_after_every_forty_five_minutes_of_talk():
    assert reminded(*[5] * 30) == [9, 19, 29]
    assert reminded(*[5] * 9) == []


def test_after_every_sixty_turns():
    assert reminded(*[0.1] * 130) == [59, 119]


def test_a_pause_is_a_break():
    assert reminded(*[10] * 4, 16, *[10] * 4) == []
    assert reminded(*[0.1] * 50, 16, *[0.1] * 50) == []


@given(st.lists(st.floats(0, 60), max_size=150))
def test_nobody_is_reminded_again_without_having_talked_as_much_again(gaps: list[float]):
    turns, before = conversation(*gaps), -1
    for turn in turns:
        if turn.reminder:
            stretch = [datetime.fromisoformat(each.made) for each in turns[before + 1 : turn.number + 1]]
            assert len(stretch) >= MANY or stretch[-1] - stretch[0] >= LONG
            before = turn.number


def answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: list[str], fails: Exception | None = None) -> list[str]:
    """What each reply reminds of, where somebody says something every twelve minutes."""
    clock = Clock()
    monkeypatch.setattr("heartfelt.server.store.turns.moment", clock)
    reader = ScriptedReader(finds={DARK: ("active", "suicide")}, fails=fails)
    with serving(tmp_path, reader=reader) as served, served.client() as client:
        session = served.session()
        told: list[str] = []
        for text in texts:
            told.append(client.post(f"/api/sessions/{session}/messages", json={"text": text}).json()["reminder"])
            clock.now += timedelta(minutes=12)
        kept = client.get(f"/api/sessions/{session}").json()["conversation"]
    assert told == [turn["reminder"] for turn in kept]
    return told


def test_it_comes_with_the_reply_and_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert answered(tmp_path, monkeypatch, [SAID] * 6) == ["", "", "", "", BREAK, ""]


def test_nobody_in_danger_is_told_to_take_a_break(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert answered(tmp_path, monkeypatch, [SAID, SAID, SAID, SAID, DARK]) == [""] * 5


def test_that_danger_could_not_be_looked_for_is_said_beside_the_reply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    told = [SAID, "I want to kill myself tonight", SAID]
    assert answered(tmp_path, monkeypatch, told, ModelError("The weights are gone.")) == [UNCHECKED] * 3


def test_it_is_said_even_where_the_turn_could_not_be_answered(tmp_path: Path):
    reader = ScriptedReader(fails=ModelError("The weights are gone."))
    with serving(tmp_path, model=Stuck("perceive"), reader=reader, turn_seconds=0.5) as served, served.client() as client:
        session = served.session()
        client.post(f"/api/sessions/{session}/messages", json={"text": SAID})
        turn = client.get(f"/api/sessions/{session}").json()["conversation"][0]
    assert (turn["state"], turn["reminder"]) == ("failed", UNCHECKED)
