"""Groups that are served worse are found, and those that are not are left alone."""

from pathlib import Path

from tests.evaluation.report.made_run import make_run
from tests.evaluation.report.test_figures import small

from heartfelt.evaluation.report import KeptResults
from heartfelt.evaluation.report.columns import heading
from heartfelt.evaluation.report.parts import worse_parts
from heartfelt.records import Forecast


def test_a_group_that_is_always_wrong_is_found(tmp_path: Path):
    results = KeptResults(make_run(tmp_path / "run", count=24, plan=small(conditions={"full": {}})))
    place = results.places[0]
    rows = results.answered(place)
    rows[:] = [_right(row, results.item(row).gold.emotion, results.item(row).speaker.gender == "male") for row in rows]
    columns = (heading(small().tables[0].columns[0].model_copy(update={"metric": "accuracy/ed32", "name": "accuracy"})),)
    parts, tested = worse_parts(results, [("ed", columns)], names={place: "full"})
    assert ("gender", "male") in [(part.slice.by, part.slice.name) for part in parts]
    assert tested >= len(parts)


def _right(row, emotion, wrong):
    """The row with the right emotion, or a wrong one."""
    if row.failed:
        return row
    named = ("sad" if emotion != "sad" else "proud") if wrong else emotion
    steps = tuple(
        step.model_copy(update={"output": Forecast(emotion=named, labels="ed32")}) if step.step == "forecast" else step
        for step in row.passes[row.chosen].steps
    )
    made = row.passes[row.chosen].model_copy(update={"steps": steps})
    return row.model_copy(update={"passes": (made,), "chosen": 0})
