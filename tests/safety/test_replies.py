"""What is said to somebody in danger: reviewed, complete, and with numbers from the table alone."""

import re
from typing import get_args

import pytest

from heartfelt.errors import UnknownName
from heartfelt.records import Alert, Danger, Dialogue, Turn
from heartfelt.safety.guard.forbidden import faults
from heartfelt.safety.respond import replies
from heartfelt.safety.respond.services import countries, country, known, lines_for

SAID = Dialogue(turns=(Turn(speaker="User", text="…"),))
CASES = [(danger, tier) for danger in get_args(Danger) for tier in ("active", "imminent")]
CODES = [one.code for one in countries()]


@pytest.mark.parametrize(("danger", "tier"), CASES)
@pytest.mark.parametrize("code", ["", "US", "DE", "KE"])
def test_every_reply_acknowledges_asks_names_help_and_people_and_goes_on(danger: str, tier: str, code: str):
    text = replies.reply(Alert(tier=tier, danger=danger), SAID, code)  # type: ignore[arg-type]
    assert "{" not in text and "?" in text
    assert re.search(r"\b(friend|trust|person|people|somebody|someone|anyone|neighbour|grown-up|beside you|with you)\b", text)
    assert re.search(r"\d{3}|helpline|findahelpline", text)
    assert not faults(text)
    assert re.search(r"I'm (still )?(here|staying|listening|with you)|I'll listen|[Tt]ell me|Keep talking|[Ww]e can", text)


@pytest.mark.parametrize(("danger", "tier"), CASES)
def test_who_was_told_the_first_reply_hears_another(danger: str, tier: str):
    alert = Alert(tier=tier, danger=danger)  # type: ignore[arg-type]
    first = replies.reply(alert, SAID, "GB")
    again = Dialogue(turns=(SAID.turns[0], Turn(speaker="Listener", text=first), Turn(speaker="User", text="ok")))
    second = replies.reply(alert, again, "GB")
    assert second != first and not faults(second)


@pytest.mark.parametrize("code", CODES)
def test_all_numbers_are_those_of_the_table(code: str):
    where = country(code)
    assert where is not None
    allowed = re.sub(r"\D", "", where.emergency + "".join(line.how for line in where.lines))
    for danger, tier in CASES:
        text = replies.reply(Alert(tier=tier, danger=danger), SAID, code)  # type: ignore[arg-type]
        for number in re.findall(r"\+?\d[\d\s()/-]{1,}\d", text):
            assert re.sub(r"\D", "", number) in allowed


@pytest.mark.parametrize("code", CODES)
def test_every_line_of_the_table_has_a_source_and_holds_its_number(code: str):
    where = country(code)
    assert where is not None and re.search(r"\d{2,}", where.emergency)
    for line in where.lines:
        assert line.source.startswith("https://") and line.seen
        assert line.number in line.how and line.dangers


def test_countries_are_known_in_any_case_and_unknown_ones_refused():
    assert known(" de ") == "DE" and known("") == ""
    with pytest.raises(UnknownName):
        known("XX")
    assert country("XX") is None


def test_the_closest_line_comes_first():
    where = country("US")
    assert where is not None
    assert "988" in lines_for(where, "suicide")[0].how and "abuse" in lines_for(where, "abuse")[0].dangers


@pytest.mark.parametrize("danger", get_args(Danger))
def test_one_direct_question_is_asked_once(danger: str):
    alert = Alert(tier="concern", danger=danger)  # type: ignore[arg-type]
    asked = replies.question(alert, SAID)
    assert asked.endswith("?") and asked.count("?") == 1 and not faults(asked)
    heard = Dialogue(turns=(SAID.turns[0], Turn(speaker="Listener", text=f"I see. {asked}"), SAID.turns[0]))
    assert replies.question(alert, heard) == ""


def test_what_is_said_instead_may_be_said():
    assert not faults(replies.instead())
