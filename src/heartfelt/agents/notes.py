"""One line for each step that is done, as the steps after it read it. Its words are in the `wording.toml` of the step."""

from heartfelt.prompts import PromptFolder
from heartfelt.prompts.lines import one_line
from heartfelt.records import Output

NOTES: dict[str, PromptFolder] = {}
"""Where the note of each kind of record is. A record that is not for words has none."""


def note(output: Output) -> str:
    """Always one line: what a model wrote into a field cannot become the note of another step."""
    folder = NOTES.get(output.kind)
    return one_line(folder.phrase(f"notes.{output.kind}", **folder.wording | dict(output))) if folder else ""


def gist(output: Output) -> str:
    """The same without the word that it begins with, for people."""
    return note(output).partition(": ")[2]
