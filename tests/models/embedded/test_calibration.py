"""Temperatures lie beside the adapter, fit the set that is asked from, and refuse to be nonsense."""

import json
from pathlib import Path

import pytest

from heartfelt.errors import EngineError
from heartfelt.models.embedded.calibration import Fitted, Temperatures, beside, temperatures


def fitted(options: str, temperature: float) -> Fitted:
    return Fitted(options=tuple(options.split()), temperature=temperature, turns=100, error_before=0.1, error_after=0.02)


KNOWN = Temperatures(sets={"wide": fitted("a b c d e", 1.5), "narrow": fitted("a b c", 0.8)})


@pytest.mark.parametrize(
    ("options", "temperature"),
    [("a b c", 0.8), ("a c", 0.8), ("a d", 1.5), ("a b c d e", 1.5), ("a z", 1.0), ("right wrong", 1.0)],
)
def test_the_smallest_set_that_holds_all_options_counts(options: str, temperature: float):
    assert KNOWN.of(options.split()) == temperature


def test_a_set_of_the_prompt_itself_comes_first():
    after = fitted("a b c d e", 2.5).model_copy(update={"prompt": "forecast"})
    known = Temperatures(sets=KNOWN.sets | {"after": after})
    assert known.of(["a", "b"], "forecast") == 2.5 and known.of(["a", "b"], "recognise") == known.of(["a", "b"]) == 0.8


def test_an_adapter_without_a_calibration_is_taken_as_it_is(tmp_path: Path):
    assert temperatures(None) == temperatures(tmp_path / "mine.gguf") == Temperatures()


def test_what_was_written_is_read(tmp_path: Path):
    adapter = tmp_path / "mine.gguf"
    beside(adapter).write_text(KNOWN.model_dump_json())
    assert temperatures(adapter) == KNOWN


@pytest.mark.parametrize("broken", ["", "{", json.dumps({"sets": {"x": {"options": ["a"], "temperature": 0}}})])
def test_a_broken_file_is_named(tmp_path: Path, broken: str):
    beside(tmp_path / "mine.gguf").write_text(broken)
    with pytest.raises(EngineError, match=r"mine\.calibration\.json is no calibration"):
        temperatures(tmp_path / "mine.gguf")
