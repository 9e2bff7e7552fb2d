"""Reads the data files of this folder. They are part of the package, so a fault in one is a fault of the build."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """The parsed `data/NAME.toml`; read once, never changed."""
    return tomllib.loads(files("heartfelt.labels").joinpath("data", f"{name}.toml").read_text(encoding="utf-8"))
