"""The sound that a person waits for goes before the words after it, and one engine before the next."""

import threading
import time

from heartfelt.weights.right_of_way import RightOfWay


def test_an_engine_stands_still_until_the_last_voice_is_through():
    way, done = RightOfWay(cores=2), list[str]()

    def write() -> None:
        with way.taken(2, 60):
            done.append("written")

    with way.held():
        with way.held():
            writer = threading.Thread(target=write)
            writer.start()
        writer.join(0.05)
        assert not done
    writer.join(60)
    assert done == ["written"]


def test_nobody_keeps_an_engine_from_its_work_for_good():
    way = RightOfWay(cores=2)
    began = time.monotonic()
    with way.held(), way.taken(2, 0.02):
        assert time.monotonic() - began >= 0.02


def test_engines_work_side_by_side_only_where_there_are_cores_for_both():
    way, together = RightOfWay(cores=4), threading.Barrier(2)

    def work() -> None:
        with way.taken(2):
            together.wait(60)

    both = [threading.Thread(target=work) for _ in range(2)]
    for each in both:
        each.start()
    for each in both:
        each.join(60)
    at_work, most = list[int](), list[int]()

    def alone() -> None:
        with way.taken(3):
            at_work.append(1)
            most.append(len(at_work))
            time.sleep(0.01)
            at_work.pop()

    several = [threading.Thread(target=alone) for _ in range(3)]
    for each in several:
        each.start()
    for each in several:
        each.join(60)
    assert most == [1, 1, 1]


def test_one_that_wants_more_than_there_are_works_alone():
    way = RightOfWay(cores=2)
    with way.taken(8):
        pass


def test_a_voice_in_a_hurry_waits_for_the_end_of_a_word_and_no_other_voice_does():
    way = RightOfWay(cores=2)
    with way.taken(2):
        began = time.monotonic()
        way.settled(60)
        with way.held():
            way.settled(0.02)
        assert 0.02 <= time.monotonic() - began < 60
    with way.held():
        way.settled(60)
