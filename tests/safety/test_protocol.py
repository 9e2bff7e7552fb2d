"""The protocol page says what is configured, and nothing else."""

from typing import get_args

import pytest

from heartfelt.records import Danger, Who
from heartfelt.safety.guard.forbidden import kinds
from heartfelt.safety.protocol import protocol
from heartfelt.safety.respond.services import countries
from heartfelt.safety.settings import Safety


def test_it_names_every_danger_kind_and_country():
    page = protocol(Safety())
    assert all(f"**opened · {who} · {danger}.**" in page for danger in get_args(Danger) for who in get_args(Who))
    assert all(f"| {kind} |" in page for kind in kinds())
    assert all(f"| {one.name} |" in page for one in countries())
    assert "not yet by a clinician" in page and "2026" in page


def test_it_follows_the_configuration():
    assert "This deployment is set to Germany" in protocol(Safety(country="DE"))
    assert "`ollama:guard`" in protocol(Safety(guard="ollama:guard"))
    assert "switched off" in protocol(Safety(on=False))
    assert "kept for 30 days" in protocol(Safety(), stored="Sessions are kept for 30 days.")


@pytest.mark.parametrize("deployment", ["workplace", "education"])
def test_at_work_and_in_schools_it_says_that_faces_and_voices_are_left_alone(deployment: str):
    page = protocol(Safety(deployment=deployment))  # type: ignore[arg-type]
    assert f"Set for {deployment}: nothing is inferred" in page
