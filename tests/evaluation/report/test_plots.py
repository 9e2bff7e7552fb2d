"""Plots are drawn where there is something to show, under names of their own, and follow the page's ink."""

import re
from collections.abc import Generator
from xml.etree import ElementTree

import pytest

from heartfelt.errors import UnknownName
from heartfelt.evaluation.report import KeptResults
from heartfelt.evaluation.report.figures import ReportFigures
from heartfelt.evaluation.report.plots import PLOTS, PlotPicture, inlined, pictures
from heartfelt.evaluation.report.plots.canvas import INK


@pytest.fixture(scope="module")
def one_task(results: KeptResults) -> Generator[KeptResults]:
    """Drawing takes its time, and one task shows as much as two."""
    whole = results.experiment
    results.experiment = whole.model_copy(update={"tasks": {"meld": whole.tasks["meld"]}})
    yield results
    results.experiment = whole


@pytest.fixture(scope="module")
def drawn(one_task: KeptResults, found: ReportFigures) -> list[PlotPicture]:
    return list(pictures(one_task, found.model_copy(update={"tables": found.tables[1:]})))


def test_every_plot_is_drawn(drawn: list[PlotPicture]):
    names = [picture.name for picture in drawn]
    assert len(names) == len(set(names)) == len(PLOTS)


def test_each_is_a_whole_drawing_with_a_caption(drawn: list[PlotPicture]):
    for picture in drawn:
        ElementTree.fromstring(picture.svg)
        assert picture.png.startswith(b"\x89PNG")
        assert picture.caption.endswith(".")
        assert len(picture.svg) < 150_000


def test_the_same_run_gives_the_same_drawing(one_task: KeptResults, found: ReportFigures, drawn: list[PlotPicture]):
    again = next(PLOTS["time"](one_task, found))
    assert again.svg == next(picture.svg for picture in drawn if picture.name == again.name)


def test_on_a_page_ink_follows_the_page_and_names_are_unique(drawn: list[PlotPicture]):
    pages = [inlined(picture) for picture in drawn]
    ids = [name for page in pages for name in re.findall(r'\bid="([^"]+)"', page)]
    assert len(ids) == len(set(ids))
    assert all("var(--" in page and INK not in page for page in pages)
    for page in pages:
        assert set(re.findall(r'(?:url\(|xlink:href=")#([^)"]+)', page)) <= set(re.findall(r'\bid="([^"]+)"', page))


def test_an_unknown_plot_is_one_clear_message(one_task: KeptResults, found: ReportFigures, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(one_task, "experiment", one_task.experiment.model_copy(update={"plots": ("tim",)}))
    with pytest.raises(UnknownName, match="Did you mean 'time'"):
        list(pictures(one_task, found))


def test_only_the_plots_that_were_asked_for_are_drawn(
    one_task: KeptResults, found: ReportFigures, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(one_task, "experiment", one_task.experiment.model_copy(update={"plots": ("passes",)}))
    assert {picture.name for picture in pictures(one_task, found)} == {"passes-meld"}
