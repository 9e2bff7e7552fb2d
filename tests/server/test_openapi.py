"""Whatever a client sends that the description allows, or does not, there is never a 500, and never another form of refusal."""

import os
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from heartfelt.server.app import create_app

from .serving import Served, serving

description = schemathesis.openapi.from_dict(create_app().openapi())


EXAMPLES = int(os.environ.get("HEARTFELT_FUZZ", "4"))
"""For each operation; making one up takes longer than answering it. HEARTFELT_FUZZ=200 looks harder."""


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("described")) as running:
        yield running


@pytest.fixture
def session(described: Served) -> str:
    """One with a turn in it. Where an example deletes it, the others find none: that is an answer too."""
    made = described.session()
    with described.client() as client:
        client.post(f"/api/sessions/{made}/messages", json={"text": "I failed my driving test today."})
    return made


@description.parametrize()
@settings(max_examples=EXAMPLES, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_the_server_does_what_its_description_says(case, described: Served, session: str):
    if "session" in (case.path_parameters or {}):  # one's own: a stranger's is only ever a 404
        case.path_parameters["session"] = session
    checks = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
    case.call_and_validate(base_url=described.url, checks=checks, headers={"authorization": "Bearer ana"})


def test_every_operation_is_described_for_people(described: Served):
    with described.client() as client:
        paths = client.get("/openapi.json").json()["paths"]
    operations = [operation for path in paths.values() for operation in path.values()]
    assert len(operations) >= 18
    assert all(operation.get("description") or operation.get("summary") for operation in operations)
