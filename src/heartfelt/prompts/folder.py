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
        self._file = self.path / "wording.toml"
        self.wording: dict[str, Any] = tomllib.loads(self._file.read_text("utf-8")) if self._file.is_file() else {}

    def render(self, profile: str, name: str, values: dict[str, Any]) -> tuple[str, str]:
        """A prompt file filled in, and the file's hash. What people wrote like a chat's markers is made plain words."""
        template, fingerprint = self._load(f"{name}.{profile}.md")
        return defused(template.render(values).strip()), fingerprint

    def phrase(self, place: str, /, **values: Any) -> str:
        """A text of `wording.toml`, such as `answer.refused`, filled in."""
        return _phrase(self.entry(place), self._file).render(values)

    def entry(self, place: str) -> str:
        """A text of `wording.toml` as it stands there."""
        found: Any = self.wording
        for name in place.split("."):
            known: dict[str, Any] = found if isinstance(found, dict) else {}
            if name not in known:
                where = f"{self._file} (looked for `{place}`)"
                raise UnknownName("entry", name, known, where=where)
            found = known[name]
        return found

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
    return _compiled(_FILES, source, path), digest(source)


@cache
def _phrase(source: str, path: Path) -> Template:
    return _compiled(_PHRASES, source, path)


def _compiled(environment: Environment, source: str, path: Path) -> Template:
    """As from a string, and an error in it names the file."""
    return Template.from_code(environment, environment.compile(source, filename=str(path)), environment.make_globals(None))


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
