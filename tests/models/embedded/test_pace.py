"""The engine gives way on a crowded machine and comes back: told by clocks that cost no time."""

from dataclasses import dataclass

import pytest

from heartfelt.models.embedded.pace import FIRST_REST, LONGEST_REST, SHORTEST, SMALL, ThreadPace


@dataclass
class Machine:
    """Two clocks, and the share of the processor that the threads get."""

    wall: float = 100.0
    cpu: float = 0.0

    def pace(self, threads: int) -> ThreadPace:
        return ThreadPace(threads, wall=lambda: self.wall, cpu=lambda: self.cpu)

    def work(self, pace: ThreadPace, *, seconds: float = 0.1, share: float = 1.0, tokens: int = 1) -> int:
        threads = pace.begin(tokens)
        self.wall += seconds
        self.cpu += seconds * threads * share
        pace.end()
        return threads


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_on_a_quiet_machine_all_threads_stay(machine: Machine):
    pace = machine.pace(4)
    assert [machine.work(pace, share=0.95) for _ in range(20)] == [4] * 20


@pytest.mark.parametrize(("share", "left"), [(0.75, 3), (0.5, 2), (0.25, 1), (0.01, 1)])
def test_as_many_threads_stay_as_really_ran(machine: Machine, share: float, left: int):
    pace = machine.pace(4)
    machine.work(pace, share=share)
    assert pace.threads == left


def test_one_core_taken_away_from_two_leaves_one(machine: Machine):
    pace = machine.pace(2)
    assert machine.work(pace, share=0.79) == 2 and machine.work(pace) == 1


def test_short_work_says_nothing(machine: Machine):
    pace = machine.pace(4)
    machine.work(pace, seconds=SHORTEST * 0.9, share=0.1)
    assert pace.threads == 4


def test_one_thread_never_gives_way(machine: Machine):
    pace = machine.pace(1)
    assert [machine.work(pace, share=0.01) for _ in range(3)] == [1, 1, 1]


def test_all_threads_are_tried_again_after_a_rest_and_on_small_work_only(machine: Machine):
    pace = machine.pace(2)
    machine.work(pace, share=0.5)
    assert machine.work(pace, seconds=FIRST_REST * 0.9) == 1
    machine.wall += FIRST_REST
    assert machine.work(pace, tokens=SMALL + 1) == 1, "a wrong guess on a long piece would cost seconds"
    assert machine.work(pace, tokens=SMALL) == 2


def rest(machine: Machine, pace: ThreadPace) -> float:
    """How long one thread less is used after the machine was found crowded."""
    assert machine.work(pace, share=0.5) == 2
    started = machine.wall
    while pace.begin(1) == 1:
        machine.wall += 0.01
    return machine.wall - started


def test_the_rest_doubles_while_the_machine_is_crowded_and_is_short_again_when_it_was_not(machine: Machine):
    pace = machine.pace(2)
    assert [round(rest(machine, pace), 1) for _ in range(6)] == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0] and LONGEST_REST == 8.0
    assert machine.work(pace, share=1.0) == 2
    assert rest(machine, pace) == pytest.approx(FIRST_REST, abs=0.02)


def test_the_rest_is_never_longer_than_the_longest(machine: Machine):
    pace = machine.pace(2)
    for _ in range(10):
        machine.wall += LONGEST_REST
        assert machine.work(pace, share=0.5) == 2, "tried again after the longest rest at the latest"
        assert machine.work(pace) == 1
