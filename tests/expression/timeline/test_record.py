import numpy as np
import pytest
from pydantic import ValidationError

from heartfelt.errors import InputError
from heartfelt.expression.timeline.record import Timeline, strung, timeline_of


def line(values: list[float], **fields: object) -> Timeline:
    return timeline_of({"jawOpen": np.array(values)}, seconds=len(values) / 50, **fields)


def test_it_is_one_record_that_goes_through_json():
    made = line([0.0, 0.5, 1.0], persona="maya")
    assert Timeline.model_validate_json(made.model_dump_json()) == made


def test_between_two_moments_the_pose_is_between_them():
    made = line([0.0, 0.5, 1.0])
    assert made.pose(0.01).units["jawOpen"] == pytest.approx(0.25)
    assert made.pose(0.04).units["jawOpen"] == pytest.approx(1.0)


def test_before_the_start_and_after_the_end_the_pose_stays():
    made = line([0.2, 0.5, 0.8])
    assert made.pose(-1).units["jawOpen"] == pytest.approx(0.2)
    assert made.pose(99).units["jawOpen"] == pytest.approx(0.8)


def test_one_moment_is_enough():
    assert line([0.3]).pose(0.5).units["jawOpen"] == pytest.approx(0.3)


def test_what_never_moves_is_left_out():
    made = timeline_of({"jawOpen": np.zeros(4), "yaw": np.full(4, 2.0)}, seconds=0.08)
    assert set(made.channels) == {"yaw"}
    assert made.pose(0.02).yaw == pytest.approx(2.0)
    assert not made.channel("jawOpen").any()


def test_stretches_are_strung_into_one():
    first, second = line([0.1, 0.2], start=0.0), timeline_of({"yaw": np.array([1.0, 2.0, 3.0])}, start=0.04, seconds=0.06)
    whole = strung([first, second])
    assert whole.moments == 5
    assert whole.channels["jawOpen"] == (0.1, 0.2, 0.0, 0.0, 0.0)
    assert whole.channels["yaw"] == (0.0, 0.0, 1.0, 2.0, 3.0)


def test_nothing_cannot_be_strung():
    with pytest.raises(InputError, match="nothing to string"):
        strung([])


@pytest.mark.parametrize("channels", [{"jawopen": (0.0, 0.0)}, {"jawOpen": (0.0,)}])
def test_a_channel_that_does_not_fit_is_refused(channels: dict[str, tuple[float, ...]]):
    with pytest.raises(ValidationError):
        Timeline(seconds=0.04, channels=channels)
