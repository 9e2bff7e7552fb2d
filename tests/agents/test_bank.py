"""Plain replies for when nothing better is sure."""

import re
from collections import Counter

import pytest

from heartfelt.agents.bank import OFFERED, UNKNOWING, Candidate, centres, fitting, neutral, replies
from heartfelt.agents.kinds import KINDS
from heartfelt.labels import label_set
from heartfelt.memory import MiniLM
from heartfelt.records import Dialogue, Turn
from heartfelt.safety.guard import forbidden
from heartfelt.text import seems_to_ask


def texts(found: tuple[Candidate, ...]) -> list[str]:
    return [candidate.text for candidate in found]


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


def test_the_kinds_are_the_label_set_of_messages():
    assert tuple(KINDS) == label_set("messages").labels


def test_every_group_has_a_middle():
    groups = {reply.group for reply in replies() if reply.group is not None}
    assert groups <= set(range(len(centres()))) and len(groups) > 300


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_words_get_the_same_replies_and_all_of_their_kind(kind: str):
    found = fitting(OPENING, kinds={kind: 1.0}, emotion="sad")
    assert len(found) == OFFERED and found == fitting(OPENING, kinds={kind: 1.0}, emotion="sad")
    assert {reply.kind for reply in replies() if reply.text in texts(found)} == {kind}


def test_nothing_is_said_twice_in_a_talk():
    said = fitting(OPENING, kinds={"loss": 1.0}, most=1)[0].text
    turns = (*OPENING.turns, Turn(speaker="Listener", text=said), OPENING.last)
    assert said not in texts(fitting(Dialogue(turns=turns), kinds={"loss": 1.0}, most=50))


def test_what_supposes_nothing_is_of_no_kind_and_not_said_twice_while_there_is_another():
    heard = [OPENING.turns[0]]
    for _ in range(10):
        said = neutral(Dialogue(turns=tuple(heard)))
        assert said not in {turn.text for turn in heard}
        heard += [Turn(speaker="Listener", text=said), OPENING.turns[0]]
    assert not any(reply.text in texts(fitting(OPENING, kinds={"loss": 1.0}, most=99)) for reply in replies() if not reply.kind)


def test_replies_to_a_group_are_found_by_what_was_said_and_two_at_most():
    said = Dialogue(turns=(Turn(speaker="User", text="We buried our old dog today. The house is so quiet."),))
    found = fitting(said, kinds={"loss": 1.0}, embedder=MiniLM(), most=12)
    groups = Counter(reply.group for reply in replies() if reply.text in texts(found) and reply.group is not None)
    assert groups and max(groups.values()) <= 2
    anybody = texts(fitting(said, kinds={"loss": 1.0}, most=12))
    assert not any(reply.group is not None for reply in replies() if reply.text in anybody)


def test_nobody_is_glad_over_what_may_be_a_grief():
    kind_of = {reply.text: reply.kind for reply in replies()}
    unsure = fitting(OPENING, kinds={"mixed": 0.45, "delight": 0.17, "good": 0.13, "loss": 0.12}, most=50)
    assert not {kind_of[text] for text in texts(unsure)} & {"good", "delight"}
    likely = fitting(OPENING, kinds={"mixed": 0.45, "delight": 0.25, "good": 0.2}, most=50)
    assert {kind_of[text] for text in texts(likely)} & {"good", "delight"}


def test_who_asks_where_nothing_is_known_hears_that_there_is_no_answer():
    asked = Dialogue(turns=(Turn(speaker="User", text="I split my hollandaise. How do I save it?"),))
    said = neutral(asked)
    assert said in UNKNOWING and neutral(asked) == said
    turns = list(asked.turns)
    for _ in UNKNOWING:
        turns += [Turn(speaker="Listener", text=neutral(Dialogue(turns=tuple(turns)))), asked.turns[0]]
    heard = [turn.text for turn in turns if turn.speaker == "Listener"]
    assert len(set(heard)) == len(heard)
    assert neutral(Dialogue(turns=tuple(turns))) not in UNKNOWING
    assert neutral(Dialogue(turns=(Turn(speaker="User", text="I sold the boat."),))) not in UNKNOWING


@pytest.mark.parametrize(
    "said",
    [
        "its for uni. if i cook sunday how long does it keep",
        "i ate it. does the tooth fairy still come",
        "what's the polite way",
        "am i wrong",
    ],
)
def test_a_question_is_known_without_its_mark(said: str):
    asked = Dialogue(turns=(Turn(speaker="User", text=said),))
    assert seems_to_ask(said)
    assert neutral(asked, question=True) in UNKNOWING and neutral(asked) not in UNKNOWING, "what tells may sound the same"


@pytest.mark.parametrize("said", ["What a day!", "I know how long she waited.", "that is what i did", "how lovely is that!"])
def test_what_only_looks_like_a_question_is_none(said: str):
    assert not seems_to_ask(said)
