"""Whatever the documentation points at exists: files, headings, commands and their options, the code that it shows."""

import ast
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from heartfelt.cli import app

ROOT = Path(__file__).parents[2]
FOLLOWED = "contributing"
"""The folder whose pages bring code that imports what they bring: `test_contributing` runs all of it."""
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_MADE = re.compile(r"^New file `(.+)`:$", re.M)
_NAMED = re.compile(r"`((?:src|docs|examples|tests|samples)/[\w./-]*\w)`")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def prose(path: Path) -> str:
    return _BLOCK.sub("", path.read_text("utf-8"))


def blocks(path: Path, *languages: str) -> list[str]:
    return [code for language, code in _BLOCK.findall(path.read_text("utf-8")) if language in languages]


def anchors(path: Path) -> set[str]:
    """Headings as code hosts link them."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    broken: list[str] = []
    for link in _LINK.findall(prose(page)):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve() if target else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            broken.append(link)
    assert not broken


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_named_files_exist(page: Path) -> None:
    made = _MADE.findall(prose(page))
    assert [named for named in _NAMED.findall(prose(page)) if not (ROOT / named).exists() and named not in made] == []


def commands() -> list[tuple[str, str]]:
    """(page, command line) for each `heartfelt …` in a code block; outputs are no commands."""
    found: list[tuple[str, str]] = []
    for page in PAGES:
        for block in blocks(page, "console", "sh", "bash"):
            for line in block.replace("\\\n", " ").splitlines():
                match = re.match(r"\$ (?:[A-Z_]+=\S+ )*(?:\.venv/bin/)?heartfelt (.*)", line)
                if match:
                    found.append((name(page), match[1].partition(" | ")[0]))
    return found


def parse(line: str) -> None:
    """Go down to the command that is meant and let it parse its arguments, without running it."""
    command: Any = get_command(app)
    words = shlex.split(line, comments=True)
    while getattr(command, "commands", None) and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    command.make_context("heartfelt", words, resilient_parsing=False)


@pytest.mark.parametrize(("page", "line"), commands(), ids=lambda value: value[:60])
def test_commands_parse(page: str, line: str) -> None:
    try:
        parse(line)
    except Exception as error:  # noqa: BLE001, whatever the parser raises, the page is wrong
        pytest.fail(f"{page}: heartfelt {line}: {error}")


def test_a_wrong_option_would_be_noticed() -> None:
    with pytest.raises(Exception, match="no-such-option"):
        parse("respond Hi --no-such-option")


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name != FOLLOWED], ids=name)
def test_python_blocks_compile_and_import_what_exists(page: Path) -> None:
    for block in blocks(page, "python"):
        tree = ast.parse(block)
        imports = [
            node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("heartfelt")
        ]
        exec(compile(ast.Module(list(imports), type_ignores=[]), name(page), "exec"), {})


def test_every_page_can_be_reached_from_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in _LINK.findall(prose(index))}
    assert {name(page) for page in (ROOT / "docs").rglob("*.md") if page not in linked and page != index} == set()
