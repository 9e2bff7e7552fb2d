from pathlib import Path

import pytest

from heartfelt.files import whole


def test_a_file_that_is_written_takes_the_place_of_the_earlier_one(tmp_path: Path):
    for text in ("before", "after"):
        with whole(tmp_path / "it.txt") as draft:
            draft.write_text(text)
            assert draft.suffix == ".txt"  # some writers choose the format by it
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("it.txt", "after")]


@pytest.mark.parametrize("stop", [OSError, KeyboardInterrupt])
def test_whatever_stops_the_writing_leaves_all_as_it_was(tmp_path: Path, stop: type[BaseException]):
    (tmp_path / "it.txt").write_text("before")
    with pytest.raises(stop), whole(tmp_path / "it.txt") as draft:
        draft.write_text("half")
        raise stop
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("it.txt", "before")]
