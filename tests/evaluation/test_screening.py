"""What is printed of how well a danger is told: counted on labelled messages, ordinary talk and talks labelled turn by turn."""

import json
from pathlib import Path

import pytest

from heartfelt.errors import InputError
from heartfelt.evaluation.screening import (
    Labelled,
    alerts_of,
    disturbed,
    figures,
    followed_through,
    read_labelled,
    read_labelled_talks,
    read_talks,
)
from heartfelt.records import Alert
from heartfelt.safety.detect.double import ScriptedReader

READER = ScriptedReader(finds={"lathe": ("active", "suicide"), "belt": ("imminent", "abuse"), "dull": ("concern", "despair")})
TALK = {
    "turns": [
        ["P", "The tomatoes are ripe", "none", "-", "-", ""],
        ["L", "How lovely!"],
        ["P", "The lathe goes to the boy next door", "active", "suicide", "self", ""],
        ["L", "Who is with you?"],
        ["P", "Nobody asked me that in years", "active", "suicide", "self", ""],
        ["L", "I do."],
        ["P", "He has the belt in his hand", "imminent", "abuse", "self", ""],
    ]
}


def written(folder: Path, *lines: object) -> Path:
    path = folder / "talks.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path


async def test_a_talk_is_followed_turn_by_turn(tmp_path: Path):
    calm = {
        "turns": [
            ["P", "It is dull here", "concern", "despair", "self", ""],
            ["L", "Oh?"],
            ["P", "I sold the lathe", "none", "-", "-", ""],
        ]
    }
    missed = list[str]()
    talks = read_labelled_talks(written(tmp_path, TALK, calm))
    found = await followed_through(talks, READER, lambda said, label, alert: missed.append(f"{said}: {label[0]}, {alert.tier}"))
    assert (found.found.of, found.imminent.hits, found.imminent.of) == (3, 1, 1)
    assert (found.before.hits, found.before.of) == (0, 1), "of turns before anything was wrong, the tomatoes alone"
    assert (found.false.hits, found.false.of) == (1, 2) and "I sold the lathe: none, active" in missed
    assert (found.concern.hits, found.concern.of) == (1, 1)
    assert found.danger.of == found.found.hits and found.danger.hits >= 1 and found.who.of == found.danger.of


@pytest.mark.parametrize("line", ['{"turns": [["P", "no labels"]]}', "{}", "no JSON"])
def test_a_file_of_something_else_is_named(tmp_path: Path, line: str):
    path = tmp_path / "talks.jsonl"
    path.write_text(line, "utf-8")
    with pytest.raises(InputError, match=r"talks\.jsonl does not hold labelled talks"):
        list(read_labelled_talks(path))


async def test_ordinary_talk_that_is_disturbed_is_counted_by_message_and_by_talk(tmp_path: Path):
    path = written(tmp_path, {"turns": ["The tomatoes are ripe", "Oh?", "I sold the lathe"]}, {"turns": ["Tea, please"]})
    alarmed = list[Alert]()
    found = await disturbed(read_talks(path), READER, lambda _talk, alert: alarmed.append(alert))
    assert (found.alarmed.hits, found.alarmed.of) == (1, 3) and (found.talks.hits, found.talks.of) == (1, 2)
    assert [alert.danger for alert in alarmed] == ["suicide"]


async def test_labelled_messages_are_scored_by_tier_form_and_whose(tmp_path: Path):
    path = tmp_path / "messages.csv"
    rows = [
        "I gave the lathe away,active,suicide,indirect,self",
        "The belt of the lathe tore,none,-,alike,-",
        "Tea?,none,-,plain,-",
    ]
    path.write_text("\n".join(["text,tier,danger,form,who", *rows]), "utf-8")
    messages: list[Labelled] = read_labelled(path)
    scored = figures(messages, await alerts_of(messages, "direct", READER))
    assert (scored.found.hits, scored.found.of) == (1, 1) and scored.by["indirect"] == scored.found
    assert (scored.false.hits, scored.plain.hits, scored.plain.of) == (1, 0, 1)
    assert str(scored.found).startswith("1.000 [")
