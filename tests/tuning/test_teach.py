"""Teachers judge what they have not seen; a teacher that is there is not trained again."""

from pathlib import Path

import numpy as np
import pytest

from . import tiny

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

from heartfelt.tuning.batches import Examples, TeacherShares
from heartfelt.tuning.teach import gathered, teacher
from heartfelt.tuning.train import FOLDS, Training

RECIPE = Training(rank=4, alpha=8.0, rows=4, length=64, epochs=2.0, rate=2e-2, share=(("respond", 0.0),))


def test_each_label_gets_the_shares_of_teachers_that_left_it_out(base: Path, tmp_path: Path):
    examples = Examples.load(tiny.write_examples(tmp_path) / "train.npz")
    told: list[object] = []
    paths = [teacher(base, examples, tmp_path, number, RECIPE, progress=told.append) for number in (0, 2, 4)]
    assert told
    for number, path in zip((0, 2, 4), paths, strict=True):
        assert set((examples.talk[TeacherShares.load(path).example] % FOLDS).tolist()) == {number, number + 1}
    shares = TeacherShares.load(gathered(paths, tmp_path / "shares.npz"))
    assert shares.example.tolist() == np.flatnonzero(examples.chooses).tolist()
    assert np.allclose(shares.share.astype(np.float32).sum(1), 1, atol=0.01)
    right = examples.tokens[examples.first[shares.example]] - 100
    assert (shares.share.argmax(1) == right).mean() > 0.5, "chance is a quarter"
    told.clear()
    assert teacher(base, examples, tmp_path, 0, RECIPE, progress=told.append) == paths[0] and not told
