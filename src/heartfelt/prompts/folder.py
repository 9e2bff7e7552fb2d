"""A folder of words for a model: NAME.full.md and NAME.compact.md are prompts, `wording.toml` has what is shorter than a file.

Jinja fills them in, strict about undefined names.
"""

import tomllib
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

from heartfelt.errors import UnknownName
from heartfelt.models.markers import defused
from heartfelt.prompts.lines import one_line, quotable


def _filled_in(value: object) -> object:
    """Whatever a prompt file is filled in with: nothing of it can begin a line."""
    return one_line(value) if isinstance(value, str) else value


_FILES = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False, finalize=_filled_in)
_PHRASES = Environment(undefined=StrictUndefined, autoescape=False)
_PHRASES.filters["quotable"] = quotable


class PromptFolder:
    """`PromptFolder(__file__)` is the folder of the module that says so."""

    def __init__(self, module: str):
        self.path = Path(module).parent
        file = self.path / "wording.toml"
        self.wording: dict[str, Any] = tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}

    def render(self, profile: str, name: str, values: dict[str, Any]) -> tuple[str, str]:
        """A prompt file filled in, and the file's hash. What people wrote like a chat's markers is made plain words."""
        template, fingerprint = self._load(f"{name}.{profile}.md")
        return defused(template.render(values).strip()), fingerprint

    def phrase(self, place: str, /, **values: Any) -> str:
        """A text of `wording.toml`, such as `answer.refused`, filled in."""
        found: Any = self.wording
        for name in place.split("."):
            found = found[name]
        return _phrase(found).render(values)

    def hint(self, name: str) -> str:
        """What a field of an answer should hold."""
        return self.phrase(f"hints.{name}")

    def _load(self, name: str) -> tuple[Template, str]:
        try:
            return _file(self.path / name)
        except FileNotFoundError:
            known = (file.name for file in self.path.glob("*.md"))
            raise UnknownName("prompt file", name, known, where=f"{self.path}, the `folder` of its class") from None


@cache
def _file(path: Path) -> tuple[Template, str]:
    source = path.read_text("utf-8")
    return _FILES.from_string(source), digest(source)


@cache
def _phrase(source: str) -> Template:
    return _PHRASES.from_string(source)


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
