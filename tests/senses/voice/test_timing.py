import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from heartfelt.senses.voice.timing import peaks, spans

from .sounds import joined, silence, tone


def test_each_token_is_where_its_attention_is():
    assert peaks(np.eye(5, 9, 2, dtype=np.float32)) == [2, 3, 4, 5, 6]


def test_a_peak_out_of_order_gives_way():
    attention = np.full((3, 10), 0.01, np.float32)
    attention[0, 2] = attention[2, 8] = 0.9
    attention[1, 0], attention[1, 5] = 0.6, 0.3
    assert peaks(attention) == [2, 5, 8]


@given(arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.floats(0, 1, width=32)))
def test_peaks_never_go_back(attention: np.ndarray):
    path = peaks(attention)
    assert len(path) == len(attention)
    assert path == sorted(path)
    assert path[0] >= 0 and path[-1] < attention.shape[1]


def test_a_word_ends_with_its_sound_or_where_the_next_begins():
    sound = joined(silence(0.24), tone(200, 0.48), silence(0.72), tone(200, 0.48), silence(0.48))
    (first, first_end), (second, second_end), (third, third_end) = spans([10, 60, 70], sound, step=384, late=0.03)
    assert (first, second, third) == pytest.approx((0.222, 1.422, 1.662))
    assert first_end == pytest.approx(0.72, abs=0.03)
    assert second_end == third
    assert third_end == pytest.approx(1.92, abs=0.03)


@given(st.lists(st.integers(0, 60), min_size=1, max_size=8).map(sorted))
def test_words_lie_within_the_sound_and_do_not_overlap(starts: list[int]):
    sound = tone(150, 1)
    times = spans(starts, sound, step=384, late=0.03)
    assert all(0 <= begin <= end <= 1 for begin, end in times)
    assert all(times[n][1] <= times[n + 1][0] + 1e-9 for n in range(len(times) - 1))
