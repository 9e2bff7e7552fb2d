"""Each cell has a figure with its interval and test, or a reason; nothing crashes a report."""

from pathlib import Path

import pytest
from tests.evaluation.report.made_run import experiment, make_run

from heartfelt.errors import DamagedError, InputError
from heartfelt.evaluation.experiments.experiment import TableColumn
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.report import KeptResults, figures
from heartfelt.evaluation.report.columns import usual_columns
from heartfelt.evaluation.report.figures import ReportFigures, reported
from heartfelt.evaluation.report.markdown import markdown
from heartfelt.evaluation.report.pairs import answered_items

ONE = {"full": {}, "no audit": {"without": ["audit"]}}


def small(**changes: object):
    """One task, two conditions, one quick figure."""
    table = {"title": "T", "against": "full", "columns": [{"metric": "length/lower-words", "name": "length"}]}
    fields = {"tasks": {"ed": {"task": "respond", "dataset": "empathetic_dialogues"}}, "conditions": ONE, "tables": [table]}
    return experiment(**(fields | changes))


def test_every_table_has_a_line_for_each_condition(found: ReportFigures):
    assert [table.task for table in found.tables] == ["ed", "meld"]
    assert [line.name for line in found.tables[0].lines] == [
        "full",
        "no audit",
        "independent",
        "no recall",
        "no plan",
        "direct",
    ]


def test_a_figure_lies_within_its_interval(found: ReportFigures):
    for cell in (cell for table in found.tables for line in table.lines for cell in line.cells if cell.low is not None):
        assert cell.value is not None
        assert cell.high is not None
        assert cell.low <= cell.value <= cell.high


def test_the_baseline_is_compared_with_nothing_and_all_others_with_it(found: ReportFigures):
    base, *others = found.tables[0].lines
    assert base.is_baseline
    assert not any(cell.against for cell in base.cells)
    assert all(line.cells[1].against for line in others)


def test_comparisons_are_cut_to_the_items_that_both_answered(found: ReportFigures, results: KeptResults):
    line = next(line for line in found.tables[0].lines if line.name == "no recall")
    base = found.tables[0].lines[0]
    common = answered_items(results, line.place) & answered_items(results, base.place)
    assert line.cells[1].against is not None
    assert line.cells[1].against.items == len(common)


def test_p_values_are_corrected_over_the_whole_table(found: ReportFigures):
    tested = [cell.against for line in found.tables[0].lines for cell in line.cells if cell.against]
    least = min(tested, key=lambda each: each.compared.p)
    assert least.compared.adjusted_p == pytest.approx(min(1.0, least.compared.p * len(tested)))


def test_two_figures_that_cannot_be_told_apart_say_what_the_sample_shows(found: ReportFigures):
    vague = [cell.against for line in found.tables[0].lines for cell in line.cells if cell.against]
    sentence = next(each.sentence for each in vague if each.verdict == "not told apart")
    assert "cannot be told apart" in sentence
    assert "four times out of five" in sentence


def test_a_condition_that_names_no_emotion_has_a_dash_and_a_reason(found: ReportFigures):
    direct = found.tables[0].lines[-1].cells[0]
    assert direct.value is None
    assert "no row" in direct.note
    assert any("direct" in note for note in found.tables[0].notes)


def test_an_unknown_metric_is_a_dash_too(tmp_path: Path):
    results = KeptResults(make_run(tmp_path / "run", count=2, plan=small()))
    table = results.experiment.tables[0].model_copy(update={"columns": (TableColumn(metric="sparkle"),)})
    cell = reported(results, table, "ed").lines[0].cells[0]
    assert cell.value is None
    assert "no metric 'sparkle'" in cell.note


def test_one_dialogue_has_a_figure_and_no_interval(tmp_path: Path):
    cell = figures(KeptResults(make_run(tmp_path / "run", count=1, plan=small()))).tables[0].lines[0].cells[0]
    assert cell.value is not None
    assert cell.low is None
    assert "two dialogues" in cell.note


def test_several_seeds_have_a_line_each_and_are_compared_with_their_own_baseline(tmp_path: Path):
    table = figures(KeptResults(make_run(tmp_path / "run", count=3, plan=small(seeds=[0, 1])))).tables[0]
    assert [line.name for line in table.lines] == ["full · seed 0", "no audit · seed 0", "full · seed 1", "no audit · seed 1"]
    assert [bool(line.cells[0].against) for line in table.lines] == [False, True, False, True]


def test_without_tables_the_usual_figures_fit_the_gold(results: KeptResults):
    names = {task: [column.metric for column in usual_columns(results, task)] for task in ("ed", "meld")}
    assert "accuracy/ed32" in names["ed"]
    assert any(name.startswith("hit/") for name in names["ed"])
    assert "accuracy/meld" in names["meld"]
    assert not any(name.startswith("hit/") for name in names["meld"])


def test_published_figures_stand_beside_ours(found: ReportFigures):
    table = found.tables[1]
    assert table.published[0].of("full", table.columns[0]) == 0.8387
    assert table.published[0].of("direct", table.columns[0]) is None
    assert table.published[0].differs


def test_failures_are_counted_by_kind(found: ReportFigures, results: KeptResults):
    failed = sum(len(results.failures(place)) for place in results.places)
    assert found.asked.failed == failed
    assert {each.error for each in found.asked.failures} <= {"ModelTimeout"}


def test_planned_rows_heed_limits_and_half_a_run_says_so(tmp_path: Path):
    plan = small(conditions={"full": {}, "no audit": {"without": ["audit"], "limit": 2}})
    done = figures(KeptResults(make_run(tmp_path / "run", count=4, plan=plan, finish=False))).asked
    assert (done.rows, done.planned, done.finished) == (4, 6, False)


def test_all_figures_survive_json(found: ReportFigures):
    assert ReportFigures.model_validate_json(found.model_dump_json()) == found


def test_markdown_holds_each_table_and_marks_another_protocol(found: ReportFigures):
    text = markdown(found)
    assert "## Ablations: meld" in text
    assert "| *the reference paper* † | *83.9* | *37.2* |" in text
    assert all(line.count("|") == 8 for line in text.splitlines() if line.startswith("| full"))


def test_a_run_without_rows_is_one_clear_message(tmp_path: Path):
    folder = make_run(tmp_path / "run", count=1, plan=small())
    for name in ("rows.jsonl", "times.jsonl", "journal.jsonl"):
        (folder.path / name).unlink()
    with pytest.raises(InputError, match="holds no row yet"):
        figures(KeptResults(folder))


@pytest.mark.parametrize(
    ("name", "content"),
    [("experiment.json", "{"), ("experiment.json", '{"name": "x"}'), ("items.jsonl", ""), ("rows.jsonl", "nonsense\n")],
)
def test_a_damaged_folder_is_one_clear_message(tmp_path: Path, name: str, content: str):
    folder = make_run(tmp_path / "run", count=2, plan=small())
    (folder.path / name).write_text(content, "utf-8")
    with pytest.raises(DamagedError):
        KeptResults(folder)


def test_a_folder_that_is_not_there_is_one_clear_message(empty: Path):
    with pytest.raises(InputError, match="There is no run"):
        RunFolder.existing(empty)
