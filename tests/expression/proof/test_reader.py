import json
from pathlib import Path

import numpy as np
import pytest

from heartfelt.errors import InputError
from heartfelt.expression.proof.reader import CLASSES, UNITS, FaceReader, fit, write_reader
from heartfelt.expression.proof.seen import Onlooker, SeenLook

PROTOTYPES = {"joy": "AU12", "sadness": "AU15", "anger": "AU4", "fear": "AU5", "surprise": "AU26", "disgust": "AU9"}


def look(name: str, noise: np.random.Generator) -> SeenLook:
    units = {unit: float(noise.uniform(0, 0.15)) for unit in UNITS}
    if name in PROTOTYPES:
        units[PROTOTYPES[name]] += 0.6
    return SeenLook(units=units, shares={}, build=(), risen={label: float(noise.normal(0, 0.3)) for label in CLASSES})


@pytest.fixture(scope="module")
def weights():
    noise = np.random.default_rng(0)
    names = [name for name in CLASSES for _ in range(12)]
    return fit([look(name, noise) for name in names], names)


def test_it_learns_what_it_is_shown_and_reads_others(weights: dict[str, object]):
    noise, reader = np.random.default_rng(1), FaceReader(weights)
    found = [name == _best(reader.read(look(name, noise))) for name in CLASSES for _ in range(8)]
    assert np.mean(found) > 0.9


def test_shares_are_shares(weights: dict[str, object]):
    shares = FaceReader(weights).read(look("joy", np.random.default_rng(2)))
    assert set(shares) == set(CLASSES) and sum(shares.values()) == pytest.approx(1, abs=1e-3)


def test_the_same_looks_give_the_same_weights(weights: dict[str, object]):
    noise = np.random.default_rng(0)
    names = [name for name in CLASSES for _ in range(12)]
    assert fit([look(name, noise) for name in names], names) == weights


def test_what_is_written_is_read(weights: dict[str, object], tmp_path: Path):
    write_reader(weights, {"people": "made up"}, tmp_path / "reader.json")
    assert FaceReader(json.loads((tmp_path / "reader.json").read_text())).read(look("fear", np.random.default_rng(3)))


def test_the_shipped_one_was_fitted_on_people_by_chance():
    from importlib.resources import files

    shipped = json.loads(files("heartfelt.expression.proof").joinpath("reader.json").read_text(encoding="utf-8"))
    assert shipped["people"].startswith("seeds")
    assert np.array(shipped["weights"]).shape == (len(UNITS) + len(CLASSES) + 1, len(CLASSES))


def test_a_strong_smile_is_read_as_joy_by_the_shipped_one():
    units = dict.fromkeys(UNITS, 0.02) | {"AU12": 0.8, "AU6": 0.55, "AU26": 0.4}
    risen = dict.fromkeys(CLASSES, -1.0) | {"joy": 3.0}
    assert _best(FaceReader().read(SeenLook(units=units, shares={}, build=(), risen=risen))) == "joy"


@pytest.mark.embedded
def test_a_picture_at_rest_without_a_face_is_told():
    with pytest.raises(InputError, match="No face is found in the picture at rest"):
        Onlooker().pictures([], np.full((128, 128, 3), 90, np.uint8))


def _best(shares: dict[str, float]) -> str:
    return max(shares, key=lambda label: shares[label])
