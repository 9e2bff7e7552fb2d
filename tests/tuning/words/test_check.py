"""A file of exchanges, ratings or openings is checked line by line: what is wrong, what to do, and what it holds."""

import gzip
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from heartfelt.errors import InputError
from heartfelt.tuning.words.check import CheckedFile, check, kind_of
from heartfelt.tuning.words.exchanges import read_openings

SHIPPED = Path(__file__).parents[3] / "samples" / "exchanges"
EXCHANGE: dict[str, Any] = {
    "id": "w01-001",
    "writer": "w01",
    "turns": ["The bus left without me again.", "Again?", "Third time this week, and it's raining."],
    "emotion": "annoyed",
    "meaning": "The person missed the bus for the third time this week.",
    "message": "nuisance",
    "cause": "third time this week",
    "plan": {"goal": "validate", "stance": "ally", "tactic": "naming what was hard", "tone": "warm"},
    "reply": "Three times in a week, and now rain on top. Did you get home?",
    "worse": [{"kind": "cold", "text": "Leave earlier."}, {"kind": "cheery", "text": "Rain is lovely!"}],
}
RATING: dict[str, Any] = {
    "opening": "f0",
    "turns": ["My cat is back."],
    "reply": "Your cat is home!",
    "mark": 4,
    "flags": "",
    "source": "bank",
}
OPENING: dict[str, Any] = {"id": "choose-001", "set": "choose", "turns": ["My cat is back."], "reference": "What a relief!"}


def written(path: Path, *rows: dict[str, Any] | str) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows), "utf-8")
    return path


def checked(folder: Path, *rows: dict[str, Any] | str) -> CheckedFile:
    return check(written(folder / "some.jsonl", *rows))


def told(found: CheckedFile) -> list[str]:
    return [f"{fault.line} {fault.sort}: {fault.text}" for fault in found.faults]


def said(number: int, text: str) -> dict[str, Any]:
    return EXCHANGE | {"id": f"w01-{number:03}", "turns": [text], "cause": text}


@pytest.mark.parametrize("row", [EXCHANGE, RATING, OPENING], ids=["exchange", "rating", "opening"])
def test_what_is_right_has_no_fault(tmp_path: Path, row: dict[str, Any]):
    found = checked(tmp_path, row)
    assert found.is_whole and found.count == 1 and not found.near


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"emotion": "anoyed"}, "label: emotion 'anoyed' is none of the 32 known: did you mean 'annoyed'?"),
        ({"emotion": ""}, "label: emotion '' is none of the 32 known: use one of afraid, angry"),
        ({"message": "xyz"}, "label: message 'xyz' is none of the 16 known: use one of bad, loss"),
        ({"plan": EXCHANGE["plan"] | {"tone": "grim"}}, "label: plan.tone 'grim' is none of the 8 known: use one of gentle"),
        ({"cause": "four times"}, "cause: cause 'four times' stands in no turn of the person's: quote"),
        ({"cause": "Again?"}, None),  # the listener says it, but the person does so too
        ({"cause": "ird time"}, "cause: cause 'ird time' stands in no turn"),
        ({"cause": " "}, "cause: cause is empty"),
        ({"turns": EXCHANGE["turns"][:2], "cause": "the bus"}, "turns: has 2 turns, so the listener speaks last: end with"),
        ({"turns": ["", "Hm?", "third time this week"]}, "turns: turn 1 is empty, so one side speaks twice"),
        ({"turns": ["User: third time this week"]}, "turns: turn 1 begins with 'User:': write the words alone"),
        ({"turns": ["Oh.", "Oh.", "third time this week"]}, "turns: turns 1 and 2 are the same"),
        ({"reply": "word " * 46}, "reply: reply has 46 words: shorten it to 45 at most"),
        ({"reply": "word " * 45}, None),
        ({"reply": "Why? When?"}, "reply: reply asks 2 questions: keep one"),
        ({"reply": ""}, "reply: reply is empty"),
        ({"meaning": "The bus left without them"}, "meaning: meaning has 5 words: write one sentence of 6 to 40"),
        ({"meaning": "word " * 41}, "meaning: meaning has 41 words"),
        ({"worse": EXCHANGE["worse"][:1]}, "worse: has 1 worse replies: give 2"),
        ({"worse": [EXCHANGE["worse"][0]] * 2}, "worse: worse reply 2 is the same as worse reply 1"),
        (
            {"worse": [{"kind": "rude", "text": "No."}, EXCHANGE["worse"][1]]},
            "label: kind of worse reply 1 'rude' is none of the 12",
        ),
        ({"worse": [{"kind": "cold", "text": ""}, EXCHANGE["worse"][1]]}, "worse: worse reply 1 is empty"),
        ({"id": "w02-001"}, "name: id 'w02-001' does not begin with its writer: write it like w01-001"),
    ],
)
def test_each_fault_of_an_exchange_is_one_clear_line(tmp_path: Path, change: dict[str, Any], fault: str | None):
    found = told(checked(tmp_path, EXCHANGE | change))
    assert len(found) == (fault is not None)
    assert fault is None or found[0].startswith(f"1 {fault}")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("no", "is not JSON (expected ident at column 2): write one object a line"),
        ("", "is empty: take it out"),
        ("[]", "it is not what it should be"),
        ({key: EXCHANGE[key] for key in EXCHANGE if key != "reply"}, "reply is missing: add it"),
        (EXCHANGE | {"replly": "x"}, "replly is no known field: take it out, or mend its name"),
        (EXCHANGE | {"reply": 3}, "reply is not a text: write it in quotes"),
        (EXCHANGE | {"turns": "x"}, "turns is not a list: write it in square brackets"),
        (EXCHANGE | {"turns": []}, "turns is an empty list: add what was said"),
    ],
)
def test_a_line_of_the_wrong_form_costs_no_other(tmp_path: Path, line: dict[str, Any] | str, fault: str):
    found = checked(tmp_path, EXCHANGE, line, EXCHANGE | {"id": "w01-003"})
    assert found.count == 2 and told(found)[0].startswith(f"2 form: {fault}")


def test_all_that_is_wrong_with_a_line_is_told(tmp_path: Path):
    found = checked(tmp_path, EXCHANGE | {"emotion": "x", "meaning": "x", "cause": "x"})
    assert [fault.sort for fault in found.faults] == ["label", "cause", "meaning"]
    assert {(fault.line, fault.id) for fault in found.faults} == {(1, "w01-001")}


def test_a_broken_letter_is_named_by_its_line(tmp_path: Path):
    path = tmp_path / "some.jsonl"
    good = json.dumps(EXCHANGE).encode()
    path.write_bytes(good + b"\n" + good.replace(b"Again?", b"\xff") + b"\n")
    assert told(check(path))[0].startswith("2 form: is not JSON (invalid unicode")


def test_a_file_that_was_cut_off_is_checked_as_far_as_it_goes(tmp_path: Path):
    texts = Random(1)
    rows = [said(i, f"It is {texts.random()} today.") for i in range(500)]
    raw = gzip.compress("\n".join(map(json.dumps, rows)).encode())
    path = tmp_path / "exchanges.jsonl.gz"
    path.write_bytes(raw[: len(raw) // 2])
    found = check(path)
    assert 0 < found.count < 500 and "It may be cut off: fetch it again." in told(found)[-1]


def test_an_empty_file_is_a_fault(tmp_path: Path):
    (tmp_path / "ratings.jsonl").touch()
    assert told(check(tmp_path / "ratings.jsonl")) == ["1 form: the file is empty: is it the right one?"]


def test_the_kind_of_a_file_is_told_by_its_lines_and_else_by_its_name(tmp_path: Path):
    assert kind_of(written(tmp_path / "ratings.jsonl", "broken", EXCHANGE)) == "exchanges"
    assert kind_of(written(tmp_path / "a.jsonl", RATING)) == "ratings"
    assert kind_of(written(tmp_path / "b.jsonl", OPENING)) == "openings"
    assert kind_of(written(tmp_path / "openings.jsonl", "{}")) == "openings"
    assert kind_of(written(tmp_path / "c.jsonl", "[1]", "no")) is None
    with pytest.raises(InputError, match="holds neither exchanges"):
        check(tmp_path / "c.jsonl")
    with pytest.raises(InputError, match="There is no file at"):
        check(tmp_path / "nowhere.jsonl")


# ── line against line ───────────────────────────────────────────────────────────────────────────────────────────────


def test_names_and_words_come_once(tmp_path: Path):
    found = checked(tmp_path, said(1, "He left."), said(1, "She came."), said(3, "he LEFT…"), said(4, "🐌"), said(5, "🐌"))
    assert told(found) == [
        "2 name: id 'w01-001' is on line 1 too: give another number",
        "3 twice: the person says the same words as on line 1 (w01-001): take out one, or write another",
        "5 twice: the person says the same words as on line 4 (w01-004): take out one, or write another",
    ]


def test_what_is_nearly_the_same_is_told_and_is_no_fault(tmp_path: Path):
    first = "I still set out two cups every morning. Harold has been gone since March."
    second = "i still set out two cups every morning, Harold has been gone fourteen months"
    found = checked(tmp_path, said(1, first), said(2, "Do you like rain?"), said(3, second), said(4, "Do you like snow?"))
    (near,) = found.near
    assert found.is_whole and near.lines == (1, 3) and near.ids == ("w01-001", "w01-003") and 0.6 < near.alike < 0.8


def test_near_ones_are_found_however_many_there_are(tmp_path: Path):
    draw = Random(1)
    words = [f"word{i}" for i in range(500)]
    texts = [" ".join(draw.choices(words, k=30)) for _ in range(1000)]
    copies = [f"{text} and more" for text in texts[:100]] + [f"{texts[0]} number{i}" for i in range(500)]
    found = checked(tmp_path, *(said(i, text) for i, text in enumerate(texts + copies)))
    assert len(found.near) == len(copies)


# ── ratings and openings ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"mark": 6}, "form: mark is 6: give 1 to 5"),
        ({"mark": 0}, "form: mark is 0: give 1 to 5"),
        ({"flags": "NX"}, "label: flags 'NX' has 'X', which is no flag: use letters of NMTGAIE"),
        ({"flags": "NN"}, "label: flags 'NN' has a letter twice"),
        ({"reply": " "}, "reply: reply is empty"),
        ({"source": ""}, "name: source is empty"),
        ({"opening": ""}, "name: opening is empty"),
        ({"turns": []}, "turns: turns is an empty list"),
        ({"emotion": "x"}, "label: emotion 'x'"),
    ],
)
def test_each_fault_of_a_rating_is_one_clear_line(tmp_path: Path, change: dict[str, Any], fault: str):
    (found,) = told(checked(tmp_path, RATING | change))
    assert found.startswith(f"1 {fault}")


def test_replies_to_one_opening_answer_the_same_words(tmp_path: Path):
    found = checked(tmp_path, RATING, RATING | {"mark": 2}, RATING | {"turns": ["My dog is back."]})
    assert told(found) == ["3 name: opening 'f0' has other turns on line 1: give it another name, or the same turns"]
    assert found.marks == {"bank": pytest.approx(10 / 3, abs=0.001)} and found.counts["mark"] == {"2": 1, "4": 2}


def test_an_opening_to_choose_by_is_none_for_the_last_look(tmp_path: Path):
    again = OPENING | {"id": "look-001", "set": "look"}
    found = checked(tmp_path, OPENING, again, OPENING | {"id": "try-1", "set": "try", "turns": ["Hm."]})
    assert [fault.sort for fault in found.faults] == ["twice", "label"] and "(choose-001)" in found.faults[0].text
    assert [each.id for each in read_openings(tmp_path / "some.jsonl")] == ["choose-001", "look-001", "try-1"]


# ── figures ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_figures_say_what_a_file_holds(tmp_path: Path):
    short = said(2, "It rains.") | {"writer": "w02", "id": "w02-1", "message": "", "reply": "Three times in the rain."}
    found = checked(tmp_path, EXCHANGE, short)
    one, three, both = found.by_turns
    assert (one.turns, one.count, one.said, one.reply, one.asks) == (1, 1, 2, 5, 0)
    assert (three.turns, three.said, three.asks) == (3, 13, 1) and (both.turns, both.count, both.asks) == (0, 2, 0.5)
    assert found.firsts == {"three times in": 2} and found.counts["writer"] == {"w01": 1, "w02": 1}
    assert found.counts["message"] == {"": 1, "nuisance": 1} and found.counts["worse"] == {"cheery": 2, "cold": 2}


@pytest.mark.parametrize("name", ["exchanges", "ratings", "openings"])
def test_the_shipped_files_have_no_fault(name: str):
    assert told(check(SHIPPED / f"{name}.jsonl.gz")) == []
