"""`heartfelt rate` as it is used: a process that serves, is killed, and goes on; and its summary."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import httpx2
import pytest
from tests.evaluation.judging.runs import run
from tests.evaluation.rating.studies import OPENINGS, rated, replies, study, write
from tests.evaluation.rating.test_summary import likert
from typer.testing import CliRunner

from heartfelt.cli.rate import NAMES, app
from heartfelt.errors import MissingExtra, UsageError
from heartfelt.evaluation.judging.criteria import CRITERIA
from heartfelt.evaluation.rating import ratings
from heartfelt.evaluation.rating.serve import serve as served

COMMAND = "from heartfelt.cli.rate import app; app()"


@contextmanager
def page(folder: Path) -> Generator[list[str], None, None]:
    """The addresses that the command prints; it is then killed, not ended."""
    with subprocess.Popen([sys.executable, "-u", "-c", COMMAND, str(folder)], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            lines = [process.stdout.readline()]
            known = list((folder / "ratings").glob("*.jsonl")) if (folder / "ratings").is_dir() else []
            lines += [process.stdout.readline() for _ in known]
            yield re.findall(r"http://\S+", "".join(lines))
        finally:
            process.kill()


def test_a_killed_page_goes_on_with_every_mark(tmp_path: Path) -> None:
    folder = run(tmp_path)
    with page(tmp_path) as (url,):
        link = url.rstrip("/") + httpx2.post(f"{url}begin", json={"name": "Ada"}).json()["link"]
        assert "Heartfelt" in httpx2.get(link).text
        ticket = httpx2.get(f"{link}/now").json()["ticket"]
        marks = {"empathy": 5, "coherence": 4, "fluency": 3}
        assert httpx2.post(f"{link}/mark", json={"ticket": ticket, "marks": marks}).json()["done"] == 1
    assert [each.marks for each in ratings([folder])] == [marks]
    with page(tmp_path) as (_, again):
        assert again.rsplit("/", 1)[1] == link.rsplit("/", 1)[1], "the terminal shows the link of whoever has begun"
        assert httpx2.get(f"{again}/now").json()["done"] == 1


def test_an_interrupt_is_the_end_and_no_failure(tmp_path: Path) -> None:
    run(tmp_path)
    command = [sys.executable, "-u", "-c", COMMAND, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        url = re.findall(r"http://\S+", process.stdout.readline())[0]
        assert httpx2.get(url).status_code == 200
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
    assert process.returncode == 0, told
    assert "heartfelt rate summary" in told and "Traceback" not in told


def _invoke(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_summary_in_words_and_as_json(tmp_path: Path) -> None:
    folder = run(tmp_path)
    likert(folder, Ada=(5, 2), Bo=(4, 2))
    told = _invoke("summary", str(tmp_path), "--json", str(tmp_path / "found.json"))
    assert "16 ratings by 2 people: Ada, Bo" in told and "Krippendorff's alpha (ordinal)" in told and "warm-system" in told
    found = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert {each["criterion"] for each in found["means"]} == {"empathy", "coherence", "fluency"}


def test_sheets_are_written_rated_and_summed_up(tmp_path: Path) -> None:
    write(tmp_path / "openings.jsonl.gz", OPENINGS)
    write(tmp_path / "warm.jsonl", replies("Oh no."))
    write(tmp_path / "cold.jsonl", replies("Noted."))
    given = [f"warm={tmp_path}/warm.jsonl", f"cold={tmp_path}/cold.jsonl", "--openings", f"{tmp_path}/openings.jsonl.gz"]
    told = _invoke("sheet", *given, "--to", str(tmp_path / "study"), "--per", "2", "--seed", "7")
    assert "2 sheets: 4 openings, 12 replies of warm, cold, reference" in told
    rated(tmp_path / "study", "ada", {"warm": 4, "cold": 1, "reference": 5}, skip=2)
    told = _invoke("summary", str(tmp_path / "study"), "--json", str(tmp_path / "found.json"))
    assert "ada: 10 marks, 2 are missing" in told and "4.00 [4.00, 4.00]" in told
    found = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert [each["name"] for each in found["systems"]] == ["reference", "warm", "cold"] and len(found["marks"]) == 10


def test_nothing_to_sum_up_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing to sum up .* `heartfelt rate sheet`"):
        _invoke("summary", str(tmp_path))


def test_sheets_are_not_pooled_with_other_folders(tmp_path: Path) -> None:
    study(tmp_path / "study", warm="Oh no.")
    with pytest.raises(UsageError, match="one folder at a time"):
        _invoke("summary", str(tmp_path / "study"), str(tmp_path / "study"))


def test_the_help_names_what_can_be_asked() -> None:
    assert set(NAMES.split(", ")) == {each.name for each in CRITERIA.values() if not each.needs}


def test_without_the_extra_the_way_to_it_is_said(tmp_path: Path) -> None:
    with mock.patch("heartfelt.evaluation.rating.serve.find_spec", return_value=None), pytest.raises(MissingExtra, match="lab"):
        served(mock.Mock(), ready=print)


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    from heartfelt.evaluation.rating.serve import HOST
    from heartfelt.sockets import listen

    with listen(HOST, 0) as door, pytest.raises(UsageError, match="cannot be used"):
        listen(HOST, door.getsockname()[1])
