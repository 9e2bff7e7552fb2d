"""Every leak is planted once, and refused with a message that names it."""

from pathlib import Path

import pytest

from heartfelt.agents import ForecastEmotion
from heartfelt.agents.notes import note
from heartfelt.datasets import Talk, dataset
from heartfelt.errors import LeakError
from heartfelt.evaluation.tasks import Protocol, draw
from heartfelt.evaluation.tasks.guards import refuse_exemplars, refuse_leaks, refuse_prompt
from heartfelt.evaluation.tasks.item import Item
from heartfelt.prompts import assemble
from heartfelt.records import Dialogue, Exemplar, Forecast, Turn

from .. import made_up

PROTOCOL = Protocol(task="respond", dataset="empathetic_dialogues", split="test", limit=1)


@pytest.fixture
def talk(tmp_path: Path, item: Item) -> Talk:
    talks = dataset("empathetic_dialogues").read(tmp_path, "test")
    return next(talk for talk in talks if talk.dialogue.id == item.dialogue.id)


@pytest.fixture
def item(tmp_path: Path) -> Item:
    return draw(made_up.empathetic(tmp_path), PROTOCOL).items[0]


def shown(item: Item, *turns: Turn) -> Item:
    return item.model_copy(update={"dialogue": item.dialogue.model_copy(update={"turns": turns})})


def test_a_clean_item_passes(item: Item, talk: Talk):
    refuse_leaks(item, talk, PROTOCOL)


def test_no_turn_after_the_one_asked_about(item: Item, talk: Talk):
    with pytest.raises(LeakError, match="shows turns after the one asked about"):
        refuse_leaks(shown(item, *item.dialogue.turns, talk.dialogue.turns[-1]), talk, PROTOCOL)


def test_no_label_of_the_turn_asked_about(item: Item, talk: Talk):
    last = item.dialogue.last.model_copy(update={"emotion": "sad"})
    with pytest.raises(LeakError, match="shows the emotion of the turn asked about"):
        refuse_leaks(shown(item, *item.dialogue.turns[:-1], last), talk, PROTOCOL)


def test_no_labels_of_earlier_turns_unless_asked_for(item: Item, talk: Talk, tmp_path: Path):
    first = item.dialogue.turns[0].model_copy(update={"emotion": "sad"})
    with pytest.raises(LeakError, match="gold emotions of earlier turns"):
        refuse_leaks(shown(item, first, *item.dialogue.turns[1:]), talk, PROTOCOL)
    with pytest.raises(LeakError, match="one emotion for a whole dialogue"):
        draw(tmp_path, PROTOCOL.model_copy(update={"previous_labels": "given"}))
    made_up.meld(tmp_path / "meld")
    items = draw(tmp_path, Protocol(task="forecast", dataset="meld", split="test", previous_labels="given")).items
    seen = {item.id: [turn.emotion for turn in item.dialogue.turns] for item in items}
    assert seen["meld/test/dia0#3"] == ["anger", "neutral", "joy", None], "never that of the last turn itself"


def test_no_written_situation_unless_asked_for_by_name(item: Item, talk: Talk, tmp_path: Path):
    assert item.situation == "" and item.gold.situation == talk.situation != ""
    with pytest.raises(LeakError, match="written situation"):
        refuse_leaks(item.model_copy(update={"situation": talk.situation}), talk, PROTOCOL)
    given = draw(tmp_path, PROTOCOL.model_copy(update={"situation": "given"})).items[0]
    assert given.situation == talk.situation


def test_an_item_must_say_of_which_split_it_is(item: Item, talk: Talk):
    nameless = item.model_copy(update={"dialogue": item.dialogue.model_copy(update={"split": ""})})
    with pytest.raises(LeakError, match="does not say that it is of empathetic_dialogues/test"):
        refuse_leaks(nameless, talk, PROTOCOL)


# ── exemplars ───────────────────────────────────────────────────────────────────────────────────────────────────────

FAR = {"situation": "Our bus broke down on the bridge.", "reply": "What a start to a day!", "emotion": "annoyed"}


@pytest.mark.parametrize(
    "leak",
    [
        {"split": "empathetic_dialogues/test", "dialogue": "hit:9_other:9"},
        {"split": "empathetic_dialogues/valid", "dialogue": "same"},
        {"split": "elsewhere", "situation": "same"},
        {"split": "empathetic_dialogues/valid", "reply": "same"},
    ],
    ids=["scored split", "same dialogue", "same words", "the reference"],
)
def test_no_exemplar_of_the_scored_split_or_dialogue(item: Item, leak: dict[str, str]):
    refuse_exemplars(
        item, [Exemplar.model_validate(FAR | {"split": "empathetic_dialogues/valid", "dialogue": "hit:9_other:9"})]
    )
    same = {"dialogue": item.dialogue.id, "situation": item.dialogue.turns[0].text, "reply": item.gold.reference}
    planted = FAR | {key: same[key] if value == "same" else value for key, value in leak.items()}
    with pytest.raises(LeakError, match=r"was answered with an exemplar"):
        refuse_exemplars(item, [Exemplar.model_validate(planted)])


# ── prompts ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def rendered(dialogue: Dialogue, profile: str, notes: tuple[Forecast, ...] = ()) -> str:
    values = {"labels": "", "options": ()}
    prompt = assemble(
        profile=profile,
        folder=ForecastEmotion.folder,
        file="forecast",
        dialogue=dialogue,
        notes=tuple(map(note, notes)),
        context=4096,
        answer=None,
        images=False,
        values=values,
    )
    return "\n".join(message.text for message in prompt.messages)


@pytest.mark.parametrize("profile", ["full", "compact"])
def test_real_prompts_hold_no_label_and_do_not_depend_on_one(item: Item, profile: str):
    refuse_prompt(rendered(item.dialogue, profile), item)
    labelled = tuple(turn.model_copy(update={"emotion": item.gold.emotion}) for turn in item.dialogue.turns)
    assert rendered(item.dialogue.model_copy(update={"turns": labelled}), profile) == rendered(item.dialogue, profile)


@pytest.mark.parametrize(
    "planted",
    ["emotion: {}", '{{"emotion": "{}"}}', "Label = {}", "User ({}): They left.", "The true feeling is {}", "context='{}'"],
)
def test_no_gold_label_as_a_field(item: Item, planted: str):
    with pytest.raises(LeakError, match="as a field"):
        refuse_prompt(f"{rendered(item.dialogue, 'full')}\n{planted.format(item.gold.emotion)}", item)


def test_what_the_system_said_itself_may_stand_in_its_prompt(item: Item):
    emotion = item.gold.emotion or ""
    prompt = rendered(item.dialogue, "compact", (Forecast(emotion=emotion, labels="ed32"),))
    assert f"Feeling: {emotion}" in prompt
    refuse_prompt(prompt, item, predicted=[emotion])
    with pytest.raises(LeakError):
        refuse_prompt(prompt, item)


def test_options_and_spoken_words_are_no_leak(item: Item):
    said = Turn(speaker="User", text=f"My mood: {item.gold.emotion}.")
    spoken = shown(item, said)
    refuse_prompt(f"User: {said.text}\nemotion: {item.gold.emotion} | happy | angry", spoken)


def test_neither_reference_nor_situation_in_a_prompt(item: Item):
    prompt = rendered(item.dialogue, "full")
    with pytest.raises(LeakError, match="holds the reference"):
        refuse_prompt(f"{prompt}\n{item.gold.reference.upper()}", item)
    with pytest.raises(LeakError, match="holds the written situation"):
        refuse_prompt(f"{prompt}\nSituation: {item.gold.situation}", item)
    given = item.model_copy(update={"situation": item.gold.situation})
    refuse_prompt(f"{prompt}\nSituation: {item.gold.situation}", given)
