"""The checklist of a release: what each step finds."""

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def release() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("release", ROOT / "tools" / "release.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["release"] = module
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(ROOT / "tools"))
    del sys.modules["release"]


def checkout(folder: Path, *, version: str = "1.2.3", heading: str = "## [1.2.3] - 2026-11-18", web: str = "1.2.3") -> Path:
    (folder / "web" / "src").mkdir(parents=True)
    (folder / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n', "utf-8")
    (folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n\n## [0.1.0] - 2026-01-01\n", "utf-8")
    (folder / "web" / "package.json").write_text(f'{{\n  "name": "web",\n  "version": "{web}"\n}}\n', "utf-8")
    return folder


def test_version_and_changelog_agree(release: ModuleType, tmp_path: Path) -> None:
    assert str(release.version_and_changelog(checkout(tmp_path))) == "✓ version: 1.2.3, of 2026-11-18"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"heading": "## [1.2.2] - 2026-11-18"}, "pyproject.toml says 1.2.3, the changelog begins with 1.2.2"),
        ({"heading": "Nothing yet."}, "the changelog begins with 0.1.0"),
        ({"heading": "## [1.2.3] - Unreleased"}, "the changelog's entry of 1.2.3 has no date yet"),
        ({"web": "1.0.0"}, "pyproject.toml says 1.2.3, web/package.json 1.0.0"),
    ],
)
def test_where_they_do_not_it_says_what_each_says(
    release: ModuleType, tmp_path: Path, changes: dict[str, str], told: str
) -> None:
    step = release.version_and_changelog(checkout(tmp_path, **changes))
    assert not step.fine and step.told.endswith(told)


def test_what_differs_from_the_commit_is_named(release: ModuleType) -> None:
    assert release.clean_tree(lambda *_: "").fine
    step = release.clean_tree(lambda *_: " M README.md\n?? stray.py\n")
    assert (step.fine, step.told) == (False, "2 files differ from the commit: README.md, stray.py")


def test_a_web_app_that_is_not_there_or_old_is_told(release: ModuleType, tmp_path: Path) -> None:
    root = checkout(tmp_path)
    assert release.web_app(root).told == "not built. Run: make web"
    built = root / release.WEB / "index.html"
    built.parent.mkdir(parents=True)
    built.touch()
    assert release.web_app(root).fine
    source = root / "web" / "src" / "app.tsx"
    source.touch()
    os.utime(source, (built.stat().st_mtime + 10,) * 2)
    assert release.web_app(root).told == "older than web/src/app.tsx. Run: make web"


def test_every_step_is_one_line(release: ModuleType) -> None:
    assert "\n" not in str(release.Step("web app", True, "built"))


def test_the_makefile_builds_the_app_before_it_asks() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "\nrelease: $(DEV) web\n\t@$(BIN)/python tools/release.py\n" in makefile


@pytest.mark.parametrize(
    ("audited", "findings", "fine"), [(True, (), True), (False, (), False), (True, ("jinja2 3.1.2: PYSEC-1",), False)]
)
def test_a_release_waits_for_an_audit_that_took_place(
    release: ModuleType, monkeypatch: pytest.MonkeyPatch, audited: bool, findings: tuple[str, ...], fine: bool
) -> None:
    audit = release.audit
    monkeypatch.setattr(audit, "python_packages", lambda: audit.Verdict("requirements.lock", audited, "…", findings))
    monkeypatch.setattr(audit, "web_packages", lambda: audit.Verdict("web", True, "…"))
    assert release.vulnerabilities().fine == fine
