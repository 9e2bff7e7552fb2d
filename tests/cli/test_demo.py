"""`heartfelt demo`, and what is done before a newcomer's first answer."""

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.main import get_command

from heartfelt.cli import INTERRUPTED, app, demo, first_use, models
from heartfelt.cli.demo import SAMPLES, scenes
from heartfelt.cli.first_use import fetch, find_npm, say_what_is_missing, usual
from heartfelt.errors import MissingExtra
from heartfelt.weights import Store

from .conftest import Run, Script


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """A store without anything, and what was asked of `pull`."""
    asked: list[bool] = []
    monkeypatch.setenv("HEARTFELT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("heartfelt.cli.models.pull", lambda *, quiet: asked.append(quiet))
    return asked


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    monkeypatch.setattr(first_use, "err", SimpleNamespace(print=lambda line, **_: lines.append(line)))
    return lines


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that the demo runs, in the place of running them."""
    commands: list[list[str]] = []
    monkeypatch.setattr(demo, "fetch", lambda wanted: None)
    monkeypatch.setattr("heartfelt.cli.app", lambda command, **_: commands.append(command))
    return commands


def test_it_lays_out_its_samples_and_runs_three_commands_on_them(played: list[list[str]], tmp_path: Path) -> None:
    demo.demo(folder=tmp_path / "shown")
    assert len(played) == 3
    for command in played:
        assert command[0] == "respond"
        assert Path(command[command.index("--video" if "--video" in command else "--file") + 1]).is_file()


def test_each_of_its_commands_can_be_typed(tmp_path: Path) -> None:
    for scene in scenes(tmp_path):
        get_command(app).commands["respond"].make_context("heartfelt respond", [*scene.command[1:]])


def test_an_interrupt_ends_all_of_it(played: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartfelt.cli.app", lambda command, **_: played.append(command) or INTERRUPTED)
    with pytest.raises(KeyboardInterrupt):
        demo.demo(folder=tmp_path)
    assert len(played) == 1


@pytest.mark.slow
@pytest.mark.embedded
@pytest.mark.xdist_group("embedded")
def test_it_answers_all_three_in_earnest(run: Run, script: Script, tmp_path: Path) -> None:
    done = run("demo", "--out", "shown", env={"HEARTFELT_MODEL": script()})
    assert done.returncode == 0, done.stderr
    assert "$ heartfelt respond --file shown/exam.json --out shown --media none" in done.stderr
    for place in (".", "planted", "talk"):
        assert (tmp_path / "shown" / place / "reply.txt").read_text("utf-8").strip()
        assert (tmp_path / "shown" / place / "trace.html").is_file()


def test_its_samples_are_shipped_with_the_package() -> None:
    folder = Path(demo.__file__).parent / "samples"
    assert json.loads((folder / "exam.json").read_text("utf-8"))["turns"]
    assert all((folder / name).stat().st_size for name in SAMPLES)
    linked = Path(__file__).parents[2] / "samples"
    assert all((linked / name).read_bytes() == (folder / name).read_bytes() for name in SAMPLES)


def test_every_scene_has_a_folder_of_its_own() -> None:
    places = [scene.command[scene.command.index("--out") + 1] for scene in scenes(Path("x"))]
    assert places == ["x", "x/planted", "x/talk"]


def test_weights_are_fetched_where_the_needed_ones_are_missing(empty: list[bool], told: list[str]) -> None:
    fetch(each for each in usual() if not each.optional)
    assert empty == [True]
    assert len(told) == 1 and "once" in told[0] and "MB" in told[0]


def test_where_all_that_is_wanted_is_here_nothing_is_fetched(empty: list[bool], told: list[str]) -> None:
    fetch([])
    assert empty == [] and told == []


def test_who_has_no_part_that_draws_gets_the_weights_all_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def undrawn(*_: object) -> None:
        raise MissingExtra("Drawing the avatar", "video")

    monkeypatch.setattr("heartfelt.expression.browser.draw_people", undrawn)
    models._draw_people(Store())
    told = capsys.readouterr().err.split()
    assert " ".join(told).endswith(
        "The people were not drawn: Drawing the avatar needs an optional part. Install it with: pip install 'heartfelt[video]'"
    )


def test_an_npm_beside_this_python_is_found_where_the_machine_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "npm").touch(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    find_npm()
    assert os.environ["PATH"].split(os.pathsep) == [str(tmp_path / "elsewhere"), str(tmp_path)]
    find_npm()
    assert os.environ["PATH"].count(str(tmp_path)) == 2, "once is enough"


@pytest.mark.parametrize(
    ("lacking", "line"),
    [
        ((), None),
        (("numba",), "It answers without a face. Install: pip install 'heartfelt[video]'"),
        (("numba", "espeakng_loader"), "It answers without a voice and a face. Install: pip install 'heartfelt[voice,video]'"),
    ],
)
def test_what_is_not_installed_is_told_in_one_line(
    lacking: tuple[str, ...], line: str | None, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_use, "find_spec", lambda name: None if name in lacking else object())
    say_what_is_missing()
    assert told == ([line] if line else [])
