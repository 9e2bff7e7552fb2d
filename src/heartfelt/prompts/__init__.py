"""Prompts are Markdown files, one a step and profile, in the folder of their step; here are those that all steps share.

Every prompt is a cached prefix plus a tail: who answers and the dialogue come first, then a line for each step already done,
and what the step wants comes last. The prefix is the same bytes for every step, so that a model reads it once.
"""

from dataclasses import dataclass, replace
from typing import Any

from heartfelt.errors import UsageError
from heartfelt.fusion.tell import measured_lines
from heartfelt.models.seam import Message, Schema
from heartfelt.prompts.folder import PromptFolder, digest
from heartfelt.prompts.lines import one_line
from heartfelt.records import Dialogue, Turn

__all__ = ["SHARED", "Prompt", "PromptFolder", "assemble", "describe", "digest", "longest", "readable"]

SHARED = PromptFolder(__file__)
"""What all steps share: who answers, the dialogue, what to mend, the form of the answer."""
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
    folder: PromptFolder,
    file: str,
    dialogue: Dialogue,
    notes: tuple[str, ...],
    context: int,
    answer: Schema | None,
    images: bool,
    values: dict[str, Any],
    revision: dict[str, str] | None = None,
) -> Prompt:
    """The whole prompt of a step, whose own part is a `file` in its `folder`. `notes`: a line for each step before.

    A `revision` shows the step its own previous output and what to mend.
    """
    system, _ = SHARED.render(profile, "system", {"listener": dialogue.listener})
    shared, _ = SHARED.render(
        profile,
        "context",
        {
            "turns": readable(dialogue, context),
            "measured": measured_lines(dialogue.last.readings) if profile == "full" else (),
            "notes": notes,
        },
    )
    tail, template = folder.render(profile, file, values | {"speaker": dialogue.last.speaker, "listener": dialogue.listener})
    if revision is not None:
        tail += "\n\n" + SHARED.render(profile, "revise", revision)[0]
    if answer is not None and profile == "full":
        tail += "\n\n" + SHARED.phrase("answer.asked", form=describe(answer))
    pictures = dialogue.keyframes if images else ()
    messages = (Message(role="system", text=system), Message(role="user", text=f"{shared}\n\n{tail}", images=pictures))
    return Prompt(messages, tail, template)


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
        return SHARED.phrase("form.choice", options=" | ".join(schema["enum"]))
    match schema["type"]:
        case "object":
            inner = ", ".join(f'"{name}": <{describe(inner)}>' for name, inner in schema["properties"].items())
            return "{" + inner + "}"
        case "array":
            item = describe(schema["items"])
            return SHARED.phrase("form.list", least=schema["minItems"], most=schema["maxItems"], item=item)
        case _:
            hint = schema.get("description", SHARED.phrase("form.hint"))
            return SHARED.phrase("form.text", hint=hint, longest=schema["maxLength"])


def add_folder(folder: object) -> None:
    """Refused: a step says itself where its prompt files lie."""
    raise UsageError(
        "Prompt files are found beside the class of their step now. Name them STEP.full.md and STEP.compact.md, and say "
        "`folder = PromptFolder(__file__)` in the class."
    )
