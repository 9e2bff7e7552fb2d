"""Reading what is to be answered: a text, or a dialogue file. Whatever cannot be answered is refused here, with the way out."""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from heartfelt.errors import InputError
from heartfelt.records import Dialogue, Keyframe, Lesson, Turn

LONGEST_TEXT = 20_000
"""Characters in one turn. A long letter has five thousand."""
MOST_TURNS = 2_000
LONGEST_NAME = 60
PERSON = "User"
_JSON = re.compile(r"\s*[\{\[]")
_TURNS = re.compile(r"\s*(\{|\[\s*\{)")
"""How a dialogue begins. Any other text in square brackets, such as "[sobs] I failed.", may also be just a text."""
_HEADS = {"seen", "event", "feeling", "cause", "plan", "strategy", "goal", "reply"}
"""How the notes of the steps begin: nobody is called that in a prompt."""
_MARKERS = re.compile(
    r"<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|(?:^\s*#+\s*|\s#+\s+)(?:task|system|instructions?)\b|</?(?:system|assistant)>", re.I
)


def of_text(text: str, *, keyframes: tuple[Keyframe, ...] = ()) -> Dialogue:
    """A dialogue of one turn."""
    return Dialogue(turns=(Turn(speaker=PERSON, text=cleaned(text, "The text"), keyframes=keyframes),))


def of_bytes(data: bytes, name: str) -> Dialogue:
    """A dialogue from a file's content: JSON as documented, or plain text as one turn."""
    text = decoded(data, name)
    if not _JSON.match(text):
        return of_text(text)
    try:
        return of_json(json.loads(text), name)
    except json.JSONDecodeError as error:
        if not _TURNS.match(text):
            return of_text(text)
        raise InputError(f"{name} is no valid JSON: {error.msg} in line {error.lineno}. Mend it, or give plain text.") from None
    except ValueError as error:  # a number of thousands of digits
        raise InputError(f"{name} cannot be read as JSON: {error}.") from None
    except RecursionError:
        raise InputError(f"{name} is nested too deeply to be a dialogue.") from None


def of_file(path: Path) -> Dialogue:
    try:
        return of_bytes(path.read_bytes(), str(path))
    except IsADirectoryError:
        raise InputError(f"{path} is a folder. Give one dialogue file.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None


def of_json(data: Any, name: str) -> Dialogue:
    """{"turns": [{"speaker": …, "text": …}, …], "listener"?, "speaker"?, "id"?, "split"?}, or the list of turns alone."""
    data = {"turns": data} if isinstance(data, list) else data
    turns = data.get("turns") if isinstance(data, dict) else None
    if not isinstance(turns, list) or not turns:
        raise InputError(f'{name} holds no turns. A dialogue is {{"turns": [{{"speaker": "Ana", "text": "…"}}]}}.')
    if len(turns) > MOST_TURNS:
        raise InputError(f"{name} has {len(turns)} turns; at most {MOST_TURNS} can be read. Keep the latest ones.")
    names = {key: _name(data[key], f"The {key} of {name}") for key in ("speaker", "listener") if data.get(key)}
    wanted = names.pop("speaker", None)
    others: dict[str, Any] = {key: value for key, value in data.items() if key not in ("turns", "speaker")} | names
    try:
        dialogue = Dialogue(**others, turns=tuple(_turn(turn, i, name) for i, turn in enumerate(turns)))
        dialogue = _with_clean_lesson(dialogue, name)
        dialogue.model_dump_json()
    except ValidationError as error:
        raise InputError(f"{name}: {_first_problem(error)} See docs/reference/dialogue.md for the fields.") from None
    except PydanticSerializationError:
        raise InputError(f"{name} holds half a character (a lone surrogate such as \\ud800). Remove it.") from None
    return _answerable(dialogue, wanted, name)


def cleaned(text: str, what: str) -> str:
    """One line of plain characters, so that nothing in it can pass for a part of the prompt."""
    if not text.strip():
        raise InputError(f'{what} is empty. Say something, for example: heartfelt respond "I failed my exam."')
    if len(text) > LONGEST_TEXT:
        raise InputError(f"{what} has {len(text):,} characters; at most {LONGEST_TEXT:,} can be read. Shorten it.")
    bad = next((i for i, character in enumerate(text) if _is_control(character)), None)
    if bad is not None and unicodedata.category(text[bad]) == "Cs":
        raise InputError(
            f"{what} holds half a character (U+{ord(text[bad]):04X} at position {bad}), as text of another encoding does. "
            "Convert it to UTF-8, or remove it."
        )
    if bad is not None:
        raise InputError(f"{what} holds a control character (U+{ord(text[bad]):04X} at position {bad}). Remove it.")
    return " ".join(unicodedata.normalize("NFC", text).split())


def decoded(data: bytes, name: str) -> str:
    """UTF-8 (with or without a mark) or UTF-16 with a mark. Anything else is refused, not guessed at."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is not UTF-8 text (byte {error.start}). Convert it, for example: iconv -f WINDOWS-1252 -t UTF-8"
        ) from None


def imitates_markers(text: str) -> bool:
    """Whether a text looks as if it wanted to be read as a part of the prompt. It never is; the user is told."""
    return bool(_MARKERS.search(text))


def _turn(turn: Any, index: int, name: str) -> Turn:
    what = f"Turn {index + 1} of {name}"
    if not isinstance(turn, dict):
        raise InputError(f'{what} must be an object: {{"speaker": "Ana", "text": "…"}}.')
    for key in ("speaker", "text"):
        if not isinstance(turn.get(key), str):
            raise InputError(f"{what} lacks '{key}'. Every turn needs a speaker and a text.")
    speaker = _name(turn["speaker"], f"The speaker of {what.lower()}")
    text = cleaned(turn["text"], f"The text of {what.lower()}")
    return Turn.model_validate({**turn, "speaker": speaker, "text": text})


def _name(name: Any, what: str) -> str:
    """A name stands at the head of a line of the prompt, so it may look like nothing else that does."""
    if not isinstance(name, str):
        raise InputError(f"{what} must be a name, not {json.dumps(name)[:40]}.")
    words = cleaned(name, what).replace(":", " ").split()
    plain = " ".join(words)[:LONGEST_NAME].lstrip("# ").rstrip() or PERSON
    return f"{PERSON} {plain}" if plain.lower() in _HEADS else plain


def _with_clean_lesson(dialogue: Dialogue, name: str) -> Dialogue:
    if dialogue.lesson is None:
        return dialogue
    said, told = (cleaned(text, f"The lesson of {name}") for text in (dialogue.lesson.said, dialogue.lesson.instruction))
    return dialogue.model_copy(update={"lesson": Lesson(said=said, instruction=told)})


def _answerable(dialogue: Dialogue, wanted: Any, name: str) -> Dialogue:
    """Cut after the last turn of the one who is to be answered."""
    spoken = [i for i, turn in enumerate(dialogue.turns) if _is_addressed(turn, dialogue, wanted)]
    if not spoken:
        who = f"'{wanted}'" if wanted else f"anyone but the listener '{dialogue.listener}'"
        speakers = ", ".join(sorted({turn.speaker for turn in dialogue.turns}))
        raise InputError(f"{name} has no turn by {who}, so there is nothing to answer. Its speakers: {speakers}.")
    return dialogue.model_copy(update={"turns": dialogue.turns[: spoken[-1] + 1]})


def _is_addressed(turn: Turn, dialogue: Dialogue, wanted: Any) -> bool:
    return turn.speaker == wanted if wanted else turn.speaker != dialogue.listener


def _is_control(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cs") and character not in "\n\r\t"


def _first_problem(error: ValidationError) -> str:
    first = error.errors()[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}."
