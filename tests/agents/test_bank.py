"""Plain replies for when nothing better is sure."""

import re
from collections import Counter

import pytest

from heartfelt.agents.bank import KINDS, fitting, replies
from heartfelt.labels import label_set
from heartfelt.records import Dialogue, Turn
from heartfelt.safety.guard import forbidden

OPENING = Dialogue(turns=(Turn(speaker="User", text="she is gone since monday"),))


def test_every_kind_has_many_and_some_for_later():
    for kind in KINDS:
        count = Counter(reply.when for reply in replies() if reply.kind == kind)
        assert sum(count.values()) >= 40 and count["later"] >= 5


def test_they_are_short_and_of_known_feelings_and_may_be_said():
    emotions = set(label_set("ed32").labels)
    assert len({reply.text for reply in replies()}) == len(replies())
    for reply in replies():
        assert reply.feelings <= emotions and 1 <= reply.mark <= 5
        assert 5 <= len(reply.text.split()) <= 35
        assert not forbidden.faults(reply.text), reply.text


def test_they_name_no_number():
    assert not [reply.text for reply in replies() if re.search(r"\d", reply.text)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_words_get_the_same_replies_of_their_kind(kind: str):
    found = fitting(OPENING, kind=kind, emotion="sad")
    assert len(found) == 3 and found == fitting(OPENING, kind=kind, emotion="sad")
    assert {reply.kind for reply in replies() if reply.text in found} == {kind}


def test_nothing_is_said_twice_in_a_talk():
    said = fitting(OPENING, kind="loss", emotion="sad", most=1)[0]
    later = Dialogue(
        turns=(*OPENING.turns, Turn(speaker="Listener", text=said), Turn(speaker="User", text="she is gone since monday"))
    )
    assert said not in fitting(later, kind="loss", emotion="sad", most=50)
