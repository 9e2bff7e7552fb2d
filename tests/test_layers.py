"""Imports go one way: what the contract in `.importlinter` says holds."""

from pathlib import Path

from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports


def test_what_stands_lower_imports_nothing_that_stands_higher(capsys):
    status = lint_imports(config_filename=str(Path(__file__).parents[1] / ".importlinter"), no_cache=True)
    assert status == EXIT_STATUS_SUCCESS, capsys.readouterr().out
