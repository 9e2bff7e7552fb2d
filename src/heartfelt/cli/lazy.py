"""Commands that are imported when they are called: `heartfelt --help` need not wait for what only one of them uses."""

import ast
from collections.abc import Iterator, MutableMapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from inspect import cleandoc
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

PACKAGE = "heartfelt.cli"
MARKUP = "markdown"
GROUPS = ("rate", "models", "memory", "data", "tune", "token")
"""Commands with commands of their own: the module's `app`."""
COMMANDS = (
    *(
        "demo",
        "respond",
        "speak",
        "sense",
        "screen",
        "identities",
        "prove",
        "evaluate",
        "report",
        "compare",
        "judge",
        "faults",
        "chat",
    ),
    *("serve", "export", "forget", "replay", "show", "doctor"),
    *GROUPS,
)
"""In the order in which they are listed; each is a module of this package, and the function in it that is called like it."""


class LazyGroup(TyperGroup):
    """The commands of `COMMANDS`."""

    def __init__(self, **given: Any):
        super().__init__(**given)
        self.commands = _Commands()
        self._listing = False

    def list_commands(self, ctx: Any) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if self._listing:
            return TyperCommand(cmd_name, help=_summary(cmd_name), rich_markup_mode=MARKUP)
        return self.commands.get(cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        self._listing = True
        try:
            super().format_help(ctx, formatter)
        finally:
            self._listing = False


class _Commands(MutableMapping[str, Any]):
    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        return _loaded(name)

    def __setitem__(self, name: str, command: Any) -> None:
        raise TypeError(f"{name} belongs into COMMANDS.")

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"{name} belongs into COMMANDS.")

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@cache
def _loaded(name: str) -> Any:
    module = import_module(f"{PACKAGE}.{name}")
    settings: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": MARKUP}
    if name in GROUPS:
        parent = typer.Typer(**settings)
        parent.add_typer(module.app, name=name)
        return get_group(parent).commands[name]
    alone = typer.Typer(**settings)
    alone.command(name)(getattr(module, name))
    return get_command(alone)


def _summary(name: str) -> str:
    """What a command says of itself, read without importing it: its docstring, or the `help` of its group."""
    tree = ast.parse(files(PACKAGE).joinpath(f"{name}.py").read_text("utf-8"))
    if name not in GROUPS:
        functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
        return next(ast.get_docstring(each) or "" for each in functions if each.name == name)
    values = {target.id: node.value for node in tree.body if isinstance(node, ast.Assign) for target in node.targets
              if isinstance(target, ast.Name)}  # fmt: skip
    group = values["app"]
    assert isinstance(group, ast.Call)
    told = next(each.value for each in group.keywords if each.arg == "help")
    return cleandoc(ast.literal_eval(values[told.id] if isinstance(told, ast.Name) else told))
