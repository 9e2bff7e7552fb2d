"""Cues are read as teachers read them, from the words alone."""

from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from heartfelt.agents import ForecastEmotion
from heartfelt.labels import label_set
from heartfelt.tuning import corpora
from heartfelt.tuning.batches import Examples, TeacherShares
from heartfelt.tuning.examples import Sizes, export
from heartfelt.tuning.readings import TeacherReadings

from . import made_up

FEW = Sizes(empathetic_dialogues=6, meld=2, goemotions=4, esconv=1, own=2)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up.corpora(tmp_path_factory.mktemp("corpora"))


@pytest.fixture(scope="module")
def first(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first")
    export(folder, data, train=FEW, valid=FEW, scribe=made_up.scribe, told=lambda *_: None)
    return folder


def sure_of(examples: Examples, label: str) -> TeacherShares:
    """Teachers that read every turn as one emotion."""
    chosen = np.flatnonzero(examples.chooses)
    share = np.zeros((len(chosen), max(len(tokens) for tokens in examples.options)), np.float16)
    for row, at in enumerate(chosen):
        options = examples.options[examples.task[at]].tolist()
        token = ord(label[0]) if ord(label[0]) in options else options[0]
        share[row, options.index(token)] = 1
    return TeacherShares(chosen, share)


def test_cues_say_what_the_teachers_read_and_labels_carry_their_shares(data: Path, first: Path, tmp_path: Path):
    examples = Examples.load(first / "train.npz")
    readings = TeacherReadings(examples, sure_of(examples, "grateful"))
    export(tmp_path, data, train=FEW, valid=FEW, scribe=made_up.scribe, told=lambda *_: None, readings=readings)
    again = Examples.load(tmp_path / "train.npz")
    texts = [
        made_up.text_of(again.tokens[a:b].astype(int).tolist()) for a, b in zip(again.offsets, again.offsets[1:], strict=False)
    ]
    cued = [
        text for text, task in zip(texts, again.task, strict=True) if again.tasks[task] == "forecast_ed32" and "Seen:" in text
    ]
    read = Counter("(grateful)" in text or "(guilty)" in text for text in cued)  # one byte begins both
    assert cued and read[True] == len(cued)
    taught = TeacherShares.load(tmp_path / "shares.npz")
    assert {again.tasks[task] for task in again.task[taught.example]} >= {"recognise_ed32", "forecast_ed32", "recognise_meld"}
    assert np.allclose(taught.share.astype(np.float32).sum(1), 1)
    for at, share in zip(taught.example, taught.share, strict=True):
        if "ed32" in again.tasks[again.task[at]]:
            assert again.options[again.task[at]][share.argmax()] == ord("g"), "over the options of the new examples"


def test_without_teachers_there_are_no_shares(first: Path):
    assert not (first / "shares.npz").exists()


def test_a_question_that_nobody_was_asked_has_no_row(data: Path, first: Path):
    examples = Examples.load(first / "train.npz")
    readings = TeacherReadings(examples, sure_of(examples, "sad"))
    scribe = made_up.scribe()
    talk = corpora.training("empathetic_dialogues", data)[0]
    known = talk.dialogue.model_copy(update={"turns": talk.dialogue.turns[:1]})
    value = {"emotion": talk.dialogue.turns[0].emotion}
    asked = scribe.ask("", ForecastEmotion(recognise=True), scribe.view(known), value).asked
    assert readings.row("recognise_ed32", asked) >= 0
    assert readings.row("recognise_ed32", [*asked, 1]) == readings.row("recognise_meld", asked) == -1
    drawn = readings.drawn(readings.row("recognise_ed32", asked), Random(0), scribe.tokens)
    assert drawn in label_set("ed32").labels and drawn.startswith("s")
