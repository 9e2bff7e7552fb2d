"""One made-up run and its figures for all tests of this folder: the statistics take longer than everything else."""

from pathlib import Path

import pytest
from tests.evaluation.report.made_run import make_run

from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.report import KeptResults, figures
from heartfelt.evaluation.report.figures import ReportFigures


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return make_run(tmp_path_factory.mktemp("runs") / "ablations", count=6)


@pytest.fixture(scope="session")
def results(run_folder: RunFolder) -> KeptResults:
    return KeptResults(run_folder)


@pytest.fixture(scope="session")
def found(results: KeptResults) -> ReportFigures:
    return figures(results)


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    return tmp_path / "nothing"
