import numpy as np
import pytest
from tests.evaluation.made import replies, row

from heartfelt.errors import InputError, UnknownName
from heartfelt.evaluation.metrics import Run, read_run
from heartfelt.evaluation.metrics.cost import Length
from heartfelt.evaluation.metrics.distinct import DistCorpus
from heartfelt.evaluation.metrics.recognition import Accuracy
from heartfelt.evaluation.statistics.interval import interval
from heartfelt.evaluation.statistics.slices import sliced


def answered(shares: dict[str, float], *, each: int = 60, seed: int = 0) -> Run:
    """Turns of people of several ages, right so often."""
    random = np.random.default_rng(seed)
    return read_run(
        row(
            i,
            emotion="sad",
            predicted="sad" if random.random() < share else "fear",
            labels="ekman",
            age=age,
            turns=1 + i % 5,
            speaker=f"s{i % 2}",
        )
        for i, (age, share) in enumerate((age, share) for age, share in shares.items() for _ in range(each))
    )


def test_a_group_that_is_served_worse_is_flagged():
    found = {
        each.name: each for each in sliced(Accuracy("ekman"), answered({"young": 0.9, "child": 0.9, "elderly": 0.5}), "age")
    }
    assert [name for name, each in found.items() if each.worse] == ["elderly"]
    assert found["elderly"].rows == 60
    assert found["elderly"].difference is not None
    assert found["elderly"].difference < -0.2
    part = found["elderly"].interval
    assert part is not None
    assert part.low <= part.value <= part.high


def test_chance_alone_is_flagged_no_more_often_than_it_may():
    ages = dict.fromkeys(("child", "young", "middle-aged", "elderly"), 0.7)
    flagged = sum(
        any(each.worse for each in sliced(Accuracy("ekman"), answered(ages, each=40, seed=seed), "age", times=200))
        for seed in range(60)
    )
    assert flagged <= 8  # of 60 at 5 %, more than 8 would come once in a hundred times


def test_by_emotion_length_and_speaker():
    run = answered({"young": 0.8})
    assert [each.name for each in sliced(Accuracy("ekman"), run, "emotion")] == ["sad"]
    lengths = {each.name: each.rows for each in sliced(Accuracy("ekman"), run, "turns", lengths=(1, 2, 4))}
    assert lengths == {"1": 12, "2–3": 24, "4 and more": 24}
    assert {each.name for each in sliced(Accuracy("ekman"), run, "speaker")} == {"s0", "s1"}


def test_the_only_slice_is_the_run():
    run = answered({"young": 0.8})
    (found,) = sliced(Accuracy("ekman"), run, "age")
    assert found.interval == interval(Accuracy("ekman"), run)
    assert (found.p, found.difference, found.worse) == (None, None, False)


def test_too_few_are_shown_and_not_tested():
    (few, _) = sorted(sliced(Accuracy("ekman"), read_run([
        *(row(i, emotion="sad", predicted="sad", labels="ekman", age="young") for i in range(20)),
        row(99, emotion="sad", predicted="fear", labels="ekman", age="child"),
    ]), "age"), key=lambda each: each.rows)  # fmt: skip
    assert (few.value, few.rows, few.interval, few.p) == (0, 1, None, None)
    assert "fewer than 10" in few.note


def test_figures_that_grow_with_text_or_have_no_better_are_not_tested():
    run = read_run(row(i, f"w{i} the", age="young" if i % 3 else "child") for i in range(60))
    assert all("amount of text" in each.note for each in sliced(DistCorpus(1), run, "age"))
    assert all("neither" in each.note for each in sliced(Length(), run, "age"))


def test_nothing_to_slice_by():
    with pytest.raises(InputError, match=r"none has it"):
        sliced(Length(), replies("a"), "age")
    with pytest.raises(UnknownName, match=r"slice 'agee'"):
        sliced(Length(), replies("a"), "agee")
    with pytest.raises(InputError, match=r"increasing"):
        sliced(Length(), replies("a"), "turns", lengths=(4, 2))
