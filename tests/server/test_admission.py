"""So many at once, the others in order, told their place; whoever gives up is forgotten; spare work gives way."""

import asyncio

import pytest

from heartfelt.server.admission import AdmissionQueue, Busy


class Told(list[tuple[int, float]]):
    def __call__(self, place: int, seconds: float) -> None:
        self.append((place, seconds))


async def test_the_row_is_served_in_order_and_each_is_told_its_place():
    queue, order = AdmissionQueue(1, 10), list[int]()
    told = [Told() for _ in range(3)]

    async def come(number: int) -> None:
        async with queue.passed(told[number]):
            order.append(number)
            await asyncio.sleep(0.02)

    await asyncio.gather(*(come(number) for number in range(3)))
    assert order == [0, 1, 2]
    assert not told[0] and [place for place, _ in told[1]] == [1, 1] and [place for place, _ in told[2]] == [2, 1]
    assert all(seconds > 0 for each in told for _, seconds in each)
    assert queue.inside == queue.waiting == 0


async def test_waiting_times_follow_how_long_turns_took():
    queue = AdmissionQueue(1, 10)
    for _ in range(3):
        async with queue.passed(Told()):
            await asyncio.sleep(0.05)
    async with queue.passed(Told()):
        near, far = queue.expected(1), queue.expected(3)
    assert 0 < near < 0.4 and far == pytest.approx(near + 0.1, abs=0.05)


async def test_one_too_many_is_refused_with_a_time_to_come_back():
    queue, hold = AdmissionQueue(1, 1), asyncio.Event()

    async def stay() -> None:
        async with queue.passed(Told()):
            await hold.wait()

    tasks = [asyncio.create_task(stay()) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Busy, match="1 others wait") as busy:
        async with queue.passed(Told()):
            pass
    assert busy.value.seconds > 0
    hold.set()
    await asyncio.gather(*tasks)


async def test_whoever_gives_up_leaves_no_gap():
    queue, hold, told = AdmissionQueue(1, 9), asyncio.Event(), Told()

    async def stay(heard: Told) -> None:
        async with queue.passed(heard):
            await hold.wait()

    first, second, third = (asyncio.create_task(stay(each)) for each in (Told(), Told(), told))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.gather(second, return_exceptions=True)
    assert [place for place, _ in told] == [2, 1]
    first.cancel()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert queue.inside == 1 and queue.waiting == 0
    hold.set()
    await third


async def test_spare_work_waits_for_quiet_and_gives_way():
    queue, done = AdmissionQueue(1, 9), list[str]()

    async def look(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        done.append(name)

    async with queue.passed(Told()):
        waiting = queue.spare(look("first", 0))
        await asyncio.sleep(0.02)
        assert not done
    await waiting
    assert done == ["first"]
    long = queue.spare(look("second", 60))
    await asyncio.sleep(0)
    async with queue.passed(Told()):
        pass
    await asyncio.gather(long, return_exceptions=True)
    assert done == ["first"]
