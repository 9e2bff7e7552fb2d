"""The whole recipe on turns of a corpus: what it replies, and what it forecasts after its own cues."""

from pathlib import Path

import pytest

import scripts
from heartfelt.setup import Setup
from heartfelt.tuning import corpora
from heartfelt.tuning.chain import LABELS, after_cues
from heartfelt.tuning.replies import CORPUS, answered, last_turns, reply_figures

from . import made_up


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up.corpora(tmp_path_factory.mktemp("corpora"))


def quiet(*_: object) -> None:
    pass


def test_a_turn_ends_with_the_speaker_and_tells_no_label(data: Path):
    turns = last_turns(corpora.scored_test(CORPUS, data), 4, seed=0)
    assert len(turns) == 4 and last_turns(corpora.scored_test(CORPUS, data), 4, seed=0) == turns
    for dialogue in turns:
        assert dialogue.last.speaker != dialogue.listener and all(turn.emotion is None for turn in dialogue.turns)


def test_replies_are_counted_and_copies_found(data: Path):
    known = next(turn.text for turn in corpora.training(CORPUS, data)[0].dialogue.turns if not turn.emotion)
    for reply, copied in (("Something that nobody there has written.", 0.0), (known.upper(), 1.0)):
        made = answered(
            scripts.good(respond=reply), data, split="test", turns=3, seed=0, told=quiet, setup=Setup(memory="none")
        )
        figures = reply_figures(made, data)
        assert len(made.forecasts) == 3 and set(made.gold) <= set(LABELS)
        assert figures["repeats_a_training_reply"]["mean"] == copied and figures["replies"] == 3 == len(figures["said"])
        assert figures["distinct_pairs"] == pytest.approx(1 / 3, abs=0.01) and figures["different_replies"] == 0.3333


def test_the_forecast_is_made_after_the_cues(data: Path):
    model = scripts.good("compact")
    shares, known = after_cues(model, data, split="valid", turns=2, seed=0, told=quiet)
    assert shares.shape == (2, 32) and known.names == LABELS
    assert "Seen:" in model.asked("forecast")[0].messages[-1].text
    assert model.asked("forecast")[0].prompt == "forecast"
