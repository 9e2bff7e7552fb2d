import numpy as np
import pytest

from heartfelt.expression.face.pattern import Kind, strands


@pytest.mark.parametrize("kind", ["straight", "wavy", "coiled"])
def test_a_cover_shows_as_much_as_it_says(kind: Kind):
    picture = strands(kind, 3)
    assert (picture < 0.3).mean() == pytest.approx(0.3, abs=0.01)
    np.testing.assert_array_equal(picture, strands(kind, 3))


@pytest.mark.parametrize("kind", ["straight", "wavy", "coiled"])
def test_a_pattern_repeats_without_a_seam(kind: Kind):
    picture = strands(kind, 3)
    inner, seam = np.abs(np.diff(picture, axis=1)).mean(), np.abs(picture[:, 0] - picture[:, -1]).mean()
    assert seam < 2 * inner
