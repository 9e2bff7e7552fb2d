"""Training on the processor: it learns, and an interrupted run ends where an unbroken one does."""

import json
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartfelt.errors import InputError

from . import tiny

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

from heartfelt.tuning import train as training
from heartfelt.tuning.batches import Examples, TeacherShares
from heartfelt.tuning.train import Training, train

QUICK = Training(
    share=(), weights=(), rank=4, alpha=8.0, dropout=0.1, blank=0.1, rows=4, length=64, epochs=2.0, rate=2e-2, seed=3
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.write_examples(tmp_path_factory.mktemp("examples"))


def adapter(path: Path) -> dict[str, Any]:
    with np.load(path) as saved:
        return {name: saved[name] for name in saved.files}


def same(one: Path, two: Path) -> bool:
    a, b = adapter(one), adapter(two)
    return set(a) == set(b) and all(np.array_equal(a[name], b[name]) for name in a)


def quiet(_row: object) -> None:
    pass


def test_the_loss_falls_and_every_step_is_told_and_logged(base: Path, data: Path, tmp_path: Path):
    told: list[training.Row] = []
    path = train(base, data, tmp_path, replace(QUICK, dropout=0.0, blank=0.0, epochs=6.0), progress=told.append)
    losses = [row["loss"] for row in told]
    assert losses[-1] < losses[0] / 3, losses
    assert [row["step"] for row in told] == list(range(1, told[-1]["steps"] + 1)) and all(row["tokens"] > 0 for row in told)
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [row["loss"] for row in logged] == losses
    assert adapter(path)["blk.1.ffn_down.weight.lora_b"].shape == (tiny.WIDTH, 4)
    assert all(np.abs(value).max() > 0 for name, value in adapter(path).items() if "lora_b" in name)


@pytest.mark.parametrize("ending", [KeyboardInterrupt, MemoryError], ids=["interrupted", "killed"])
def test_a_resumed_run_ends_as_an_unbroken_one(
    base: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: type[BaseException]
):
    whole = train(base, data, tmp_path / "whole", QUICK, progress=quiet)
    monkeypatch.setattr(training, "KEPT_EVERY", 0.0 if ending is MemoryError else 1e9)

    def stop(row: training.Row) -> None:
        if row["step"] == 6:
            raise ending

    with pytest.raises(ending):
        train(base, data, tmp_path / "broken", QUICK, progress=stop)
    steps: list[int] = []
    broken = train(base, data, tmp_path / "broken", QUICK, progress=lambda row: steps.append(row["step"]))
    assert steps[0] == (7 if ending is KeyboardInterrupt else 6)
    assert same(whole, broken)


def test_an_interrupt_in_the_middle_of_an_update_waits_for_its_end(base: Path, data: Path, tmp_path: Path):
    examples = Examples.load(data / "train.npz")
    network = training.load_network(base, QUICK, training.torch.device("cpu"))
    run = training.TrainingRun(network, QUICK, examples, tmp_path, training.torch.device("cpu"), {}, progress=quiet)
    update = run.optimizer.step

    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)
        update()

    run.optimizer.step = interrupted  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        run.go()
    assert run.step == 1 and training.torch.load(tmp_path / "state.pt", weights_only=True)["step"] == 1


def test_a_run_in_another_thread_does_without_signals(base: Path, data: Path, tmp_path: Path):
    work = threading.Thread(target=train, args=(base, data, tmp_path, replace(QUICK, epochs=0.3)), kwargs={"progress": quiet})
    work.start()
    work.join()
    assert (tmp_path / "adapter.npz").exists()


def test_a_run_against_the_clock_stops_in_time(base: Path, data: Path, tmp_path: Path):
    told: list[training.Row] = []
    train(base, data, tmp_path, replace(QUICK, epochs=10_000.0, seconds=0.5), progress=told.append)
    assert told[-1]["step"] < told[-1]["steps"]


def test_what_the_teachers_say_is_learnt(base: Path, data: Path, tmp_path: Path):
    examples = Examples.load(data / "train.npz")
    chosen = np.flatnonzero(examples.chooses)
    even = np.full((len(chosen), 4), 0.25, np.float16)
    recipe = replace(QUICK, taught=1.0)
    alone = train(base, data, tmp_path / "alone", recipe, progress=quiet)
    taught = train(base, data, tmp_path / "taught", recipe, shares=TeacherShares(chosen, even), progress=quiet)
    assert not same(alone, taught)


def test_examples_that_do_not_fill_a_step_are_no_endless_loop(base: Path, data: Path, tmp_path: Path):
    with pytest.raises(InputError, match="less than the 64 rows of 512 tokens that one step takes"):
        train(base, data, tmp_path, replace(QUICK, rows=64, length=512), progress=quiet)
