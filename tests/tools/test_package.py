"""The wheel: Heartfelt with its data and the built web app, and nothing else. Hatch is asked what goes in."""

import subprocess
import tomllib
from pathlib import Path

import pytest
from hatchling.bridge.app import Application
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[2]
WEB = "heartfelt/server/web/"


def packed() -> set[str]:
    """The paths inside the wheel."""
    return {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}


def tracked() -> set[str]:
    """What is under version control in the package, or about to be."""
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src"]
    listed = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    return {line.removeprefix("src/") for line in listed.stdout.splitlines()}


def test_the_wheel_holds_every_file_of_the_package() -> None:
    assert tracked() <= packed()


def test_the_wheel_holds_the_web_app_whole() -> None:
    built = ROOT / "src" / "heartfelt" / "server" / "web"
    assert (built / "index.html").is_file(), "make web builds it"
    assert {f"{WEB}{path.relative_to(built)}" for path in built.rglob("*") if path.is_file()} <= packed()


def test_the_wheel_holds_nothing_foreign() -> None:
    assert {name for name in packed() - tracked() if not name.startswith(WEB)} == set()


def test_the_source_archive_is_enough_to_build_the_wheel() -> None:
    held = {file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    assert {f"src/{name}" for name in packed()} <= held
    assert {"tools/build_hook.py", "web/package-lock.json"} <= held
    assert not {name for name in held if "node_modules" in name or name.startswith(("samples/", "bench/"))}


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A checkout in which nobody ran `make web`."""
    for name in ("pyproject.toml", "README.md", "LICENSE", "tools/build_hook.py", "src/heartfelt/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    return tmp_path


def test_without_the_web_app_nothing_is_built_and_one_line_says_why(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        next(WheelBuilder(str(bare), app=Application()).build(directory=str(bare / "dist")))
    said = capsys.readouterr()
    assert end.value.code == 1
    assert (said.out + said.err).strip().endswith("Build it first: make web")
    assert len((said.out + said.err).strip().splitlines()) == 1
    assert not list(bare.glob("dist/*.whl"))


def test_a_checkout_is_installed_before_the_web_app_is_built(bare: Path) -> None:
    built = next(WheelBuilder(str(bare), app=Application()).build(directory=str(bare / "dist"), versions=["editable"]))
    assert Path(built).is_file()


def test_two_builds_give_the_same_bytes(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = bare / "src" / WEB / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("<p>the app</p>", "utf-8")
    made: list[bytes] = []
    for place in ("one", "two"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        made.append(Path(next(WheelBuilder(str(bare)).build(directory=str(bare / place)))).read_bytes())
        page.touch()
    assert made[0] == made[1]


def test_the_wheel_names_its_licence_and_its_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["license"] == "Apache-2.0" and project["license-files"] == ["LICENSE"]
    assert project["scripts"] == {"heartfelt": "heartfelt.cli:main"}
