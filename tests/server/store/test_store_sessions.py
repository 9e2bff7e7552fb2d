"""Sessions: made, listed, changed, taken away, deleted; each seen by its owner only."""

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from heartfelt.server.store import NoSuchSession, NoSuchTurn, SessionStore
from heartfelt.server.store.sessions import title_of
from heartfelt.server.wire import SessionChange

Say = Callable[..., int]


def test_a_session_is_read_back_as_it_was_made(store: SessionStore) -> None:
    wish = {"recipe": "reflective", "model": "embedded:", "identity": "mara", "title": "Exams"}
    made = store.create("ann", **wish, pace="thorough")
    assert {name: getattr(made, name) for name in wish} == wish
    assert (made.pace, made.kept, made.turns, made.conversation) == ("thorough", True, 0, ())
    assert made.made == made.touched
    assert abs(datetime.fromisoformat(made.made) - datetime.now(UTC)) < timedelta(minutes=1)
    assert store.session(made.id, "ann") == made


def test_ids_cannot_be_guessed(store: SessionStore) -> None:
    ids = {store.create("ann").id for _ in range(20)}
    assert len(ids) == 20
    assert all(len(each) >= 22 for each in ids)


def test_the_list_has_the_latest_first(store: SessionStore, say: Say) -> None:
    first, second, third = (store.create("ann").id for _ in range(3))
    say(store, first)
    assert [line.id for line in store.list("ann")] == [first, third, second]
    assert [line.turns for line in store.list("ann")] == [1, 0, 0]
    assert [line.id for line in store.list("ann", limit=2)] == [first, third]
    assert store.list("bob") == ()


def test_only_what_is_named_changes(store: SessionStore) -> None:
    made = store.create("ann", recipe="direct", identity="mara")
    changed = store.change(made.id, "ann", SessionChange(identity="tom", title="Exams"))
    assert changed == made.model_copy(update={"identity": "tom", "title": "Exams"})
    assert store.change(made.id, "ann", SessionChange()) == changed
    assert store.session(made.id, "ann") == changed


def test_a_stranger_learns_nothing(store: SessionStore, say: Say) -> None:
    """Of another's session one hears the same as of one that never was."""
    own = store.create("ann").id
    say(store, own)
    asked = (store.session, store.delete, store.export, lambda i, o: store.change(i, o, SessionChange(title="x")))
    for ask in asked:
        told: set[str] = set()
        for which, who in ((own, "bob"), ("no-such-id", "bob"), (own, "")):
            with pytest.raises(NoSuchSession) as refused:
                ask(which, who)
            told.add(str(refused.value))
        assert len(told) == 1
    assert store.session(own, "ann").title == "I am here."


def test_deleting_takes_everything_with_it(store: SessionStore, say: Say) -> None:
    gone, stays = store.create("ann").id, store.create("ann").id
    for each in (gone, stays):
        store.add_events(each, say(store, each), [(False, "{}")])
    store.delete(gone, "ann")
    assert [line.id for line in store.list("ann")] == [stays]
    assert store.events(stays, 0) == ((False, "{}"),)
    for ask in (lambda: store.turn(gone, 0), lambda: store.events(gone, 0), lambda: store.add_events(gone, 0, [])):
        with pytest.raises(NoSuchTurn):
            ask()
    with pytest.raises(NoSuchSession):
        say(store, gone)
    with pytest.raises(NoSuchSession):
        store.delete(gone, "ann")


def test_an_export_holds_all_that_is_stored(store: SessionStore, say: Say) -> None:
    made = store.create("ann", title="Exams")
    number = say(store, made.id, "I failed.")
    store.change_turn(made.id, number, state="answered", reply="That hurts.")
    store.add_events(made.id, number, [(False, '{"kind": "a"}'), (True, '{"kind": "b"}')])
    taken = store.export(made.id, "ann")
    assert json.loads(json.dumps(taken)) == taken
    assert (taken["id"], taken["owner"], taken["title"]) == (made.id, "ann", "Exams")
    (turn,) = taken["conversation"]
    assert (turn["said"], turn["reply"], turn["worker"]) == ("I failed.", "That hurts.", "w1")
    assert turn["events"] == [
        {"looking_back": False, "tried": False, "event": {"kind": "a"}},
        {"looking_back": True, "tried": False, "event": {"kind": "b"}},
    ]


def test_what_nobody_touched_expires(store: SessionStore, say: Say) -> None:
    old, used = store.create("ann").id, store.create("bob").id
    time.sleep(0.002)
    between = datetime.now(UTC)
    say(store, used)
    assert store.expire(between - timedelta(days=1)) == 0
    assert store.expire(between.astimezone()) == 1
    assert store.list("ann") == ()
    assert [line.id for line in store.list("bob")] == [used]
    with pytest.raises(NoSuchSession):
        store.session(old, "ann")


def test_what_is_not_to_be_kept_cannot_come_to_a_disk(file_store: SessionStore) -> None:
    with pytest.raises(ValueError, match="in memory"):
        file_store.create("ann", kept=False)
    with SessionStore.open("sqlite://") as passing:
        assert not passing.create("ann", kept=False).kept


def test_a_store_in_memory_is_gone_when_it_is_closed() -> None:
    with SessionStore.open("sqlite://") as one, SessionStore.open("sqlite://") as other:
        one.create("ann")
        assert one.list("ann")
        assert not other.list("ann")


def test_the_first_words_are_the_title(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    say(store, made, "")
    assert store.session(made, "ann").title == ""
    say(store, made, "I failed my exam and my parents are furious with me, and I do not know what to say.")
    say(store, made, "Something else.")
    assert store.session(made, "ann").title == "I failed my exam and my parents are furious with me, and I"


def test_a_given_title_stays(store: SessionStore, say: Say) -> None:
    made = store.create("ann", title="Exams").id
    say(store, made)
    assert store.session(made, "ann").title == "Exams"


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("", ""),
        ("  Hello,\n\nworld  ", "Hello, world"),
        ("a" * 60, "a" * 60),
        ("a" * 61, "a" * 60),
        ("a" * 60 + " b", "a" * 60),
        ("b " + "a" * 60, "b"),
        ("测" * 80, "测" * 60),
    ],
)
def test_titles_are_whole_words_where_there_are_any(said: str, title: str) -> None:
    assert title_of(said) == title
