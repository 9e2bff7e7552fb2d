"""Traces: lines in the order in which they came, of one turn."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from heartfelt.server.store import SessionStore

Say = Callable[..., int]


def test_lines_come_back_in_order(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made)
    assert store.events(made, number) == ()
    store.add_events(made, number, [(False, '{"n": 1}'), (False, '{"n": "\\u0000"}')])
    store.add_events(made, number, [])
    store.add_events(made, number, [(True, '{"n": 3}')])
    assert store.events(made, number) == ((False, '{"n": 1}'), (False, '{"n": "\\u0000"}'), (True, '{"n": 3}'))


def test_clearing_one_turn_leaves_the_others(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    for number in (say(store, made), say(store, made)):
        store.add_events(made, number, [(False, "{}")])
    store.clear_events(made, 0)
    assert store.events(made, 0) == ()
    assert store.events(made, 1) == ((False, "{}"),)
    store.add_events(made, 0, [(False, '{"again": 1}')])
    assert store.events(made, 0) == ((False, '{"again": 1}'),)


def test_what_is_tried_stands_beside_the_trace_until_it_is_kept(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made)
    store.add_events(made, number, [(False, "1")])
    store.try_events(made, number, ["2", "3"])
    store.try_events(made, number, ["4"])
    store.add_events(made, number, [(True, "5")])
    assert store.events(made, number) == ((False, "1"), (True, "5")) and store.tried(made, number) == ("4",)
    assert store.keep(made, number, ["4", "6"], reply="Other words.").reply == "Other words."
    assert [line for _, line in store.events(made, number)] == ["1", "5", "4", "6"] and store.tried(made, number) == ()


def test_threads_lose_no_line_and_tear_no_batch(store: SessionStore, say: Say) -> None:
    made = store.create("ann").id
    number = say(store, made)

    def add(nth: int) -> None:
        store.add_events(made, number, [(False, f"[{nth}, {part}]") for part in range(3)])

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(add, range(24)))
    lines = [line for _, line in store.events(made, number)]
    batches = [lines[start : start + 3] for start in range(0, len(lines), 3)]
    assert sorted(batches) == sorted([f"[{nth}, {part}]" for part in range(3)] for nth in range(24))
