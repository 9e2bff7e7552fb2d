"""From a protocol to items: what is asked, in which order, and what is written down."""

from pathlib import Path

import pytest

from heartfelt.errors import UnknownName, UsageError
from heartfelt.evaluation.tasks import Protocol, draw, manifest
from heartfelt.evaluation.tasks.item import Item

from .. import made_up


def ask(folder: Path, task: str, dataset: str, **fields: object) -> list[Item]:
    return draw(folder, Protocol.model_validate({"task": task, "dataset": dataset, "split": "test"} | fields)).items


def by_id(items: list[Item]) -> dict[str, Item]:
    return {item.id: item for item in items}


def test_respond_answers_the_last_turn_that_was_answered(tmp_path: Path):
    items = by_id(ask(made_up.empathetic(tmp_path), "respond", "empathetic_dialogues"))
    item = items["hit:1_ocelot:1#2"]
    assert len(items) == 12 and len(item.dialogue.turns) == 3
    assert item.gold.reference == "I can see why ocelot 1 stays with you after such a day."
    assert item.gold.emotion == "proud"
    assert not any(turn.emotion for turn in item.dialogue.turns)


def test_among_many_speakers_the_one_who_answered_is_the_listener_and_gaps_are_not_answers(tmp_path: Path):
    items = by_id(ask(made_up.meld(tmp_path), "respond", "meld", turns="all"))
    assert set(items) == {"meld/test/dia0#0", "meld/test/dia0#3", "meld/test/dia2#0"}, "Theo goes on; then a gap; dia3 is alone"
    assert items["meld/test/dia0#0"].dialogue.listener == "Theo"
    assert items["meld/test/dia0#3"].gold.emotion == "disgust"


def test_forecast_is_the_emotion_of_the_response(tmp_path: Path):
    items = by_id(ask(made_up.meld(tmp_path), "forecast", "meld"))
    assert {name: item.gold.emotion for name, item in items.items()} == {
        "meld/test/dia0#3": "sadness",
        "meld/test/dia2#0": "surprise",
    }
    assert items["meld/test/dia0#3"].dialogue.last.text == "It is not smiling."


def test_recognise_is_the_emotion_of_the_turn_itself_under_a_named_map(tmp_path: Path):
    items = ask(
        made_up.empathetic(tmp_path), "recognise", "empathetic_dialogues", labels="ekman", mapping="trace", turns="first"
    )
    felt = {item.gold.original: item.gold.emotion for item in items}
    assert felt == {"sad": "sad", "proud": "happy", "afraid": "fear", "angry": "anger", "grateful": "happy"}
    assert {len(item.dialogue.turns) for item in items} == {1}


def test_a_label_that_the_set_lacks_is_not_asked_about(tmp_path: Path):
    drawn = draw(made_up.meld(tmp_path), Protocol(task="recognise", dataset="meld", split="test", labels="ekman"))
    assert "meld/test/dia3#0" not in by_id(drawn.items) and (drawn.dialogues, drawn.without) == (2, 1)


def test_strategies_that_a_copy_merges_both_count(tmp_path: Path):
    items = ask(made_up.esconv(tmp_path), "strategy", "esconv", turns="all", limit=1)
    assert [item.gold.strategy for item in items] == ["Reflection of feelings", "Providing Suggestions"]
    assert items[1].gold.accepted == ("Providing Suggestions", "Information")


def test_open_turns_need_no_reference(tmp_path: Path):
    items = ask(made_up.avamerg(tmp_path), "respond", "avamerg", turns="open")
    assert {item.gold.reference for item in items} == {""} and {len(item.dialogue.turns) for item in items} == {3}
    assert items[0].listener and items[0].listener.age == "elderly" and len(items[0].clips) == 3


def test_iemocap_gives_recordings_with_the_items(tmp_path: Path):
    (item,) = ask(made_up.iemocap(tmp_path), "forecast", "iemocap")
    assert (
        item.gold.emotion == "angry" and item.dialogue.listener == "Woman" and item.clips[-1] and item.clips[-1].half == "right"
    )


@pytest.mark.parametrize("history", [0, 1, 2])
def test_history_may_be_short(tmp_path: Path, history: int):
    items = ask(made_up.empathetic(tmp_path), "respond", "empathetic_dialogues", history=history)
    assert {len(item.dialogue.turns) for item in items} == {history + 1}


# ── planted faults ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_audit_is_asked_about_passes_with_known_faults(tmp_path: Path):
    items = ask(made_up.empathetic(tmp_path, 40), "audit", "empathetic_dialogues")
    assert {item.gold.blamed for item in items} > {None, "forecast"}
    for item in items:
        assert [record.step for record in item.done] == list(item.gold.verdicts)
        assert item.gold.blamed == (item.gold.planted[0].partition(":")[0] if item.gold.planted else None)
    few = ask(tmp_path, "audit", "empathetic_dialogues", limit=5)
    assert few == items[:5], "the same faults, however many are drawn"


def test_an_audit_needs_a_recipe_that_has_faults(tmp_path: Path):
    with pytest.raises(UnknownName):
        ask(made_up.empathetic(tmp_path), "audit", "empathetic_dialogues", recipe="direct")


# ── drawing ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_of_many_are_the_same_few(tmp_path: Path):
    made_up.empathetic(tmp_path, 200)
    orders = [[item.id for item in ask(tmp_path, "respond", "empathetic_dialogues", limit=limit)] for limit in (10, 90, None)]
    assert [len(order) for order in orders] == [10, 90, 200]
    assert orders[0] == orders[1][:10] and orders[1] == orders[2][:90]
    assert orders[0] != [item.id for item in ask(tmp_path, "respond", "empathetic_dialogues", limit=10, seed=1)]


def test_a_limit_counts_dialogues_that_can_be_asked_about(tmp_path: Path):
    alone = [made_up.meld_row(number, 0, "Theo", f"Nobody is in, number {number}.", "joy") for number in range(10, 400)]
    made_up.write(tmp_path / "test_sent_emo.csv", "\n".join([made_up.MELD_HEAD, *alone, *made_up.meld_rows("ocelot")]))
    drawn = draw(tmp_path, Protocol(task="respond", dataset="meld", split="test", limit=2))
    assert {item.dialogue.id for item in drawn.items} == {"meld/test/dia0", "meld/test/dia2"}


def test_the_order_does_not_depend_on_the_files(tmp_path: Path):
    first = ask(made_up.empathetic(tmp_path), "respond", "empathetic_dialogues")
    head, *rows = (tmp_path / "test.csv").read_text().splitlines()
    made_up.write(tmp_path / "test.csv", "\n".join([head, *rows[::-1]]))
    assert ask(tmp_path, "respond", "empathetic_dialogues") == first


def test_a_protocol_is_written_down_and_hashed():
    protocol = Protocol(task="recognise", dataset="meld", split="test", limit=100)
    assert Protocol.model_validate_json(protocol.model_dump_json()).digest == protocol.digest
    assert protocol.digest != protocol.model_copy(update={"seed": 1}).digest
    written = manifest(protocol)
    assert written["digest"] == protocol.digest and written["versions"] == {"task": 1, "dataset": 1}
    assert "Poria" in written["dataset"]["citation"]
    mapped = manifest(Protocol(task="recognise", dataset="empathetic_dialogues", split="dev", labels="coarse", mapping="e3rg"))
    assert mapped["protocol"]["split"] == "valid" and "E3RG" in mapped["labels"]["map"]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"task": "dance"}, UnknownName),
        ({"dataset": "friends"}, UnknownName),
        ({"split": "session9"}, UnknownName),
        ({"labels": "hues"}, UnknownName),
        ({"mapping": "mine"}, UnknownName),
        ({"task": "strategy"}, UsageError),
        ({"task": "recognise", "turns": "open"}, UsageError),
    ],
)
def test_what_does_not_fit_together_is_refused(tmp_path: Path, fields: dict[str, str], error: type[Exception]):
    with pytest.raises(error):
        draw(made_up.meld(tmp_path), Protocol.model_validate({"task": "respond", "dataset": "meld", "split": "test"} | fields))
