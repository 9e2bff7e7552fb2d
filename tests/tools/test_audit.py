"""The audit of dependencies: findings fail, and a service that nobody reaches is told and fails nothing."""

import importlib.util
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
MIRROR = '{"message": "405 Method Not Allowed - POST https://registry.npmjs.org/-/npm/v1/security", "statusCode": 405}'


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", ROOT / "tools" / "audit.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["audit"] = module
    spec.loader.exec_module(module)
    return module


def pip(*packages: dict[str, object]) -> str:
    return json.dumps({"dependencies": packages, "fixes": []})


SOUND = {"name": "jinja2", "version": "3.1.6", "vulns": []}
UNSOUND = {"name": "jinja2", "version": "3.1.2", "vulns": [{"id": "PYSEC-1", "fix_versions": ["3.1.3"]}]}
UNKNOWN = {"name": "ours", "skip_reason": "Dependency not found on PyPI and could not be audited: ours (1)"}


@pytest.mark.parametrize(
    ("printed", "audited", "findings", "told"),
    [
        (pip(SOUND), True, (), "1 packages, 0 known vulnerabilities"),
        (pip(SOUND, UNKNOWN), True, (), "1 packages, 0 known vulnerabilities; 1 are unknown to pypi"),
        (pip(UNSOUND, SOUND), True, ("jinja2 3.1.2: PYSEC-1, mended in 3.1.3",), "2 packages, 1 known vulnerabilities"),
        (pip(UNKNOWN, UNKNOWN), False, (), "NOT AUDITED: pypi knows none of the packages"),
        ("", False, (), "NOT AUDITED"),
        ("Traceback (most recent call last):", False, (), "NOT AUDITED"),
        ("[]", False, (), "NOT AUDITED"),
    ],
)
def test_what_pip_audit_says(audit: ModuleType, printed: str, audited: bool, findings: tuple[str, ...], told: str):
    verdict = audit.read_pip(printed, "pypi")
    assert (verdict.audited, verdict.findings) == (audited, findings) and verdict.told.startswith(told)


def npm(**severities: str) -> str:
    return json.dumps({"vulnerabilities": {name: {"severity": grade} for name, grade in severities.items()}, "metadata": {}})


@pytest.mark.parametrize(
    ("printed", "audited", "findings"),
    [
        (npm(), True, ()),
        (npm(a="low", b="moderate"), True, ()),
        (npm(a="high", b="critical"), True, ("a: high", "b: critical")),
        (MIRROR, False, ()),
        ("", False, ()),
    ],
)
def test_what_npm_audit_says(audit: ModuleType, printed: str, audited: bool, findings: tuple[str, ...]):
    verdict = audit.read_npm(printed)
    assert (verdict.audited, verdict.findings) == (audited, findings)


def test_the_second_service_is_asked_where_the_first_knows_nothing(audit: ModuleType, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(audit, "find_spec", lambda _: True)
    asked: list[str] = []

    def run(command: Sequence[str], folder: Path) -> str:
        asked.append(command[command.index("-s") + 1])
        return pip(UNSOUND) if asked[-1] == "osv" else pip(UNKNOWN)

    assert audit.python_packages(run).findings and asked == ["pypi", "osv"]
    assert not audit.python_packages(lambda *_: "").audited


def test_it_says_that_the_tool_is_missing(audit: ModuleType, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(audit, "find_spec", lambda _: None)
    assert "pip-audit is not installed" in str(audit.python_packages(lambda *_: ""))


def test_findings_fail_and_what_was_not_audited_is_one_line(audit: ModuleType, capsys: pytest.CaptureFixture[str]):
    assert audit.main([audit.read_pip(pip(SOUND), "pypi"), audit.read_npm(MIRROR)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 and "NOT AUDITED: 405 Method Not Allowed" in lines[1]
    assert audit.main([audit.read_pip(pip(UNSOUND), "pypi")]) == 1
    assert audit.main([audit.read_npm(npm(a="high"))]) == 1


def test_a_command_that_is_not_there_prints_nothing(audit: ModuleType, tmp_path: Path):
    assert audit.run(["no-such-command-4711"], tmp_path) == ""


def test_it_is_part_of_the_check():
    makefile = (ROOT / "Makefile").read_text()
    check = makefile.partition("\ncheck:")[2].partition("\n\n")[0]
    assert "audit" in check and "tools/audit.py" in makefile
