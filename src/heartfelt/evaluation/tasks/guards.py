"""Guards: what a system is shown must not hold the answer. Each refuses with a LeakError that says what leaked.

`refuse_leaks` judges an item before it is asked; `refuse_exemplars` and `refuse_prompt` judge what a system made of it.
"""

import re
from collections.abc import Iterable

from heartfelt.datasets.dataset import Dataset
from heartfelt.datasets.talk import Talk
from heartfelt.errors import LeakError
from heartfelt.evaluation.tasks.item import Item
from heartfelt.evaluation.tasks.protocol import Protocol
from heartfelt.memory.guard import Guard
from heartfelt.records import Exemplar
from heartfelt.text import normalised

TELLING_WORDS = 4
"""A gold text this long is not in a prompt by chance."""
_FIELDS = "gold|true|emotion|emotions|label|context|feeling|feels|mood|sentiment|strategy|annotation"


def refuse_protocol(protocol: Protocol, known: Dataset) -> None:
    """What a protocol asks for and a corpus cannot give without giving the answer."""
    if protocol.previous_labels == "given" and known.labelled == "dialogue":
        raise LeakError(
            f"{known.title} has one emotion for a whole dialogue: the labels of earlier turns are the answer. "
            "Leave previous_labels withheld."
        )


def refuse_leaks(item: Item, talk: Talk, protocol: Protocol) -> None:
    """Whether an item shows more of its dialogue than it may."""
    seen, whole = item.dialogue.turns, talk.dialogue.turns
    start = item.place + 1 - len(seen)
    if start < 0 or tuple((t.speaker, t.text) for t in seen) != tuple(
        (t.speaker, t.text) for t in whole[start : item.place + 1]
    ):
        raise LeakError(f"{item.id} shows turns after the one asked about, or others than the dialogue's. Cut it at that turn.")
    labelled = [place for place, turn in enumerate(seen, start) if turn.emotion]
    if item.place in labelled:
        raise LeakError(f"{item.id} shows the emotion of the turn asked about. Strip Turn.emotion.")
    if labelled and protocol.previous_labels != "given":
        raise LeakError(f"{item.id} shows gold emotions of earlier turns, and its protocol withholds them. Strip Turn.emotion.")
    if item.situation and protocol.situation != "given":
        raise LeakError(
            f"{item.id} gives the written situation, which no live user does. Ask for it by name: situation='given'."
        )
    if not item.dialogue.id or item.dialogue.split != protocol.scored:
        raise LeakError(
            f"{item.id} does not say that it is of {protocol.scored}, so memory could not refuse exemplars of it. "
            "Keep the dialogue's id and split."
        )


def refuse_exemplars(item: Item, found: Iterable[Exemplar]) -> None:
    """Exemplars of the scored split, of the dialogue itself, or with the very answer."""
    guard = Guard.of(item.dialogue)
    reference = normalised(item.gold.reference)
    for each in found:
        if not guard.allows(each):
            raise LeakError(
                f"{item.id} was answered with an exemplar of {each.split or 'no split'} ({each.dialogue or 'no id'}), which is "
                "its own dialogue or of the split being scored. Build the memory from another split."
            )
        if _is_telling(reference) and normalised(each.reply) == reference:
            raise LeakError(
                f"{item.id} was answered with an exemplar that is the reference itself ({each.dialogue}). Remove it."
            )


def refuse_prompt(prompt: str, item: Item, *, predicted: Iterable[str] = ()) -> None:
    """A prompt that holds the gold label as a field, the reference, or the withheld situation.

    `predicted` are labels that the system itself has named in this turn: its own words may stand in its later prompts.
    """
    own = {label.casefold() for label in predicted}
    bare = prompt
    for turn in item.dialogue.turns:  # what was said may be said
        bare = bare.replace(turn.text, " ")
    gold = item.gold
    for label in {gold.emotion, gold.original, gold.strategy} - {None, ""}:
        if label and label.casefold() not in own and _is_field(label, bare):
            raise LeakError(
                f"A prompt of {item.id} holds the gold label '{label}' as a field. Take it out of what is rendered."
            )
    heard = normalised(" ".join(turn.text for turn in item.dialogue.turns))
    secret = {"reference": gold.reference, "written situation": "" if item.situation else gold.situation}
    rendered = normalised(prompt)
    for what, text in secret.items():
        words = normalised(text)
        if _is_telling(words) and f" {words} " in f" {rendered} " and f" {words} " not in f" {heard} ":
            raise LeakError(
                f"A prompt of {item.id} holds the {what}, which nobody has said yet. Take it out of what is rendered."
            )


def _is_field(label: str, text: str) -> bool:
    """`emotion: sad`, `"emotion": "sad"`, `label=sad`, `Ana (sad): …`; not a list of the labels to choose from."""
    quoted = re.escape(label)
    field = rf"\b(?:{_FIELDS})\b[\"'”]?\s*(?:[:=]|\bis\b)\s*[\"'“«]?{quoted}\b(?!\s*[|,/])"
    after_a_name = rf"^[^:\n]{{1,60}}[(\[<]{quoted}[)\]>]\s*:"
    return bool(re.search(field, text, re.I) or re.search(after_a_name, text, re.I | re.M))


def _is_telling(words: str) -> bool:
    return words.count(" ") + 1 >= TELLING_WORDS
