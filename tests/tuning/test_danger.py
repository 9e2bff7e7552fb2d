"""Teaching the reader of danger on a tiny base: it learns what the lessons say."""

from pathlib import Path

import numpy as np
import pytest

from . import tiny

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

from heartfelt.safety.detect import phrases
from heartfelt.safety.detect.frame import DANGER_WORDS, TIER_WORDS
from heartfelt.tuning.danger import Packed, Teaching, pack, read_messages, score, teach
from heartfelt.tuning.export import read_adapter
from heartfelt.tuning.phrases import weigh

WORDS = [*TIER_WORDS.values(), *DANGER_WORDS.values()]


def tokens(text: str) -> list[int]:
    """Each word that answers is one token; everything else is its bytes."""
    return [20 + WORDS.index(text)] if text in WORDS else [32 + byte % 224 for byte in text.encode()]


def test_it_learns_to_tell_two_messages_apart(tmp_path: Path):
    lessons = [("aaaa aaaa", "imminent", "abuse"), ("zzzz zzzz", "none", "-")] * 16
    pack({"lessons": lessons, "validation": lessons[:2]}, tokens, tmp_path / "messages.npz")
    data = Packed.load(tmp_path / "messages.npz")
    recipe = Teaching(name="tiny", rank=4, alpha=8.0, rate=2e-2, epochs=30, rows=8, dropout=0, blank=0, taught={"lessons": 1.0})
    network = teach(tiny.write_base(tmp_path / "base.gguf"), data, recipe, tmp_path, told=lambda _: None)
    found = score(network, data, data.of("validation"))
    assert found.shape == (2, len(WORDS)) and np.allclose(found[:, :4].sum(1), 1, atol=1e-3)
    assert found[0, 3] > 0.6 and found[1, 0] > 0.6
    tensors, alpha = read_adapter([tmp_path / "tiny.npz"])
    assert alpha == 8.0 and len(tensors) == 2 * 7 * tiny.LAYERS
    assert (tmp_path / "tiny.validation.npy").exists()


def test_phrases_are_weighed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    lessons = [("he locked me in again", "active", "abuse"), ("the soup was good again", "none", "-")] * 20
    weigh(lessons, tmp_path / "phrases.npz", epochs=4)
    monkeypatch.setattr(phrases, "FILE", tmp_path / "phrases.npz")
    monkeypatch.setattr(phrases, "_weights", phrases._weights.__wrapped__)
    share, danger = phrases.weighed("he locked me in")
    assert share > 0.6 and danger == "abuse" and phrases.weighed("the soup was good")[0] < 0.4


def test_messages_are_read_from_a_table(tmp_path: Path):
    path = tmp_path / "lessons.csv"
    path.write_text('text,tier,danger,form\n"well, no",none,-,plain\n', "utf-8")
    assert read_messages(path) == [("well, no", "none", "-")]
