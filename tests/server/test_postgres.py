"""The whole server on a real Postgres: a session outlives the worker that began it, and another worker goes on with it."""

from pathlib import Path

import pytest

from scripts import REPLY

from .serving import serving
from .store.conftest import Fresh, cluster, fresh_postgres

__all__ = ["cluster", "fresh_postgres"]
pytestmark = pytest.mark.xdist_group("postgres")
SAID = "I failed my driving test today, and my father laughed at me."


def test_two_workers_share_a_database(tmp_path: Path, fresh_postgres: Fresh):
    url = fresh_postgres()
    with serving(tmp_path, store=url) as first, serving(tmp_path, store=url) as second:
        session = first.session("ana")
        with first.client("ana") as one, second.client("ana") as other, second.client("ben") as stranger:
            assert one.post(f"/api/sessions/{session}/messages", json={"text": SAID}).json()["reply"] == REPLY
            assert other.get(f"/api/sessions/{session}").json()["conversation"][0]["said"] == SAID
            assert other.post(f"/api/sessions/{session}/messages", json={"text": "Again."}).json()["number"] == 1
            assert stranger.get(f"/api/sessions/{session}").status_code == 404
            assert other.delete(f"/api/sessions/{session}").status_code == 204
            assert one.get(f"/api/sessions/{session}").status_code == 404


def test_a_database_that_is_away_is_told(tmp_path: Path, fresh_postgres: Fresh):
    from heartfelt.errors import StoreError
    from heartfelt.server.archive import Archive

    with pytest.raises(StoreError, match="cannot be reached"):
        Archive("postgresql://nobody@127.0.0.1:1/none")
