"""The file against the person that it was made of."""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from heartfelt.expression.browser import avatar_file, draw_people, portrait, portrait_file
from heartfelt.expression.browser.avatar import avatar_bytes
from heartfelt.expression.browser.flesh import Order, order_of
from heartfelt.expression.browser.layout import Avatar, unpacked
from heartfelt.expression.browser.portrait import portrait_jpeg
from heartfelt.expression.face import looks
from heartfelt.expression.face.head import Head
from heartfelt.expression.face.look import Look
from heartfelt.expression.face.names import UNITS
from heartfelt.expression.face.people import look_from, look_named
from heartfelt.expression.face.rig import Rig
from heartfelt.weights import Store

from ..people import people
from .conftest import Cast

pytestmark = [pytest.mark.embedded, pytest.mark.xdist_group("avatar")]

MOST_BYTES = 1_200_000
"""Three million were the aim."""


def blended(avatar: Avatar, units: dict[str, float]) -> np.ndarray:
    """The coarse points as a browser makes them."""
    points = avatar.arrays["coarse.rest"].meant.copy()
    ends = np.cumsum([0, *avatar.arrays["units.count"].values.ravel().astype(int)])
    index, delta = avatar.arrays["units.index"].values.ravel(), avatar.arrays["units.delta"].meant
    for row, name in enumerate(avatar.entries["units"]):
        span = slice(ends[row], ends[row + 1])
        points[index[span]] += np.float32(units.get(name, 0.0)) * delta[span]
    return points


def some_units(count: int) -> Iterator[dict[str, float]]:
    chance = np.random.default_rng(7)
    for _ in range(count):
        yield {name: float(chance.uniform(0, 1)) for name in chance.choice(UNITS, 12, replace=False)}


def test_units_move_the_points_as_the_rig_does(cast: Cast):
    person, avatar = cast.person("maya"), cast.read("maya")
    order, rig = order_of(person), person.rig
    for units in some_units(12):
        wanted = _by_the_rig(rig, units)[order.coarse] - rig.pivot
        steps = avatar.arrays["coarse.rest"].scale, avatar.arrays["units.delta"].scale
        assert steps[0] and steps[1]
        assert np.abs(blended(avatar, units) - wanted).max() <= 0.51 * (steps[0] + 12 * steps[1]) + 1e-6


def _by_the_rig(rig: Rig, units: dict[str, float]) -> np.ndarray:
    points = rig.rest.copy()
    for row, name in enumerate(UNITS):
        span = slice(rig.starts[row], rig.starts[row + 1])
        points[rig.index[span]] += np.float32(units.get(name, 0.0)) * rig.delta[span]
    return points


def test_the_table_makes_the_fine_mesh(cast: Cast):
    person, avatar = cast.person("omar"), cast.read("omar")
    order = order_of(person)
    made = _fine(avatar, avatar.arrays["coarse.rest"].meant)
    assert np.abs(made - (person.resting[order.fine] - person.rig.pivot)).max() < 2e-4


def _fine(avatar: Avatar, coarse: np.ndarray) -> np.ndarray:
    counts = avatar.arrays["table.count"].values.ravel().astype(int)
    weights = avatar.arrays["table.weights"].meant.ravel()[avatar.arrays["table.code"].values.ravel()]
    products = coarse[avatar.arrays["table.index"].values.ravel()] * weights[:, None]
    return np.add.reduceat(products, np.cumsum([0, *counts[:-1]]), axis=0)


def test_only_what_moves_is_said_to_move(cast: Cast):
    avatar, order = cast.read("maya"), order_of(cast.person("maya"))
    rest = _fine(avatar, avatar.arrays["coarse.rest"].meant)
    for units in some_units(4):
        moved = np.abs(_fine(avatar, blended(avatar, units)) - rest).max(1) > 1e-6
        assert not moved[order.moving :].any()


@pytest.mark.parametrize("name", people(looks()))
def test_everybody_is_small_and_whole(cast: Cast, name: str):
    avatar = cast.read(name)
    assert len(cast.file(name)) < MOST_BYTES
    order = order_of(cast.person(name))
    for part, count in _vertices(avatar, order).items():
        assert avatar.arrays[part].values.max() < count, part
    for part in ("skin", "gloss"):
        assert Image.open(io.BytesIO(avatar.pictures[part])).format == "WEBP"
    assert ("beard.rows" in avatar.arrays) == (look_named(name).beard in ("full", "moustache"))
    assert ("frame.points" in avatar.arrays) == (look_named(name).glasses is not None)


def _vertices(avatar: Avatar, order: Order) -> dict[str, int]:
    """For each array of indices the number of what it points at."""
    found = {f"flesh.{part}": len(order.fine) for part in ("skin", "upper", "lower", "tongue", "beyond")}
    found |= {"lids.Left": len(order.fine), "lids.Right": len(order.fine), "lashes.line Left": len(order.fine)}
    found |= {"units.index": len(order.coarse), "table.index": len(order.coarse), "lips.rows": len(order.coarse)}
    pieces = {name.removesuffix(".points") for name in avatar.arrays if name.endswith(".points")}
    return found | {f"{name}.triangles": len(avatar.arrays[f"{name}.points"].values) for name in pieces}


def test_the_same_look_gives_the_same_bytes(head: Head, cast: Cast):
    assert avatar_bytes(look_named("tom"), head=head) == cast.file("tom")


def test_somebody_by_chance_can_be_drawn_too(head: Head):
    assert unpacked(avatar_bytes(look_from(3), head=head)).entries["name"] == "Somebody 3"


def test_a_portrait_is_a_picture_of_its_size(head: Head):
    picture = Image.open(io.BytesIO(portrait_jpeg(look_named("yuna"), 128, head=head)))
    assert (picture.format, picture.size) == ("JPEG", (128, 128))


def test_a_serious_portrait_has_no_smile(head: Head):
    assert not [unit for unit in portrait.POSES["serious"].units if "Smile" in unit or "cheek" in unit]
    assert portrait_jpeg(look_named("yuna"), 128, mood="serious", head=head) != portrait_jpeg(
        look_named("yuna"), 128, head=head
    )


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Who was drawn, with a double of the renderer."""
    made: list[str] = []

    def write(look: Look, *_: object, **__: object) -> bytes:
        made.append(look.name)
        return b"made"

    monkeypatch.setattr("heartfelt.expression.browser.avatar.avatar_bytes", write)
    monkeypatch.setattr("heartfelt.expression.browser.portrait.portrait_jpeg", write)
    monkeypatch.setattr("heartfelt.expression.browser.kept.head_file", lambda _: None)
    monkeypatch.setattr("heartfelt.expression.browser.kept.open_head", lambda _: None)
    return made


def test_all_of_a_person_is_drawn_at_once_and_then_left_alone(tmp_path: Path, drawn: list[str]):
    store, looks = Store(tmp_path), [look_named("maya"), look_named("tom")]
    draw_people(looks, store)
    assert drawn == ["Maya"] * 3 + ["Tom"] * 3
    draw_people(looks, store)
    portrait_file(looks[0], store=store)
    portrait_file(looks[0], store=store, mood="serious")
    assert len(drawn) == 6


def test_files_are_made_once(tmp_path: Path, drawn: list[str]):
    store, look = Store(tmp_path), look_named("maya")
    for _ in range(2):
        assert avatar_file(look, store).read_bytes() == b"made"
        assert portrait_file(look, 128, store).read_bytes() == b"made"
    assert drawn == ["Maya", "Maya"]
    assert avatar_file(look_named("tom"), store) != avatar_file(look, store)
