"""Plain sheets: what a rater sees, what may come back, and what it amounts to."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.rating.studies import OPENINGS, rated, replies, study, write

from heartfelt.errors import DamagedError, InputError, UsageError
from heartfelt.evaluation.rating.sheets.answers import FLAGS, read_answers
from heartfelt.evaluation.rating.sheets.given import SheetOpening, read_openings, read_systems
from heartfelt.evaluation.rating.sheets.key import lay_out, read_key
from heartfelt.evaluation.rating.sheets.summary import SideBySide, side_by_side
from heartfelt.evaluation.statistics.agreement import krippendorff_alpha


def found(folder: Path) -> SideBySide:
    key = read_key(folder)
    return side_by_side(key, read_answers(folder, key))


def answer(folder: Path, *lines: str, name: str = "sheet-01.ada") -> None:
    (folder / "sheets" / name).write_text("\n".join(lines), "utf-8")


# ── what a rater sees ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_sheet_shows_turns_and_replies_and_no_names(tmp_path: Path) -> None:
    study(tmp_path, per=2, warmbot="Oh no.", coldbot="Noted.")
    first, second = ((tmp_path / "sheets" / f"sheet-0{number}.txt").read_text("utf-8") for number in (1, 2))
    assert "=== 2\nU: The cat ran off.\nL: When?\nU: At noon.\n\nA: " in first and "=== 3" in second
    assert "A: Oh no.\nB: Noted.\n" in first + second or "A: Noted.\nB: Oh no.\n" in first + second
    handed_over = [path.read_text("utf-8") for path in (tmp_path / "sheets").iterdir()]
    assert not any(name in text for text in handed_over for name in ("warmbot", "coldbot"))


def test_the_order_changes_from_item_to_item_and_stays_with_the_seed() -> None:
    openings = [SheetOpening(id=str(number), turns=("Hm.",)) for number in range(40)]
    systems = {name: {each.id: name for each in openings} for name in ("one", "two")}
    keys = [lay_out(openings, systems, seed=seed) for seed in (1, 1, 2)]
    firsts = [item.replies["A"].text for item in keys[0].items]
    assert 10 < firsts.count("one") < 30
    assert keys[0] == keys[1] and keys[0].items != keys[2].items


def test_equal_replies_are_shown_once_and_count_for_both(tmp_path: Path) -> None:
    key = study(tmp_path, warm="Oh  no.\n", same="Oh no.", cold="Noted.")
    assert all(len(item.replies) == 2 for item in key.items)
    rated(tmp_path, "ada", {"warm": 4, "cold": 2})
    means = {each.name: each.mean.value for each in found(tmp_path).systems if each.mean}
    assert means == {"warm": 4, "same": 4, "cold": 2}


def test_a_reply_of_many_lines_cannot_pass_for_two(tmp_path: Path) -> None:
    study(tmp_path, sly="Fine.\n\nB: I am the better one.\n=== 9")
    text = (tmp_path / "sheets" / "sheet-01.txt").read_text("utf-8")
    assert "A: Fine.\n   B: I am the better one.\n   === 9\n" in text


def test_no_reply_is_shown_as_such(tmp_path: Path) -> None:
    study(tmp_path, mute=" ")
    assert "A: (no reply)" in (tmp_path / "sheets" / "sheet-01.txt").read_text("utf-8")


def test_the_brief_explains_every_mark_and_flag(tmp_path: Path) -> None:
    study(tmp_path, warm="Oh no.")
    brief = (tmp_path / "sheets" / "brief.md").read_text("utf-8")
    assert all(f"| {each} | " in brief for each in [*FLAGS, *"12345"])


def test_sheets_are_never_written_over_others(tmp_path: Path) -> None:
    study(tmp_path, warm="Oh no.")
    with pytest.raises(UsageError, match="already"):
        study(tmp_path, warm="Oh no.")


def test_a_damaged_key_is_said(tmp_path: Path) -> None:
    (tmp_path / "key.json").write_text("{", "utf-8")
    with pytest.raises(DamagedError, match=r"key\.json is damaged"):
        read_key(tmp_path)


# ── what is given ───────────────────────────────────────────────────────────────────────────────────────────────────


def systems(tmp_path: Path, rows: Iterable[dict[str, Any]], name: str = "new") -> dict[str, dict[str, str]]:
    openings = read_openings(write(tmp_path / "openings.jsonl", OPENINGS))
    return read_systems([f"{name}={write(tmp_path / 'replies.jsonl', rows)}"], openings)


def test_references_are_a_system_of_their_own(tmp_path: Path) -> None:
    given = systems(tmp_path, [*replies("Oh."), {"id": "elsewhere", "reply": "left out"}])
    assert list(given) == ["new", "reference"] and given["reference"]["boat"] == "Well done, captain!"
    assert set(given["new"]) == {"kite", "cat", "boat", "bakery"}


def test_a_system_that_lacks_replies_is_told_how_many(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'new' has no reply to 3 of 4 openings, such as 'cat'"):
        systems(tmp_path, replies("Oh.")[:1])


def test_no_system_may_take_the_reference_s_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="another name"):
        systems(tmp_path, replies("Oh."), name="reference")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "kite"}', r"line 2: reply: Field required\. Each line is a JSON object with id, reply"),
        ("kite: Oh.", r"line 2: the line: Invalid JSON"),
        ('{"id": "cat", "reply": "Oh."}', r"line 2: the id 'cat' stands there for a second time"),
    ],
)
def test_a_bad_line_of_replies_is_named(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(f'{{"id": "cat", "reply": "Oh."}}\n{line}\n', "utf-8")
    with pytest.raises(InputError, match=told):
        read_systems([f"new={path}"], {})


@pytest.mark.parametrize("given", ["new", "=file", "new="])
def test_a_system_needs_a_name_and_a_file(given: str) -> None:
    with pytest.raises(UsageError, match="NAME=FILE"):
        read_systems([given], {})


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_openings(tmp_path / "nowhere.jsonl")


def test_more_replies_than_letters_are_refused() -> None:
    opening = SheetOpening(id="kite", turns=("My kite tore.",))
    with pytest.raises(UsageError, match="27 different replies"):
        lay_out([opening], {str(number): {"kite": f"Reply {number}."} for number in range(27)})


# ── what comes back ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_answers_may_be_written_loosely(tmp_path: Path) -> None:
    key = study(tmp_path, warm="Oh no.", cold="Noted.")
    answer(tmp_path, "# first look", "", "1 a 3 -", "1\tB\t1\tm, n", "2 A 4  ")
    given = read_answers(tmp_path, key)
    assert [(each.item, each.letter, each.mark, each.flags) for each in given.given] == [
        (1, "A", 3, ""),
        (1, "B", 1, "NM"),
        (2, "A", 4, ""),
    ]
    assert [(each.name, each.marks, each.missing) for each in given.raters] == [("ada", 3, 5)]


@pytest.mark.parametrize("name", ["sheet-01.Bo", "sheet-01.txt.bo", "sheet-01.bo.txt"])
def test_the_file_s_name_says_who_rated(tmp_path: Path, name: str) -> None:
    key = study(tmp_path, warm="Oh no.")
    answer(tmp_path, "1 A 3", name=name)
    assert [each.name for each in read_answers(tmp_path, key).raters] == ["bo"]


@pytest.mark.parametrize("name", ["sheet-02.ada", "sheet-01.ada~", "sheet-01.ada.bak", "sheet-01"])
def test_a_file_that_nobody_can_place_is_not_passed_over(tmp_path: Path, name: str) -> None:
    key = study(tmp_path, warm="Oh no.")
    answer(tmp_path, "1 A 3", name=name)
    with pytest.raises(InputError, match=r"Name it SHEET\.RATER"):
        read_answers(tmp_path, key)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hello", "'hello' is no answer. Write ITEM LETTER MARK FLAGS"),
        ("1 A", "'1 A' is no answer"),
        ("9 A 3", "there is no item 9 on sheet-01, which has 1 to 4"),
        ("1 C 3", "item 1 has no reply C, only A, B"),
        ("1 B 3.5", "'3.5' is no mark. Give a whole one from 1 to 5"),
        ("1 B 2 NX", "'X' is no flag. Use some of N M T G A I E"),
        ("1 A 4", "ada has marked item 1 A before"),
    ],
)
def test_a_bad_line_is_named_with_what_to_do(tmp_path: Path, line: str, told: str) -> None:
    key = study(tmp_path, warm="Oh no.", cold="Noted.")
    answer(tmp_path, "1 A 3", line)
    with pytest.raises(InputError) as raised:
        read_answers(tmp_path, key)
    assert str(raised.value).startswith(f"{tmp_path / 'sheets' / 'sheet-01.ada'}, line 2: {told}")


def test_many_bad_lines_are_one_message(tmp_path: Path) -> None:
    key = study(tmp_path, warm="Oh no.")
    answer(tmp_path, *["?"] * 8)
    with pytest.raises(InputError, match=r"(?s)line 1: .*line 5: .*… and 3 more"):
        read_answers(tmp_path, key)


def test_no_answers_is_said(tmp_path: Path) -> None:
    key = study(tmp_path, warm="Oh no.")
    with pytest.raises(InputError, match="no answers in"):
        read_answers(tmp_path, key)


def test_sheets_that_nobody_has_begun_are_named(tmp_path: Path) -> None:
    study(tmp_path, per=2, warm="Oh no.")
    answer(tmp_path, "1 A 3", "2 A 3")
    assert found(tmp_path).unrated == ("sheet-02",)


# ── what it amounts to ──────────────────────────────────────────────────────────────────────────────────────────────


def test_systems_stand_best_first_with_shares_and_flags(tmp_path: Path) -> None:
    study(tmp_path, cold="Noted.", warm="Oh no.")
    rated(tmp_path, "ada", {"warm": 4, "cold": 1}, flags="GT")
    rated(tmp_path, "bo", {"warm": 2, "cold": 1}, flags="T")
    warm, cold = found(tmp_path).systems
    assert (warm.name, warm.openings, warm.marks) == ("warm", 4, 8)
    assert warm.mean and warm.acceptable and cold.worst
    assert (warm.mean.value, warm.acceptable.value, cold.worst.value) == (3, 0.5, 1)
    assert cold.flags == {"N": 0, "M": 0, "T": 8, "G": 4, "A": 0, "I": 0, "E": 0}


def test_differences_are_within_raters_and_openings(tmp_path: Path) -> None:
    """A strict rater who left the cold system's replies out would otherwise make the warm one look worse."""
    key = study(tmp_path, warm="Oh no.", cold="Noted.")
    rated(tmp_path, "kind", {"warm": 5, "cold": 4})
    warm = [next(letter for letter, shown in item.replies.items() if "warm" in shown.systems) for item in key.items]
    answer(tmp_path, *(f"{number} {letter} 1" for number, letter in enumerate(warm, 1)), name="sheet-01.strict")
    (each,) = found(tmp_path).differences
    assert (each.a, each.b, each.openings) == ("cold", "warm", 4)
    assert each.difference and (each.difference.value, each.difference.low, each.difference.high) == (-1, -1, -1)


def test_agreement_is_over_what_two_have_marked(tmp_path: Path) -> None:
    study(tmp_path, warm="Oh no.", cold="Noted.")
    rated(tmp_path, "ada", {"warm": 5, "cold": 2})
    rated(tmp_path, "bo", {"warm": 4, "cold": 2}, skip=2)
    each = found(tmp_path).agreement
    assert each.replies == 6 and each.same and each.within_one and each.alpha
    assert (each.same.value, each.within_one.value) == (0.5, 1)
    assert each.alpha.value == pytest.approx(krippendorff_alpha([(5, 4)] * 3 + [(2, 2)] * 3, "ordinal"))


def test_one_opening_has_no_interval_and_one_rater_no_agreement(tmp_path: Path) -> None:
    study(tmp_path, warm="Oh no.")
    answer(tmp_path, "1 A 3")
    told = found(tmp_path)
    assert told.systems[0].mean is None and told.systems[0].openings == 1
    assert told.agreement.alpha is None and "two or more have rated" in told.agreement.words
