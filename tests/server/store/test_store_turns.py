"""Turns: numbered without gaps, changed field by field, and unfinished once their worker is gone."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from heartfelt.records import Readings
from heartfelt.server.store import AlreadySaid, NoSuchSession, NoSuchTurn, SessionStore, TurnHeld
from heartfelt.server.store.tables import TURN
from heartfelt.server.wire import Afterthought, Times

Say = Callable[..., int]
READINGS = Readings(duration=1.5, shares={"sad": 0.7, "angry": 0.3})


def test_a_turn_is_read_back_as_it_was_begun(store: SessionStore) -> None:
    made = store.create("ann").id
    given = {"said": "Ünïcödé 🙂", "by": "spoken", "readings": READINGS}
    begun = store.begin_turn(made, **given, worker="w1", lease_until=time.time() + 60)
    assert {name: getattr(begun, name) for name in given} == given
    assert (begun.number, begun.state, begun.reply, begun.times) == (0, "waiting", "", Times())
    assert store.turn(made, 0) == begun
    assert store.session(made, "ann").conversation == (begun,)


def test_numbers_are_unbroken_in_each_session(store: SessionStore, say: Say) -> None:
    one, other = store.create("ann").id, store.create("ann").id
    assert [say(store, each) for each in (one, one, other, one, other)] == [0, 1, 0, 2, 1]


def test_what_is_named_changes_and_the_rest_stays(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made)
    before = store.turn(made, number)
    changes: dict[str, Any] = {
        "state": "answered",
        "reply": "I hear you.",
        "interrupted": True,
        "heard": "I hear",
        "emotion": "sad",
        "times": Times(first_word_ms=12.5),
        "afterthought": Afterthought(step="cause", rather="Oh."),
        "readings": READINGS,
    }
    changed = store.change_turn(made, number, **changes)
    assert changed == before.model_copy(update=changes)
    assert store.turn(made, number) == changed
    cleared = store.change_turn(made, number, afterthought=None, readings=None)
    assert (cleared.afterthought, cleared.readings) == (None, None)


def test_a_number_or_an_unknown_field_cannot_be_changed(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made)
    for wrong in ({"number": 7}, {"session": "x"}, {"made": "now"}, {"reply": "a", "mood": "b"}):
        with pytest.raises(TypeError):
            store.change_turn(made, number, **wrong)  # pyright: ignore[reportArgumentType, reportCallIssue]
    assert store.change_turn(made, number) == store.turn(made, number)


def test_what_does_not_exist_is_refused(store: SessionStore, say: Say) -> None:
    with pytest.raises(NoSuchSession):
        say(store, "no-such-id")
    made = store.create("ann").id
    for ask in (store.turn, store.change_turn, store.clear_events, store.events, lambda i, n: store.hold(i, n, 0.0)):
        with pytest.raises(NoSuchTurn, match="no turn 3"):
            ask(made, 3)
    with pytest.raises(NoSuchTurn):
        store.take_turn(made, 3, worker="w2", lease_until=0.0)
    with pytest.raises(NoSuchSession):
        store.change_turn("no-such-id", 0, said="x")


@pytest.mark.parametrize("state", ["waiting", "answering"])
def test_a_turn_whose_worker_is_gone_is_unfinished(store: SessionStore, say: Say, state: Any) -> None:
    made = store.create("ann").id
    number = say(store, made, lease=-1)
    store.change_turn(made, number, state=state)
    assert store.turn(made, number).state == "unfinished"
    assert store.session(made, "ann").conversation[0].state == "unfinished"
    store.hold(made, number, time.time() + 60)
    assert store.turn(made, number).state == state


@pytest.mark.parametrize("state", ["answered", "failed"])
def test_what_is_over_stays_over(store: SessionStore, say: Say, state: Any) -> None:
    made = store.create("ann").id
    number = say(store, made, lease=-1)
    assert store.change_turn(made, number, state=state).state == state


def test_a_turn_moves_its_session_up(store: SessionStore, say: Say) -> None:
    made = store.create("ann")
    say(store, made.id)
    assert store.session(made.id, "ann").touched > made.touched


def test_words_that_come_later_give_the_title(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made, "")
    assert store.change_turn(made, number, said="I was heard.").said == "I was heard."
    assert store.session(made, "ann").title == "I was heard."


def test_text_that_no_database_takes_is_kept_all_the_same(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made, "a\0b\ud800c")
    assert store.turn(made, number).said == "a\ufffdb?c"


def test_a_number_that_is_none_does_not_harm_the_turn(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made)
    changed = store.change_turn(made, number, times=Times(first_word_ms=float("nan"), last_word_ms=2.0))
    assert changed.times == Times(last_word_ms=2.0)


def test_what_another_release_measured_does_not_hide_the_conversation(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made, "I am here.")
    with store._database.writing() as connection:
        connection.execute(TURN.update().values(readings={"of": "the future"}))
    assert (store.turn(made, number).said, store.turn(made, number).readings) == ("I am here.", None)
    assert store.export(made, "ann")["conversation"][0]["readings"] == {"of": "the future"}


def test_what_is_said_by_one_id_is_one_turn_of_its_session(store: SessionStore) -> None:
    one, other = store.create("ann").id, store.create("ann").id
    given: dict[str, Any] = {"by": "typed", "message_id": "a1", "worker": "w1", "lease_until": time.time() + 60}
    begun = store.begin_turn(one, said="I am here.", **given)
    store.unsaid(one, "a2")
    store.unsaid(other, "a1")
    with pytest.raises(AlreadySaid) as again:
        store.begin_turn(one, said="I am here.", **given)
    with pytest.raises(AlreadySaid):
        store.unsaid(one, "a1")
    assert again.value.turn == begun and store.session(one, "ann").conversation == (begun,)
    assert store.begin_turn(other, said="I am here.", **given).number == 0


def test_of_all_who_say_it_by_one_id_one_is_heard(url: str) -> None:
    with SessionStore.open(url) as one, SessionStore.open(url) as other, ThreadPoolExecutor(8) as threads:
        made = one.create("ann").id

        def say(nth: int) -> int:
            given: dict[str, Any] = {"said": "I am here.", "by": "typed", "message_id": f"m{nth // 4}"}
            try:
                return (one, other)[nth % 2].begin_turn(made, **given, worker="w1", lease_until=0.0).number
            except AlreadySaid as already:
                return already.turn.number

        numbers = list(threads.map(say, range(24)))
        assert sorted(numbers) == sorted([*range(6)] * 4)
        assert len(one.session(made, "ann").conversation) == 6


def test_threads_never_get_the_same_number(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    with ThreadPoolExecutor(8) as threads:
        numbers = list(threads.map(lambda _: say(store, made), range(48)))
    assert sorted(numbers) == list(range(48))
    assert [turn.number for turn in store.session(made, "ann").conversation] == list(range(48))


def test_workers_never_get_the_same_number(url: str, say: Say) -> None:
    with SessionStore.open(url) as one, SessionStore.open(url) as other, ThreadPoolExecutor(8) as threads:
        made = one.create("ann").id
        numbers = list(threads.map(lambda nth: say((one, other)[nth % 2], made), range(48)))
        assert sorted(numbers) == list(range(48))


def test_of_all_who_want_to_answer_again_one_may(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made, lease=-1)

    def take(nth: int) -> str:
        try:
            store.take_turn(made, number, worker=f"w{nth}", lease_until=time.time() + 60)
        except TurnHeld as refused:
            return str(refused)
        return "taken"

    with ThreadPoolExecutor(6) as threads:
        told = list(threads.map(take, range(6)))
    assert sorted(told)[-1] == "taken"
    assert told.count("taken") == 1
    assert all("it is waiting" in each for each in told if each != "taken")


def test_a_failed_turn_taken_up_has_failed_no_more(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made)
    store.change_turn(made, number, state="failed", error="The model was away.", reminder="Not all was checked.")
    taken = store.take_turn(made, number, worker="w2", lease_until=time.time() + 60)
    assert (taken.state, taken.error, taken.reminder) == ("waiting", "", "")
