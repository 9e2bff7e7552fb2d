"""Units on this machine: a process for each slot, and each process works on one unit at a time.

A slot of the embedded model has one thread: two processes with one thread each do more than one process with two, for threads
wait for each other many times a token.
"""

import asyncio
import os
import signal
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

from heartfelt.evaluation.experiments.answered import AnsweredRow, Done, Failed, GridPlace, StepTimes, WorkUnit
from heartfelt.evaluation.experiments.workbench import Workbench
from heartfelt.recipes import load_own

ELSEWHERE = 4
"""Slots for models that run in another process or on another machine."""
TRIES = 2
"""How often a unit may take its process with it before it is written off."""
_own: dict[str, tuple[Workbench, asyncio.Runner]] = {}


def usual_slots(models: tuple[str, ...]) -> int:
    """As many as there are cores for the embedded model; a few for others, which wait rather than work."""
    embedded = any(address.startswith("embedded:") for address in models)
    return (os.cpu_count() or 1) if embedded else ELSEWHERE


def answer_here(path: Path, units: list[WorkUnit], slots: int) -> Iterator[Done]:
    """Each unit as it gets done. Whoever stops asking stops the processes."""
    waiting, died = list(reversed(units)), dict[str, int]()
    while waiting:
        pool = _pool(path, min(slots, len(waiting)))
        running: dict[Future[Done], WorkUnit] = {}
        try:
            while waiting or running:
                while waiting and len(running) < slots:
                    future = pool.submit(_answer, waiting[-1])  # a broken pool refuses it, and it must not be lost
                    running[future] = waiting.pop()
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield future.result()
                    del running[future]
        except BrokenProcessPool:  # a process was killed, or crashed: the others' units are asked again
            for unit in running.values():
                died[unit.key] = died.get(unit.key, 0) + 1
                if died[unit.key] < TRIES:
                    waiting.append(unit)
                else:
                    yield written_off(unit)
        finally:
            _stop(pool)


def written_off(unit: WorkUnit) -> Done:
    """A unit whose process died every time: errors are rows."""
    why = Failed(error="ProcessDied", message="The process that worked on it was killed, or crashed. Is there enough memory?")
    rows = tuple(
        AnsweredRow(
            place=GridPlace(task=unit.task, model=unit.model, seed=unit.seed, condition=name), item=unit.item, failed=why
        )
        for name in unit.conditions
    )
    return Done(unit=unit.key, rows=rows, times=tuple(StepTimes(id=row.id, ms={}) for row in rows))


def _pool(path: Path, slots: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(slots, mp_context=get_context("spawn"), initializer=_open, initargs=(path, 1))


def _open(path: Path, threads: int) -> None:
    """In the process of a slot. An interrupt is the business of the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    load_own()
    _own["bench"] = Workbench(path, threads=threads), asyncio.Runner()


def _end_with_parent() -> None:
    """A slot whose run was killed would wait for work for ever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _answer(unit: WorkUnit) -> Done:
    bench, runner = _own["bench"]
    return runner.run(bench.answer(unit))


def _stop(pool: ProcessPoolExecutor) -> None:
    """At once: what a process was working on is not written down, and is done again next time."""
    for process in list((pool._processes or {}).values()):  # there is no public way to end a running call
        process.kill()
    pool.shutdown(wait=True, cancel_futures=True)  # its own thread clears up after the dead, and must be done with it
