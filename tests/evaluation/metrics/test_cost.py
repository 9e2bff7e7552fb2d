import pytest
from tests.evaluation.made import replies, row

from heartfelt.errors import InputError
from heartfelt.evaluation.metrics import measure, read_run
from heartfelt.evaluation.metrics.cost import CachedShare, Cost, Length, costs
from heartfelt.evaluation.metrics.rows import Spent

PLAN = Spent(step="plan", calls=1, prompt_tokens=100, cached_tokens=60, output_tokens=10, ms=5.0)
SAY = Spent(step="respond", calls=2, prompt_tokens=100, cached_tokens=100, output_tokens=30, ms=15.0)
RUN = read_run([row(0, spent=(PLAN, SAY, PLAN)), row(1, spent=(SAY,)), row(2)])


def test_the_whole_turn():
    assert measure(Cost("ms"), RUN).value == pytest.approx((25 + 15) / 2)
    assert measure(Cost("calls"), RUN).value == pytest.approx((4 + 2) / 2)
    assert measure(CachedShare(), RUN).value == pytest.approx(320 / 400)
    assert measure(Cost("ms"), RUN).left_out == 1


def test_by_step():
    assert measure(Cost("ms", "plan"), RUN).value == 10
    assert measure(Cost("output_tokens", "respond"), RUN).value == 30
    assert [cost.name for cost in costs(RUN)][-2:] == ["cost/ms/plan", "cost/ms/respond"]


def test_without_costs():
    for metric in (Cost("ms"), Cost("ms", "plan"), CachedShare()):
        with pytest.raises(InputError, match=r"no row with"):
            measure(metric, replies("a"))


def test_length_counts_empty_replies():
    assert measure(Length("lower-whitespace"), replies("one two three.", "")).value == 1.5
    assert measure(Length(), replies("one two three.", "")).value == 2
