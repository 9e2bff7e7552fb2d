"""Teaching the large reader: what becomes a lesson, and that a small network learns it."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

import torch

from heartfelt.errors import InputError
from heartfelt.safety.detect.large_prompt import LABELS
from heartfelt.tuning.base import ModelShape
from heartfelt.tuning.danger_samples import labels_of, read_ordinary, read_samples
from heartfelt.tuning.danger_talks import UNKNOWN, TalkTeaching, packs, scores, teach
from heartfelt.tuning.network import Network

from .tiny import HEADS, INNER, KV_HEADS, LAYERS, WIDTH, _tensors

SAMPLES = Path(__file__).parents[2] / "samples" / "safety"
VOCABULARY = 512


def _bytes(text: str) -> list[int]:
    return list(text.encode())


@pytest.mark.parametrize("name", ["lessons", "hints", "acts", "acts-more", "guard"])
def test_every_table_of_samples_becomes_lessons(name: str):
    lessons = read_samples([SAMPLES / f"{name}.csv"])
    assert lessons
    assert all(any(label != UNKNOWN for label in lesson.labels) for lesson in lessons)


def test_a_marked_reply_is_judged_after_the_talk_that_it_answers():
    lessons = read_samples([SAMPLES / "fits.csv", SAMPLES / "talks.jsonl"])
    judged = [lesson for lesson in lessons if lesson.reply]
    assert len(judged) == 2000
    assert all(lesson.message.earlier or lesson.message.text for lesson in judged)
    assert {lesson.labels[-1] for lesson in judged} == {UNKNOWN, 0, 1}


def test_ordinary_talk_keeps_what_was_said_before_and_leaves_out_the_sets_for_choosing(tmp_path: Path):
    path = tmp_path / "talk.jsonl"
    rows = [{"turns": ["Hello", "Hi", "My tea is cold"]}, {"set": "look", "turns": ["Never"]}]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    lessons = list(read_ordinary(path))
    assert [lesson.message.lines for lesson in lessons] == [
        ("Person: Hello",),
        ("Person: Hello", "Listener: Hi", "Person: My tea is cold"),
    ]
    assert all(lesson.labels == labels_of(tier="none") for lesson in lessons)


def test_a_file_of_something_else_is_named(tmp_path: Path):
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n", "utf-8")
    with pytest.raises(InputError, match=r"other\.csv does not hold samples"):
        read_samples([path])


def test_a_small_network_learns_to_tell_danger_from_none(tmp_path: Path):
    table = tmp_path / "lessons.csv"
    rows = [("the tea is cold", "none", "-")] * 40 + [("zzz jump zzz", "imminent", "suicide")] * 40
    table.write_text("text,tier,danger\n" + "\n".join(map(",".join, rows)) + "\n", "utf-8")
    lessons = read_samples([table])
    shape = ModelShape(LAYERS, WIDTH, INNER, HEADS, KV_HEADS, VOCABULARY, 10_000.0, 1e-5)
    torch.manual_seed(0)
    network = Network(shape, {k: torch.from_numpy(v) for k, v in _tensors(VOCABULARY, 0).items()}, rank=16, alpha=32.0)
    teaching = TalkTeaching(epochs=6, rows=4, length=128, rate=5e-3, dropout=0.0, borrowed=0.0)
    made = packs(lessons, [], [], _bytes, tmp_path, teaching)
    teach(network, made, teaching, told=lambda line: None)
    found = scores(network, made[0], teaching)[:, : len(LABELS[0])].argmax(1)
    with np.load(made[0]) as data:
        assert (found == data["labels"][:, 0]).mean() > 0.95
