"""From marks to means, wins and agreement."""

from pathlib import Path

import pytest
from tests.evaluation.judging.runs import run
from tests.evaluation.rating.test_desk import desk, marks

from heartfelt.errors import InputError
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.rating import ratings, summarise
from heartfelt.evaluation.rating.summary import reading
from heartfelt.evaluation.statistics.agreement import krippendorff_alpha
from heartfelt.evaluation.statistics.interval import Interval


def likert(folder: RunFolder, **given: tuple[int, int]) -> None:
    """Each rater's marks for the warm and the cold system."""
    with desk(folder) as opened:
        for name, (warm, cold) in given.items():
            rater = opened.begin(name)
            while not (screen := opened.screen(rater))["finished"]:
                opened.mark(rater, screen["ticket"], marks(opened, warm if "sorry" in screen["replies"][0] else cold))


def test_means_by_system_with_intervals(tmp_path: Path) -> None:
    folder = run(tmp_path)
    likert(folder, Ada=(5, 2), Bo=(4, 2))
    found = summarise(ratings([folder]))
    means = {(each.criterion, each.system): each for each in found.means}
    warm = means["empathy", "warm-system"]
    assert warm.mean == 4.5 and warm.interval and warm.interval.low <= 4.5 <= warm.interval.high
    assert (warm.ratings, warm.raters) == (8, 2)
    assert means["fluency", "cold-system"].mean == 2 and found.raters == ("Ada", "Bo") and found.ratings == 16


def test_agreement_is_ordinal_for_marks(tmp_path: Path) -> None:
    folder = run(tmp_path)
    likert(folder, Ada=(5, 2), Bo=(4, 2))
    each = next(each for each in summarise(ratings([folder])).agreement if each.criterion == "empathy")
    wanted = krippendorff_alpha([(5, 4)] * 4 + [(2, 2)] * 4, "ordinal")
    assert each.alpha and each.alpha.value == pytest.approx(wanted) and each.units == 8
    assert "agree" in each.words


def test_one_rater_has_nobody_to_agree_with(tmp_path: Path) -> None:
    folder = run(tmp_path)
    likert(folder, Ada=(5, 2))
    each = summarise(ratings([folder])).agreement[0]
    assert each.alpha is None and "two or more have rated" in each.words


def test_wins_and_nominal_agreement(tmp_path: Path) -> None:
    folder = run(tmp_path, items=5)
    with desk(folder, mode="ab") as opened:
        for name, tie_at in (("Ada", 4), ("Bo", 9)):
            rater, number = opened.begin(name), 0
            while not (screen := opened.screen(rater))["finished"]:
                number += 1
                best = "first" if "sorry" in screen["replies"][0] else "second"
                opened.mark(rater, screen["ticket"], marks(opened, "tie" if number == tie_at else best))
    found = summarise(ratings([folder]))
    (wins,) = found.wins
    assert (wins.a, wins.b, wins.result.a, wins.result.b, wins.result.ties) == ("warm-system", "cold-system", 9, 0, 1)
    assert wins.result.wins and wins.result.wins.value == pytest.approx(0.95)
    assert found.agreement[0].mode == "ab" and found.agreement[0].units == 5


def test_names_are_no_longer_than_needed(tmp_path: Path) -> None:
    folder = run(tmp_path, items=2, models=("embedded:", "ollama:gemma3"))
    likert(folder, Ada=(5, 2))
    assert {each.system for each in summarise(ratings([folder])).means} == {
        f"{system} @ {model}" for system in ("warm-system", "cold-system") for model in ("embedded:", "ollama:gemma3")
    }


def test_no_ratings_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no ratings yet"):
        summarise(ratings([run(tmp_path)]))


@pytest.mark.parametrize(
    ("value", "low", "words"),
    [
        (-0.2, -0.4, "contradict"),
        (0.5, 0.3, "too little"),
        (0.7, 0.6, "tentative"),
        (0.9, 0.5, "may be lower"),
        (0.9, 0.8, "reliably."),
    ],
)
def test_alpha_in_plain_words(value: float, low: float, words: str) -> None:
    alpha = Interval(metric="alpha", value=value, low=low, high=1, level=0.95, method="percentile", rows=9, dialogues=9)
    assert words in reading(alpha)
