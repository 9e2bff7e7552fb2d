"""Words of others as parts of a line: whatever is in them, they neither end the line nor the quotation that holds them."""

import re

_BREAK = re.compile(r"\s*[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]\s*")
_CLOSING = re.compile(r'"(?=\s*(?:[(→]|,\s*"|was answered))')
"""A quotation mark with what stands behind one in the notes and examples of a prompt."""


def one_line(text: str) -> str:
    return _BREAK.sub(" ", text).strip() if _BREAK.search(text) else text


def quotable(text: str) -> str:
    """For between double quotation marks. Marks that end nothing stay as they were said."""
    return _CLOSING.sub("'", one_line(text))
