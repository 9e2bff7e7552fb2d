"""Two people at once, from many threads: nobody ever sees a row of the other."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from heartfelt.server.store import NoSuchSession, SessionStore

Say = Callable[..., int]


def test_owners_never_see_each_other(store: SessionStore, say: Say) -> None:
    ids = {owner: [store.create(owner, title=owner).id for _ in range(3)] for owner in ("ann", "bob")}

    def live(nth: int) -> int:
        owner, other = ("ann", "bob") if nth % 2 else ("bob", "ann")
        session = ids[owner][nth % 3]
        store.add_events(session, say(store, session, f"{owner} {nth}"), [(False, f'"{owner}"')])
        seen = store.session(session, owner)
        assert {turn.said.split()[0] for turn in seen.conversation} == {owner}
        assert {line.title for line in store.list(owner)} == {owner}
        assert {line for turn in seen.conversation for _, line in store.events(session, turn.number)} <= {f'"{owner}"'}
        return _refused(store, ids[other], owner)

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(live, range(36))) == 36 * 3


def _refused(store: SessionStore, strangers: list[str], owner: str) -> int:
    count = 0
    for each in strangers:
        try:
            store.session(each, owner)
        except NoSuchSession:
            count += 1
    return count


def test_sessions_come_and_go_while_others_are_in_use(store: SessionStore, say: Say) -> None:
    """Deleting rewrites a file: whoever writes meanwhile waits, and loses nothing."""
    stays = store.create("ann").id

    def come_and_go(nth: int) -> None:
        if nth % 4:
            say(store, stays, f"{nth}")
        else:
            gone = store.create("bob").id
            say(store, gone)
            store.delete(gone, "bob")

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(come_and_go, range(32)))
    assert store.list("bob") == ()
    said = {turn.said for turn in store.session(stays, "ann").conversation}
    assert said == {f"{nth}" for nth in range(32) if nth % 4}
