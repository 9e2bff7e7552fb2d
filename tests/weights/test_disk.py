import errno
from pathlib import Path

import pytest

from heartfelt.errors import DiskFullError, StoreError
from heartfelt.weights.disk import default_root, explained, free_bytes, require_room


def test_heartfelt_home_goes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("HEARTFELT_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert default_root() == tmp_path / "weights"


@pytest.mark.parametrize("home", [None, ""])
def test_then_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: str | None):
    monkeypatch.delenv("HEARTFELT_HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("HEARTFELT_HOME", home)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_root() == tmp_path / "heartfelt" / "weights"


def test_a_tilde_is_the_users_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HEARTFELT_HOME", "~/hf")
    assert default_root() == tmp_path / "hf" / "weights"


def test_room_is_measured_where_the_folder_will_be(tmp_path: Path):
    assert free_bytes(tmp_path / "not" / "yet") > 0


def test_too_little_room_names_both_figures(tmp_path: Path):
    with pytest.raises(DiskFullError, match=r"needs about 1,000,000,000,000.0 MB .* MB are free.*HEARTFELT_HOME"):
        require_room(tmp_path, 10**18, "Pulling toy")


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, DiskFullError),
        (errno.EDQUOT, DiskFullError),
        (errno.EROFS, StoreError),
        (errno.EACCES, StoreError),
        (errno.EIO, StoreError),
    ],
)
def test_what_the_disk_says_in_words(tmp_path: Path, number: int, kind: type[StoreError]):
    with pytest.raises(StoreError, match="HEARTFELT_HOME") as caught, explained(tmp_path, 5, "Pulling toy"):
        raise OSError(number, "the disk's own words")
    assert type(caught.value) is kind


def test_other_errors_pass(tmp_path: Path):
    with pytest.raises(ValueError, match="mine"), explained(tmp_path, 5, "Pulling toy"):
        raise ValueError("mine")
