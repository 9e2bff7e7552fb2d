from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from heartfelt.errors import UnknownName
from heartfelt.expression.voice.voices import DEFAULT, Voice, invented, parts, style, voice, voices


def test_there_are_voices_of_both_genders_and_accents():
    singles = [each for each in voices().values() if len(each.mix) == 1]
    assert {name for each in singles for name in each.mix} == set(parts())
    assert sum(name[1] == "f" for name in parts()) >= 5
    assert sum(name[1] == "m" for name in parts()) >= 5
    assert {each.accent for each in singles} == {"american", "british"}
    assert voice(DEFAULT).about


def test_an_unknown_voice_lists_the_known_ones():
    with pytest.raises(UnknownName, match="Did you mean 'heart'"):
        voice("hart")
    with pytest.raises(UnknownName, match="no voice of Kokoro 'af_nobody'"):
        Voice(name="x", mix={"af_nobody": 1.0})


@pytest.mark.parametrize("mix", [{}, {"af_heart": 0.0}, {"af_heart": -1.0, "af_bella": 2.0}])
def test_a_mix_of_nothing_is_refused(mix: dict[str, float]):
    with pytest.raises(ValidationError):
        Voice(name="x", mix=mix)


def test_weights_are_brought_to_one_and_the_main_part_gives_the_accent():
    mixed = Voice(name="x", mix={"bf_emma": 3.0, "af_heart": 1.0})
    assert mixed.mix == {"af_heart": 0.25, "bf_emma": 0.75}
    assert mixed.accent == "british"


def test_an_invented_voice_is_the_same_for_the_same_seed():
    assert invented(7, "woman") == invented(7, "woman")
    assert invented(7, "woman").mix != invented(8, "woman").mix
    assert all(name.startswith("bm_") for name in invented("ann", "man", "british").mix)


def test_styles_are_mixed_row_by_row(tmp_path: Path):
    for name, value in (("af_heart", 1.0), ("af_bella", 3.0)):
        np.full((510, 256), value, np.float32).tofile(tmp_path / f"{name}.bin")
    mixed = style(Voice(name="x", mix={"af_heart": 1.0, "af_bella": 1.0}), tmp_path)
    assert mixed.shape == (510, 256)
    assert np.allclose(mixed, 2.0)
