"""The kinds of messages: a loss, a worry, good news, a question …"""

import tomllib
from importlib.resources import files

KINDS: dict[str, str] = tomllib.loads(files("heartfelt.agents").joinpath("kinds.toml").read_text("utf-8"))
"""Each kind, and what it is."""
