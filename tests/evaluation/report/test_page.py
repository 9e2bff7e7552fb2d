"""The page holds everything, fetches nothing, and trusts no text that it shows."""

import re
from html import unescape
from pathlib import Path

import pytest
from tests.evaluation.report.made_run import make_run
from tests.evaluation.report.test_figures import small

from heartfelt.evaluation.report import KeptResults, write_report
from heartfelt.evaluation.report.figures import ReportFigures
from heartfelt.evaluation.report.html import page
from heartfelt.evaluation.report.samples import samples


@pytest.fixture(scope="module")
def shown(results: KeptResults, found: ReportFigures) -> str:
    return page(found, (), samples(results))


def test_the_head_says_what_was_asked(shown: str, found: ReportFigures):
    for said in (found.asked.tasks[0].digest, "CC BY-NC 4.0", "Heartfelt 0.0.0", "a made-up machine", "heartfelt evaluate"):
        assert said in shown


def test_significance_is_told_in_text_and_in_a_tooltip(shown: str):
    assert re.search(r'<mark class="mark [a-z]+" tabindex="0" title="[^"]*Holm[^"]*">\S+ p [=<]', shown)


def test_published_figures_are_marked_as_another_protocol(shown: str):
    assert "83.9 published*" in shown
    assert "Another protocol: another model" in shown


def test_samples_stand_beside_each_other_and_can_be_left_out(shown: str, found: ReportFigures):
    assert "They pulled the old lighthouse down" in shown
    assert "how it came to this" in shown
    assert "lighthouse" not in page(found)


def test_nothing_is_fetched(shown: str):
    assert not re.search(r'(src|href)="(?!#)', shown)
    assert "default-src 'none'" in unescape(shown)


def test_foreign_text_is_only_text(found: ReportFigures):
    sly = page(found.model_copy(update={"about": "<script>alert(1)</script>"}))
    assert "<script>alert" not in sly


def test_a_whole_report_is_written(tmp_path: Path):
    folder = make_run(tmp_path / "run", count=2, plan=small(plots=["time"]), finish=False)
    written = write_report(folder, samples=False, out=tmp_path / "out")
    assert "This run is not finished" in written.read_text("utf-8")
    names = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert names == {"metrics.json", "report.md", "report.html", "plots/time-ed.svg", "plots/time-ed.png"}
