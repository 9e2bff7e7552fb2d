"""Are there known vulnerabilities in what we ship with? Asks the advisory services for requirements.lock and for web/.

    python tools/audit.py

A finding fails. A service that cannot be reached is told in a line and fails nothing: who works without a network, or behind a
mirror without advisories, must still be able to run `make check`. Wherever there is a network, it is asked again.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parents[1]
SERVICES = ("pypi", "osv")
"""Asked in this order; the second where the first knows nothing."""
SECONDS = 300
GRAVE = ("high", "critical")
Run: TypeAlias = Callable[[Sequence[str], Path], str]
"""Runs a command in a folder and gives what it printed; empty where it did not finish."""


@dataclass(frozen=True)
class Verdict:
    what: str
    audited: bool
    told: str
    findings: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.what}: {self.told}"


def run(command: Sequence[str], folder: Path) -> str:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout


def python_packages(run: Run = run) -> Verdict:
    """pip-audit on the lock file: what is pinned there, and not what happens to be installed here."""
    if find_spec("pip_audit") is None:
        return _unreached("requirements.lock", "pip-audit is not installed")
    for service in SERVICES:
        asked = ["-r", "requirements.lock", "--disable-pip", "--require-hashes", "-s", service, "-f", "json"]
        printed = run([sys.executable, "-m", "pip_audit", *asked, "--progress-spinner", "off", "--timeout", "15"], ROOT)
        verdict = read_pip(printed, service)
        if verdict.audited:
            return verdict
    return _unreached("requirements.lock", f"none of {', '.join(SERVICES)} could be asked")


def read_pip(printed: str, service: str) -> Verdict:
    packages = _object(printed).get("dependencies") or []
    # A mirror that has no advisories answers like an index that does not know the package: then nothing was audited.
    known = [package for package in packages if "skip_reason" not in package]
    if not known:
        return _unreached("requirements.lock", f"{service} knows none of the packages")
    found = tuple(_finding(package, each) for package in known for each in package.get("vulns") or ())
    left = f"; {len(packages) - len(known)} are unknown to {service}" if len(packages) > len(known) else ""
    return Verdict("requirements.lock", True, f"{len(known)} packages, {len(found)} known vulnerabilities{left}", found)


def _finding(package: dict[str, Any], found: dict[str, Any]) -> str:
    mended = ", ".join(found.get("fix_versions") or ["no release yet"])
    return f"{package['name']} {package['version']}: {found['id']}, mended in {mended}"


def web_packages(run: Run = run) -> Verdict:
    """npm audit on what the app is made of; what only builds it is not shipped."""
    if shutil.which("npm") is None:
        return _unreached("web/package-lock.json", "npm is not installed")
    return read_npm(run(["npm", "audit", "--omit=dev", "--audit-level=high", "--json"], ROOT / "web"))


def read_npm(printed: str) -> Verdict:
    report = _object(printed)
    if not isinstance(report.get("vulnerabilities"), dict):
        return _unreached("web/package-lock.json", str(report.get("message") or "the npm registry could not be asked"))
    named: dict[str, dict[str, Any]] = report["vulnerabilities"]
    found = tuple(f"{name}: {each['severity']}" for name, each in named.items() if each.get("severity") in GRAVE)
    return Verdict("web/package-lock.json", True, f"{len(found)} known vulnerabilities of grade high or critical", found)


def main(verdicts: Sequence[Verdict]) -> int:
    for verdict in verdicts:
        print(verdict)
        for finding in verdict.findings:
            print(f"  {finding}")
    return int(any(verdict.findings for verdict in verdicts))


def _unreached(what: str, why: str) -> Verdict:
    return Verdict(what, False, f"NOT AUDITED: {why}. Run `make audit` where the advisory service can be reached.")


def _object(printed: str) -> dict[str, Any]:
    try:
        found = json.loads(printed)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


if __name__ == "__main__":
    sys.exit(main([python_packages(), web_packages()]))
