from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from heartfelt.errors import UsageError
from heartfelt.expression.embedded import EmbeddedVoice
from heartfelt.expression.persona import persona_named
from heartfelt.expression.sheet import draw_sheet
from heartfelt.expression.voice.speaker import Hummer

pytestmark = [pytest.mark.embedded, pytest.mark.xdist_group("drawing")]


def test_a_row_for_each_person_and_a_column_for_each_emotion(tmp_path: Path):
    target, people = tmp_path / "sheet.png", [persona_named("maya"), persona_named("omar")]
    draw_sheet(people, target, emotions=("neutral", "happy", "anger"), size=64, voice=EmbeddedVoice(Hummer()))
    page = np.asarray(Image.open(target).convert("RGB")).astype(int)
    assert page.shape == (26 + 2 * 64, 84 + 3 * 64, 3)
    cells = [page[26 + row * 64 :, 84 + column * 64 :][:64, :64] for row in range(2) for column in range(3)]
    for index, first in enumerate(cells):
        for second in cells[index + 1 :]:
            assert np.abs(first - second).mean() > 0.5  # nobody looks like somebody else, and no emotion like another


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UsageError, match="cannot be written"):
        draw_sheet(
            [persona_named("maya")], tmp_path / "file" / "a.png", emotions=("neutral",), size=64, voice=EmbeddedVoice(Hummer())
        )
