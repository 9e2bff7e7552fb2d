"""`heartfelt report` and `heartfelt compare`, as a user gives them."""

import json
from pathlib import Path

import pytest
import typer
from tests.evaluation.report.made_run import make_run
from tests.evaluation.report.test_figures import small
from typer.testing import CliRunner

from heartfelt.cli.compare import compare
from heartfelt.cli.report import report
from heartfelt.errors import HeartfeltError, InputError, UnknownName, UsageError

app = typer.Typer()
app.command("report")(report)
app.command("compare")(compare)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "small", count=3, plan=small()).path


def said(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(each) for each in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(kind: type[HeartfeltError], *arguments: object) -> str:
    with pytest.raises(kind) as raised:
        said(*arguments)
    return str(raised.value)


def test_report_prints_tables_and_writes_figures(run: Path):
    text = said("report", run)
    assert "T: ed" in text
    assert "no audit" in text
    assert json.loads((run / "metrics.json").read_text("utf-8"))["experiment"] == "ablations"
    assert (run / "report.md").is_file()


def test_several_runs_go_into_folders_of_their_own(run: Path, tmp_path: Path):
    other = make_run(tmp_path / "other", count=2, plan=small()).path
    said("report", run, other, "--out", tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"small", "other"}


def test_compare_prints_difference_test_and_verdict(run: Path):
    text = said("compare", run, "full", "no audit")
    assert "p (Holm)" in text
    assert "four times out of five" in text or "the same" in text


def test_compare_takes_two_runs_and_gives_json(run: Path):
    found = json.loads(said("compare", f"{run}:full", f"{run}:no audit", "--json"))
    assert found[0]["a"] == "full"
    assert found[0]["figures"][0]["difference"]["compared"]["adjusted_p"] is not None


def test_wrong_use_is_one_clear_message(run: Path, empty: Path):
    assert "no run" in refused(InputError, "report", empty)
    assert "--html" in refused(UsageError, "report", run, "--no-samples")
    assert "RUN:A" in refused(UsageError, "compare", run, "full")
    assert "full" in refused(UnknownName, "compare", run, "fll", "full")
