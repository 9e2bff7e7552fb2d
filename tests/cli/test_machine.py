"""`heartfelt models`, `heartfelt doctor`, `heartfelt memory`, and the command without a command."""

import json
from pathlib import Path

import pytest

from heartfelt.version import VERSION
from heartfelt.weights import artefacts

from .conftest import Run, only_document, only_message

NAMES = [artefact.name for artefact in artefacts()]


def test_the_release_is_told(run: Run):
    assert run("--version").stdout == f"heartfelt {VERSION}\n"


@pytest.mark.parametrize("arguments", [(), ("models",)])
def test_nothing_asked_is_answered_with_help(run: Run, arguments: tuple[str, ...]):
    done = run(*arguments)
    assert done.returncode == 2 and "Usage: heartfelt" in done.stdout + done.stderr


def test_the_list_names_every_weight(run: Run):
    rows = only_document(run("models", "list", "--json"))
    assert [row["name"] for row in rows] == NAMES and all(row["licence"] for row in rows)


def test_an_empty_store_is_told_apart(run: Run, tmp_path: Path):
    env = {"HEARTFELT_HOME": str(tmp_path / "home"), "COLUMNS": "200"}
    rows = only_document(run("models", "list", "--json", env=env))
    assert not next(row for row in rows if row["name"] == "engine")["here"]
    listed = run("models", "list", env=env)
    assert listed.returncode == 0 and all(name in listed.stdout for name in NAMES)


@pytest.mark.embedded
def test_what_is_here_has_a_path_and_is_whole(run: Run):
    path = run("models", "path", "smollm2")
    assert path.returncode == 0 and Path(path.stdout.strip()).is_file()
    verified = run("models", "verify", "smollm2")
    assert verified.returncode == 0 and verified.stdout == "✓ smollm2\n"


def test_an_unknown_weight_is_refused(run: Run):
    done = run("models", "path", "smollm3")
    assert done.returncode == 2 and "'smollm3'. Did you mean 'smollm2'?" in only_message(done)


def test_a_memory_that_is_not_there(run: Run):
    done = run("memory", "search", "I failed.", "--memory", "none.db")
    assert done.returncode == 2 and "There is no memory at none.db. Build one with: heartfelt memory build" in only_message(
        done
    )


# ── doctor ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("json_", [True, False])
def test_the_doctor_says_how_to_mend_an_empty_home(run: Run, tmp_path: Path, json_: bool):
    env = {"HEARTFELT_HOME": str(tmp_path / "home"), "OLLAMA_HOST": "127.0.0.1:9"}
    done = run("doctor", *["--json"] * json_, env=env)
    assert done.returncode == 4 and "Something that Heartfelt needs is missing" in only_message(done)
    if not json_:
        assert "✗ weights smollm2" in done.stdout and "→ heartfelt models pull smollm2" in done.stdout
        return
    checks = {check["what"]: check for check in only_document(done)}
    missing = [check for check in checks.values() if check["needed"] and not check["fine"]]
    assert missing and all(check["mend"].startswith("heartfelt models pull") for check in missing)
    assert not checks["ollama"]["fine"] and not checks["ollama"]["needed"]


@pytest.mark.embedded
def test_the_doctor_loads_the_model_where_everything_is_here(run: Run):
    done = run("doctor", "--json")
    checks = {check["what"]: check for check in json.loads(done.stdout)}
    assert done.returncode == 0 and checks["embedded model"]["fine"] and "llama.cpp" in checks["embedded model"]["told"]
