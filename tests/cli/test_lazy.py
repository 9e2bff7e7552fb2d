"""Nobody waits for what is not used."""

import subprocess
import sys

import pytest
from typer.main import get_command

from heartfelt.cli import app
from heartfelt.cli.lazy import COMMANDS, _summary


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_not_imported_is_listed_in_its_own_words(name: str):
    group = get_command(app)
    assert _summary(name).split() == (group.commands[name].help or "").split()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("command", "heavy"),
    [
        *(
            (command, ("numpy", "pydantic", "jinja2", "heartfelt.records", "heartfelt.evaluation"))
            for command in ("import heartfelt", "import sys; sys.argv[1:] = ['--help']; import heartfelt.cli")
        ),
        (
            "from heartfelt.server.app import create_app; create_app()",
            ("numba", "scipy", "onnx", "onnxruntime", "gguf", "openai"),
        ),
    ],
)
def test_what_is_heavy_is_imported_when_it_is_used(command: str, heavy: tuple[str, ...]):
    told = f"{command}; import sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
