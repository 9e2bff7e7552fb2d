"""What is packed comes out again."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from heartfelt.errors import InputError
from heartfelt.expression.browser.layout import NumberTable, packed, scaled, unpacked, whole

KINDS = st.sampled_from([np.int8, np.uint8, np.int16, np.uint16])


@given(KINDS.flatmap(lambda kind: arrays(kind, array_shapes(min_dims=2, max_dims=2, max_side=9))))
def test_whole_numbers_are_kept_exactly(values: np.ndarray):
    read = unpacked(packed({"name": "Maya"}, {"some": NumberTable(values)}, {"skin": b"a picture"}))
    np.testing.assert_array_equal(read.arrays["some"].meant, values)
    assert read.arrays["some"].values.dtype == values.dtype
    assert (read.entries, read.pictures) == ({"name": "Maya"}, {"skin": b"a picture"})


@given(arrays(np.float32, (7, 3), elements=st.floats(-8, 8, width=32)))
def test_fractions_are_kept_within_half_a_step(values: np.ndarray):
    table = unpacked(packed({}, {"places": scaled(values)}, {})).arrays["places"]
    assert table.scale is not None
    assert np.abs(table.meant - values).max() <= 0.51 * table.scale + 1e-7


def test_what_is_beyond_the_limit_stays_at_it():
    np.testing.assert_allclose(scaled(np.array([[-3.0, 0.25, 3.0]]), most=0.5).meant, [[-0.5, 0.25, 0.5]], atol=2e-5)


def test_an_index_that_does_not_fit_is_refused():
    for wrong in (-1, 65_536):
        with pytest.raises(ValueError, match="two bytes"):
            whole(np.array([0, wrong]))


def test_other_files_are_refused():
    with pytest.raises(InputError, match="no avatar's file"):
        unpacked(gzip.compress(b"something else that is long enough"))
