"""The engines: processes on this machine, killed and taken up again, and a real local Ray."""

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from tests.evaluation.experiments.lab import experiment, run

from heartfelt.evaluation.experiments.answered import Done, WorkUnit
from heartfelt.evaluation.experiments.local import answer_here, written_off


def rows(path: Path) -> bytes:
    return (path / "rows.jsonl").read_bytes()


def test_processes_give_the_rows_of_one_after_the_other(tmp_path: Path):
    plan = experiment(tmp_path)
    run(plan, tmp_path / "one")
    run(plan, tmp_path / "slots", engine=answer_here, slots=2)
    assert rows(tmp_path / "slots") == rows(tmp_path / "one")


def test_a_process_that_is_killed_costs_nothing(tmp_path: Path):
    plan = experiment(tmp_path)
    run(plan, tmp_path / "one")

    def with_a_death(path: Path, units: list[WorkUnit], slots: int) -> Iterator[Done]:
        for number, done in enumerate(answer_here(path, units, slots)):
            if number == 2:
                os.kill(_children(os.getpid())[-1], signal.SIGKILL)
            yield done

    run(plan, tmp_path / "slots", engine=with_a_death, slots=2)
    assert rows(tmp_path / "slots") == rows(tmp_path / "one")


def test_a_unit_that_takes_its_process_with_it_every_time_is_a_row():
    unit = WorkUnit(number=0, task="meld", model="m", seed=0, item="dia1#0", conditions=("a", "b"))
    done = written_off(unit)
    assert [row.failed.error for row in done.rows if row.failed] == ["ProcessDied", "ProcessDied"]


def test_a_command_that_is_killed_goes_on_where_it_stopped(tmp_path: Path):
    plan = experiment(tmp_path)
    run(plan, tmp_path / "one")
    file = tmp_path / "made-up.yaml"
    file.write_text(yaml.safe_dump(plan.model_dump(mode="json", exclude_defaults=True), sort_keys=False))
    command = [sys.executable, "-m", "heartfelt", "evaluate", str(file), "--out", str(tmp_path / "killed"), "--slots", "1"]
    process = subprocess.Popen([*command, "--no-report"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _wait_for(lambda: (tmp_path / "killed" / "journal.jsonl").read_bytes().count(b"\n") >= 2)
    left = _children(process.pid)
    process.kill()
    process.wait()
    _wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left))  # nobody goes on for nobody
    done = subprocess.run([*command, "--no-report"], capture_output=True, text=True, check=True)
    assert "32 rows" in done.stderr
    assert rows(tmp_path / "killed") == rows(tmp_path / "one")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_real_local_ray_gives_the_same_rows(tmp_path: Path):
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray was left out: make test RAY=")
    from heartfelt.evaluation.experiments.on_ray import answer_on_ray

    plan = experiment(tmp_path)
    run(plan, tmp_path / "one")
    run(plan, tmp_path / "ray", engine=answer_on_ray, slots=2)
    assert rows(tmp_path / "ray") == rows(tmp_path / "one")


def _children(parent: int) -> list[int]:
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(parent)], capture_output=True, text=True, check=True
    )
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line]


def _wait_for(holds: Callable[[], bool]) -> None:
    for _ in range(1200):
        with suppress(OSError):
            if holds():
                return
        time.sleep(0.05)
    raise AssertionError("it did not come to that in a minute")
