"""Prompts are Markdown files, one a step and profile, strict about undefined names.

Every prompt is a cached prefix plus a tail: who answers and the dialogue come first, then a line for each step already done,
and what the step wants comes last. The prefix is the same bytes for every step, so that a model reads it once.
"""

from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

from heartfelt.errors import UnknownName
from heartfelt.fusion.tell import measured_lines
from heartfelt.models.markers import defused
from heartfelt.models.seam import Message, Schema
from heartfelt.prompts.lines import one_line
from heartfelt.prompts.notes import note
from heartfelt.records import Dialogue, Output, Turn


def _filled_in(value: object) -> object:
    """Whatever a prompt file is filled in with: nothing of it can begin a line."""
    return one_line(value) if isinstance(value, str) else value


_ENVIRONMENT = Environment(
    undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False, finalize=_filled_in
)

_FOLDERS = [Path(__file__).parent]

CHARACTERS_A_TOKEN = 3
"""Low on purpose: a prompt that is guessed too long loses an old turn, one that is guessed too short fails."""
LEFT_AT_ONCE = 8
"""Turns that are left out together where a talk grows too long for the model."""
RESERVED_TOKENS = 1000
"""For the notes, the step's own words and the answer."""


@dataclass(frozen=True)
class Prompt:
    messages: tuple[Message, ...]
    tail: str
    """What this step alone asks, after the shared prefix."""
    template: str
    """Hash of the step's prompt file."""

    def tail_first(self) -> "Prompt":
        """What is asked stands before what was said: for a model that is always asked the same, which then reads it once."""
        system, said = self.messages
        asked = system.model_copy(update={"text": f"{system.text}\n{self.tail}"})
        return replace(self, messages=(asked, said.model_copy(update={"text": said.text.removesuffix(f"\n\n{self.tail}")})))


def assemble(
    *,
    profile: str,
    step: str,
    dialogue: Dialogue,
    notes: tuple[Output, ...],
    context: int,
    answer: Schema | None,
    images: bool,
    values: dict[str, Any],
    revision: dict[str, str] | None = None,
) -> Prompt:
    """The whole prompt of a step. A `revision` shows the step its own previous output and what to mend."""
    system, _ = render(profile, "system", {"listener": dialogue.listener})
    shared, _ = render(
        profile,
        "context",
        {
            "turns": readable(dialogue, context),
            "measured": measured_lines(dialogue.last.readings) if profile == "full" else (),
            "notes": [note(output) for output in notes if note(output)],
        },
    )
    tail, template = render(profile, step, values | {"speaker": dialogue.last.speaker, "listener": dialogue.listener})
    if revision is not None:
        tail += "\n\n" + render(profile, "revise", revision)[0]
    if answer is not None and profile == "full":
        tail += "\n\nAnswer with one JSON object and nothing else:\n" + describe(answer)
    pictures = dialogue.keyframes if images else ()
    messages = (Message(role="system", text=system), Message(role="user", text=f"{shared}\n\n{tail}", images=pictures))
    return Prompt(messages, tail, template)


def render(profile: str, name: str, values: dict[str, Any]) -> tuple[str, str]:
    """A prompt file filled in, and the file's hash. What people wrote like a chat's markers is made plain words."""
    template, fingerprint = _load(profile, name)
    return defused(template.render(values).strip()), fingerprint


def readable(dialogue: Dialogue, context: int) -> tuple[Turn, ...]:
    """The latest turns that fit the model, in their order; the last one always, without its middle where it is too long.

    Turns are left out several at once, so that the next prompts begin alike and most of them need not be read again.
    """
    room = longest(context)
    turns = [*map(_one_line, dialogue.turns[:-1]), _shortened(_one_line(dialogue.last), room)]
    sizes = [len(turn.speaker) + len(turn.text) + 3 for turn in turns]
    first = 0
    while first < len(turns) - 1 and sum(sizes[first:]) > room:
        first += 1
    together = -(-first // LEFT_AT_ONCE) * LEFT_AT_ONCE
    return tuple(turns[together if sum(sizes[together:]) > room / 3 else first :])


def longest(context: int) -> int:
    """The characters of a dialogue that fit a model."""
    return (context - RESERVED_TOKENS) * CHARACTERS_A_TOKEN


def _shortened(turn: Turn, room: int) -> Turn:
    """What somebody begins and ends with says more than what stands between."""
    if not 0 < room < len(turn.text):
        return turn
    begin, end = turn.text[: room // 3].rpartition(" ")[0], turn.text[-room // 2 :].partition(" ")[2]
    return turn.model_copy(update={"text": f"{begin} … {end}"})


def _one_line(turn: Turn) -> Turn:
    """Whoever made the dialogue: no word of a turn can begin a line of the prompt."""
    speaker, flat = one_line(turn.speaker), " ".join(turn.text.split())
    return turn if (speaker, flat) == (turn.speaker, turn.text) else turn.model_copy(update={"speaker": speaker, "text": flat})


def describe(schema: Schema) -> str:
    """A schema in words, for models that are told rather than constrained."""
    if "enum" in schema:
        return "one of " + " | ".join(schema["enum"])
    match schema["type"]:
        case "object":
            inner = ", ".join(f'"{name}": <{describe(inner)}>' for name, inner in schema["properties"].items())
            return "{" + inner + "}"
        case "array":
            return f"a list of {schema['minItems']} to {schema['maxItems']}: {describe(schema['items'])}"
        case _:
            hint = schema.get("description", "text")
            return f"{hint}, at most {schema['maxLength']} characters"


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def add_folder(folder: Path) -> None:
    """Look for prompt files in `folder/full` and `folder/compact` too: for steps of one's own. Theirs come first."""
    _FOLDERS.insert(0, folder)
    _load.cache_clear()


@cache
def _load(profile: str, name: str) -> tuple[Template, str]:
    places = [folder / profile / f"{name}.md" for folder in _FOLDERS]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise UnknownName("prompt file", f"{profile}/{name}.md", [str(folder) for folder in _FOLDERS])
    source = found.read_text("utf-8")
    return _ENVIRONMENT.from_string(source), digest(source)
