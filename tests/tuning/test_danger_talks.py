"""Teaching the large reader: what becomes a lesson, and that a small network learns it."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is an extra; `make test` brings it")

import torch

from heartfelt.errors import InputError
from heartfelt.safety.detect.large_prompt import LABELS
from heartfelt.safety.detect.message import PersonMessage
from heartfelt.tuning.base import ModelShape
from heartfelt.tuning.danger_samples import labels_of, read_ordinary, read_samples
from heartfelt.tuning.danger_talks import (
    UNKNOWN,
    TalkLesson,
    TalkTeaching,
    load_pack,
    pack,
    packs,
    scores,
    teach,
    words_loss,
)
from heartfelt.tuning.network import Network
from heartfelt.tuning.train import seen_by
from heartfelt.tuning.words.teach import LessonBatch, WordsTeaching, batches

from .tiny import HEADS, INNER, KV_HEADS, LAYERS, WIDTH, _tensors

SAMPLES = Path(__file__).parents[2] / "samples" / "safety"
VOCABULARY = 512


def _bytes(text: str) -> list[int]:
    return list(text.encode())


def _network() -> Network:
    shape = ModelShape(LAYERS, WIDTH, INNER, HEADS, KV_HEADS, VOCABULARY, 10_000.0, 1e-5)
    torch.manual_seed(0)
    return Network(shape, {k: torch.from_numpy(v) for k, v in _tensors(VOCABULARY, 0).items()}, rank=16, alpha=32.0)


@torch.no_grad()
def _lost(network: Network, path: Path, teaching: TalkTeaching) -> float:
    """What writing the replies of a pack costs the network, a token."""
    network.eval()
    data, _ = load_pack(path)
    packing = WordsTeaching(rows=teaching.rows, length=teaching.length)
    losses = [_words_loss(network, batch) for batch in batches(data, np.arange(len(data)), packing, network)]
    return sum(losses) / len(losses)


def _words_loss(network: Network, batch: LessonBatch) -> float:
    hidden = network(batch.tokens, batch.positions, seen_by(batch.inside))
    return float(words_loss(network, hidden, batch))


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


def test_a_reply_that_was_written_is_learnt_word_by_word_and_not_judged(tmp_path: Path):
    talk = {"id": "t-1", "turns": [["P", "I can't go on", "active", "suicide", "self", "tells_more"], ["L", "Hm."]]}
    (tmp_path / "talks.jsonl").write_text(json.dumps(talk), "utf-8")
    (tmp_path / "replies.csv").write_text("talk,turn,reply\nt-1,0,Who is with you?\n", "utf-8")
    read, written = read_samples([tmp_path / "replies.csv", tmp_path / "talks.jsonl"])
    assert written.written and not read.written and set(written.labels) == {UNKNOWN}
    pack([read, written], _bytes, tmp_path / "pack.npz")
    with np.load(tmp_path / "pack.npz") as data:
        assert bytes(data["tokens"][data["learnt"]].tolist()).decode() == " Who is with you?\n"
        assert bytes(data["tokens"].tolist()).decode().endswith("Person: I can't go on\nReply: Who is with you?\n")


def test_a_small_network_learns_to_write_a_reply(tmp_path: Path):
    lessons = [TalkLesson(PersonMessage("I fell"), labels_of(), "Where?", written=True)] * 40
    network = _network()
    teaching = TalkTeaching(epochs=6, rows=4, length=128, rate=5e-3, dropout=0.0)
    made = packs(lessons, [], [], _bytes, tmp_path, teaching)
    before = _lost(network, made[0], teaching)
    teach(network, made, teaching, told=lambda line: None)
    assert _lost(network, made[0], teaching) < 0.2 < before


def test_every_written_reply_belongs_to_a_turn_of_a_talk_and_is_short():
    talks = [SAMPLES / f"{name}.jsonl" for name in ("talks", "talks-more", "talks-answered")]
    lessons = read_samples([SAMPLES / "replies.csv", *talks])
    written = [lesson.reply for lesson in lessons if lesson.written]
    assert len(written) > 2000
    assert all(len(reply.split()) <= 48 and reply.count("?") <= 2 and not re.search(r"\d{3}", reply) for reply in written)
    assert {gap for reply in written for gap in re.findall(r"{\w*}?", reply)} == {"{help}", "{emergency}"}


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
    network = _network()
    teaching = TalkTeaching(epochs=6, rows=4, length=128, rate=5e-3, dropout=0.0, borrowed=0.0)
    made = packs(lessons, [], [], _bytes, tmp_path, teaching)
    teach(network, made, teaching, told=lambda line: None)
    found = scores(network, made[0], teaching)[:, : len(LABELS[0])].argmax(1)
    with np.load(made[0]) as data:
        assert (found == data["labels"][:, 0]).mean() > 0.95
