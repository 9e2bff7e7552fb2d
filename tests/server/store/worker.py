"""A worker as a process of its own: opens a database when told, then writes and reports until it is killed.

It says each thing only after the store has said that it is kept.
"""

import sys
import time

from heartfelt.server.store import SessionStore


def main(url: str, owner: str) -> None:
    _tell("ready")
    sys.stdin.readline()
    store = SessionStore.open(url)
    session = store.create(owner).id
    _tell(f"session {session}")
    while True:
        _turn(store, session)


def _turn(store: SessionStore, session: str) -> None:
    given = {"worker": "w1", "lease_until": time.time()}
    number = store.begin_turn(session, said="words " * 50, by="typed", **given).number
    _tell(f"turn {number}")
    for nth in range(3):
        store.add_events(session, number, [(False, f'["{"x" * 2000}", {nth}]')] * 2)
        _tell(f"events {number} {2 * nth + 2}")
    store.change_turn(session, number, state="answered", reply="reply " * 50)
    _tell(f"answered {number}")


def _tell(what: str) -> None:
    print(what, flush=True)


main(*sys.argv[1:])
