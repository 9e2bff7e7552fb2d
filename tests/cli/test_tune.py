"""`heartfelt tune` as a user runs it: what it says, what it refuses, and a training that is interrupted and goes on."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tuning import made_up, tiny

from .conftest import Run, environment, only_message

STAGES = ("examples", "teach", "reread", "train", "export", "calibrate", "evaluate", "card")
DRIVER = Path(made_up.__file__).with_name("with_tiny_base.py")


@pytest.mark.parametrize("stage", [(), *((stage,) for stage in STAGES)], ids=" ".join)
def test_each_stage_says_what_it_is_for(run: Run, stage: tuple[str, ...]):
    done = run("tune", *stage, "--help")
    assert done.returncode == 0 and "--run" in done.stdout and "[default: tuned]" in done.stdout
    if not stage:
        assert all(f" {name} " in done.stdout for name in STAGES) and "heartfelt[tune]" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tune", "examples"), "There is nothing to learn from yet. Give the folder of the corpora with --data DIR."),
        (("tune", "examples", "--data", "none"), "There is no folder none."),
        (("tune", "examples", "--data", "empty"), "Looked for empathetic_dialogues/train.csv"),
        (("tune", "train"), "The stage 'examples' is not done in tuned. Do it first: heartfelt tune examples --data DIR"),
        (("tune", "evaluate"), "Do it first: heartfelt tune export --licence LICENCE --run tuned"),
        (("tune", "evaluate", "--split", "tset"), "There is no split 'tset'. Did you mean 'test'?"),
        (("tune", "--run", "x", "train"), "Give --run after the stage: heartfelt tune train --run"),
        (("tune", "train", "--rank", "0"), "Invalid value for '--rank'"),
        (("tune", "card", "--run", "photos"), "photos is not the folder of a tuning run"),
        (("tune", "trian"), "No such command 'trian'"),
    ],
    ids=lambda value: " ".join(value)[5:40] if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_one_message_and_leaves_nothing(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], message: str
):
    (tmp_path / "empty").mkdir()
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "holiday.jpg").write_text("")
    done = run(*arguments)
    assert done.returncode == 2 and message in only_message(done)
    assert not (tmp_path / "tuned").exists()


def test_a_bad_line_is_named(run: Run, tmp_path: Path):
    path = made_up.own(tmp_path / "data", "train", "zebra")
    path.write_text(path.read_text("utf-8").replace('"lonely"', '"blue-green"'), "utf-8")
    done = run("tune", "examples", "--data", "data")
    assert done.returncode == 2
    assert f"{path}:6: There is no emotion 'blue-green'." in done.stderr.splitlines()[-1]


# ── interrupted ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_interrupted_training_goes_on(tmp_path: Path):
    pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")
    base = tiny.write_base(tmp_path / "base.gguf")  # no tokenizer: the training needs none
    examples = tiny.write_examples(tmp_path / "tuned" / "examples", count=400)
    _as_if_made(examples)
    command = [sys.executable, str(DRIVER), str(base), "tune", "train", "--epochs", "14", "--rows", "2", "--rank", "4"]
    log = tmp_path / "tuned" / "training" / "log.jsonl"
    env = environment(OMP_NUM_THREADS="1")  # so little work is slower on many threads
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as work:
        deadline = time.monotonic() + 90
        while not (log.exists() and log.read_text().count("\n") > 2):
            assert work.poll() is None and time.monotonic() < deadline, work.communicate()
            time.sleep(0.02)
        work.send_signal(signal.SIGINT)
        try:
            _, told = work.communicate(timeout=60)
        finally:
            work.kill()
    assert work.returncode == 130 and told.endswith("Interrupted.\n") and "Traceback" not in told
    assert "what was learnt is kept; the same command goes on from there" in told
    reached = json.loads(log.read_text().splitlines()[-1])["step"]
    assert (tmp_path / "tuned" / "loss.png").exists() and not (log.parent / "adapter.npz").exists()

    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "… train     goes on where it was interrupted" in done.stderr and "✓ train" in done.stderr
    steps = [json.loads(line)["step"] for line in log.read_text().splitlines()]
    assert steps == sorted(set(steps)) and steps[-1] > reached, "no step is done twice"
    assert (log.parent / "adapter.npz").exists()


def _as_if_made(examples: Path) -> None:
    """The record of a run whose examples are done."""
    for name in ("valid.npz", "counts.json"):
        (examples / name).write_text("{}")
    record = {"stages": {"examples": {"inputs": {}, "told": {"words": "made up"}}}}
    (examples.parent / "run.json").write_text(json.dumps(record))
