"""Planted faults: known steps are wrong, all others right, and the earliest is to blame."""

from random import Random

import pytest

from heartfelt.agents.quotes import said
from heartfelt.evaluation.planting import CLEAN, STEPS, Faults, far_emotion, near_emotion, right
from heartfelt.evaluation.weak import WeakLabels, coarse, gold, leaning
from heartfelt.labels import label_set
from heartfelt.records import Evidence, Forecast, Output, Plan, Reply
from tuning import made_up


def _golds() -> list[WeakLabels]:
    found: list[WeakLabels] = []
    for emotion, first, reply, _ in made_up.TALKS:
        dialogue = made_up.said(first.replace("_comma_", ",")).model_copy(update={"id": emotion})
        found.append(gold(dialogue, emotion, reply.replace("_comma_", ",")))
    return found


GOLDS = _golds()
FAULTS = Faults.of(GOLDS)


@pytest.mark.parametrize("recipe", STEPS)
@pytest.mark.parametrize("seed", range(40))
def test_verdicts_say_which_outputs_were_changed(recipe: str, seed: int):
    each = GOLDS[seed % len(GOLDS)]
    made = FAULTS.audited(each, recipe, Random(seed))
    assert tuple(made.verdicts) == STEPS[recipe] == tuple(record.step for record in made.done)
    for record in made.done:
        assert (made.verdicts[record.step] == "right") == _fits(record.output, right(record.step, each), each)
    assert made.blamed == (made.kinds[0].split(":")[0] if made.kinds else None)
    assert len(made.kinds) <= 2


def _fits(output: Output, best: Output, each: WeakLabels) -> bool:
    """The rule's own output, or one that is as good."""
    if isinstance(output, Evidence):
        return all(said(cue.quote, each.dialogue.last.text) and cue.meaning == each.emotion for cue in output.cues)
    if isinstance(output, Plan) and isinstance(best, Plan):
        return (output.goal, output.tactic) == (best.goal, best.tactic)
    return output == best


def test_somewhat_less_than_half_of_the_passes_are_clean():
    random = Random(1)
    clean = sum(FAULTS.audited(random.choice(GOLDS), "heartfelt", random).blamed is None for _ in range(2000))
    assert abs(clean / 2000 - CLEAN) < 0.04


@pytest.mark.parametrize("emotion", label_set("ed32").labels)
def test_far_emotions_are_of_another_class_and_near_ones_are_another_label(emotion: str):
    random = Random(emotion)
    for _ in range(20):
        far, near = far_emotion(emotion, random), near_emotion(emotion, random)
        assert coarse(far) != coarse(emotion) and leaning(far) * leaning(emotion) <= 0
        assert near != emotion


def test_ungrounded_cues_were_never_said_and_foreign_replies_are_of_other_talks():
    random = Random(4)
    for _ in range(60):
        each = random.choice(GOLDS)
        evidence, how = FAULTS.wrong("perceive", each, random)
        assert isinstance(evidence, Evidence)
        if how == "ungrounded":
            assert any(not said(cue.quote, each.dialogue.last.text) for cue in evidence.cues)
        reply, _ = FAULTS.wrong("respond", each, random)
        assert isinstance(reply, Reply) and reply.text != each.reply
        forecast, _ = FAULTS.wrong("forecast", each, random)
        assert isinstance(forecast, Forecast) and forecast.emotion != each.emotion


def test_the_same_seed_plants_the_same():
    assert FAULTS.audited(GOLDS[0], "heartfelt", Random(9)) == FAULTS.audited(GOLDS[0], "heartfelt", Random(9))
