"""Texts of a corpus as intake would take them from a live user."""

from heartfelt.errors import InputError
from heartfelt.intake import PERSON, cleaned
from heartfelt.records import Dialogue

LISTENER: str = Dialogue.model_fields["listener"].default


def said(text: str) -> str:
    """A text as intake would take it; empty where there is nothing in it."""
    text = text.replace("_comma_", ",")
    text = "".join(_windows(character) for character in text) if _is_odd(text) else text
    return cleaned(text, "A text") if text.strip() else ""


def name_of(name: str) -> str:
    return spoken(name.replace(":", " ")) or PERSON


def spoken(text: str) -> str:
    """The same for a cell of a table. What intake refuses is a fault of the row."""
    try:
        return said(text)
    except InputError as error:
        raise ValueError(str(error)) from None


def _is_odd(text: str) -> bool:
    return not text.isprintable()


def _windows(character: str) -> str:
    """MELD holds a few bytes of Windows' encoding that were read as control characters; other ones become a space."""
    if not (0x7F <= ord(character) < 0xA0 or (ord(character) < 0x20 and character not in "\n\r\t")):
        return character
    return bytes([ord(character)]).decode("cp1252", errors="replace") if ord(character) >= 0x80 else " "
