"""Reading what is to be answered: a text, or a dialogue file. Whatever cannot be answered is refused here, with the way out."""

import base64
import binascii
import json
import re
import unicodedata
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from heartfelt.errors import InputError
from heartfelt.models.markers import has_marker
from heartfelt.records import Dialogue, Keyframe, Lesson, Readings, Turn

LONGEST_TEXT = 20_000
"""Characters in one turn. A long letter has five thousand."""
MOST_TURNS = 2_000
LONGEST_NAME = 60
PERSON = "User"
_JSON = re.compile(r"\s*[\{\[]")
_TURNS = re.compile(r"\s*(\{|\[\s*\{)")
"""How a dialogue begins. Any other text in square brackets, such as "[sobs] I failed.", may also be just a text."""
LONGEST_CUE = 300
MOST_STILLS = 64
LARGEST_STILL = 10_000_000
_NOTES = {
    "seen",
    "event",
    "meaning",
    "feeling",
    "cause",
    "plan",
    "strategy",
    "goal",
    "reply",
}
"""The word before the colon in `[notes]` of every step's `wording.toml`; a test holds them together."""
_HEADS = _NOTES | {"example", "contradiction", "it was", "that was wrong"}
"""How the notes of the steps and other lines of a prompt begin: nobody is called that."""
_BUILT = re.compile(r"[:：﹕︓꞉∶˸ː։\"“”„«»{}\[\]`*=~^\\?!;→]")
"""What prompts are built with, and what looks like it: no part of a name."""
_UNSEEN = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
"""Nor what nobody can see. Joiners stay: some scripts are written with them."""
_SMUGGLED = re.compile(r"(\U0001f3f4[\U000e0030-\U000e007a]{2,6}\U000e007f)|[\U000e0000-\U000e007f]")
"""Letters that no screen shows and a model reads all the same. Only in the flags of regions do they mean something."""
_MARKERS = re.compile(
    r"(?:^\s*#+\s*|\s#+\s+)(?:task|system|instructions?|response|human|assistant|user)\b|</?(?:system|assistant|user)>", re.I
)
_PICTURES = {
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/webp": (b"RIFF",),
    "image/gif": (b"GIF87a", b"GIF89a"),
}
"""How the files of each kind begin: a picture comes inside the dialogue, and a path or an address is none."""


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
        dialogue = _with_one_listener(dialogue)
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
    plain = " ".join(_SMUGGLED.sub(r"\1", unicodedata.normalize("NFC", text)).split())
    if not plain:
        raise InputError(f"{what} holds nothing that can be seen. Say it in plain characters.")
    return plain


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
    plain = unicodedata.normalize("NFKC", text)
    return bool(_MARKERS.search(plain)) or has_marker(plain) or has_marker(text)


def _turn(turn: Any, index: int, name: str) -> Turn:
    what = f"Turn {index + 1} of {name}"
    if not isinstance(turn, dict):
        raise InputError(f'{what} must be an object: {{"speaker": "Ana", "text": "…"}}.')
    for key in ("speaker", "text"):
        if not isinstance(turn.get(key), str):
            raise InputError(f"{what} lacks '{key}'. Every turn needs a speaker and a text.")
    speaker = _name(turn["speaker"], f"The speaker of {what.lower()}")
    text = cleaned(turn["text"], f"The text of {what.lower()}")
    made = Turn.model_validate({**turn, "speaker": speaker, "text": text})
    _check_pictures(made.keyframes, what)
    return made.model_copy(update={"readings": _clean_readings(made.readings, what)}) if made.readings else made


def _check_pictures(frames: tuple[Keyframe, ...], what: str) -> None:
    if len(frames) > MOST_STILLS:
        raise InputError(f"{what} has {len(frames)} keyframes; at most {MOST_STILLS} can be read. Keep the most telling ones.")
    for number, frame in enumerate(frames):
        place = f"keyframes.{number} of {what[0].lower()}{what[1:]}"
        if frame.mime not in _PICTURES:
            raise InputError(f"{place} is of the kind '{frame.mime[:40]}'. Give one of: {', '.join(_PICTURES)}.")
        if len(frame.data) > LARGEST_STILL * 4 // 3 + 4:
            raise InputError(f"{place} is larger than {LARGEST_STILL // 1_000_000} MB. Scale it down first.")
        try:
            head = base64.b64decode(frame.data, validate=True)
        except (binascii.Error, ValueError):
            head = b""
        if not head.startswith(_PICTURES[frame.mime]):
            raise InputError(
                f"{place} is no {frame.mime} in base64. Paths and addresses are not followed: give the file's own bytes."
            )


def _clean_readings(readings: Readings, what: str) -> Readings:
    """What was measured comes from our own senses, unless somebody wrote it into the file: then it is a stranger's words."""
    if len({each.source for each in readings.sensed}) < len(readings.sensed):
        raise InputError(f"{what} has several readings of one sense. Each sense has one.")
    sensed = tuple(
        each.model_copy(
            update={
                "cues": tuple(cue.model_copy(update={"text": _measured(cue.text, what)}) for cue in each.cues),
                "moments": tuple(
                    moment.model_copy(
                        update={"shares": {_measured(name, what): share for name, share in moment.shares.items()}}
                    )
                    for moment in each.moments
                ),
            }
        )
        for each in readings.sensed
    )
    conflict = readings.conflict
    told = conflict.model_copy(update={"text": _measured(conflict.text, what)}) if conflict else None
    return readings.model_copy(update={"sensed": sensed, "conflict": told})


def _measured(text: str, what: str) -> str:
    plain = _plain_words(cleaned(text, f"A reading of {what[0].lower()}{what[1:]}"))
    if len(plain) > LONGEST_CUE:
        raise InputError(
            f"A reading of {what[0].lower()}{what[1:]} has {len(plain)} characters; at most {LONGEST_CUE} are read."
        )
    return plain


def _name(name: Any, what: str) -> str:
    """A name stands at the head of a line of the prompt, so it may look like nothing else that does."""
    if not isinstance(name, str):
        raise InputError(f"{what} must be a name, not {json.dumps(name)[:40]}.")
    plain = _plain_words(cleaned(name, what))[:LONGEST_NAME].lstrip("# ").rstrip() or PERSON
    return f"{PERSON} {plain}" if _seen(plain).lower() in _HEADS else plain


def _plain_words(text: str) -> str:
    return " ".join(_BUILT.sub(" ", _UNSEEN.sub("", text)).split())


def _seen(name: str) -> str:
    """A name as it looks: without what is invisible, and in plain letters."""
    return "".join(c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) != "Cf").strip()


def _with_one_listener(dialogue: Dialogue) -> Dialogue:
    """Whoever looks like the listener is the listener: nobody else speaks under that name."""
    own = _seen(dialogue.listener)
    turns = tuple(
        turn.model_copy(update={"speaker": dialogue.listener}) if _seen(turn.speaker) == own else turn
        for turn in dialogue.turns
    )
    return dialogue.model_copy(update={"turns": turns})


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
