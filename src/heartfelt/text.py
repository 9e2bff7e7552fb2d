"""Texts cut into sentences, and brought into a form in which they can be compared."""

import re
import unicodedata
from functools import lru_cache

END = ".!?…\"'”’)"
_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+[\"'”’)]*(?=\s|$)|$)", re.S)
_ENDING = 2
"""Sentences at the end of a message one of which must be a question for the message to ask."""
_VERB = r"(?:do|does|did|is|are|am|was|were|has|have|can|could|should|shall|will|would)(?:n['’]?t)?"
_WHO = r"(?:i|you|u|we|it|he|she|they|the|my|a|an|this|that|these|those|your|there|people|somebody|someone)"
_INVERTED = re.compile(
    rf"\b(?:how|what|where|when|why|who|which)(?: \w+)? {_VERB} {_WHO}\b|\bwhat['’]?s (?:a|an|the|your|my)\b"
    rf"|^(?:(?:so|and|but|ok|okay|hey|um|also|btw|wait)[, ]+)?{_VERB} {_WHO}\b",
    re.IGNORECASE,
)
"""The order of words in which questions are asked, and some that are told («the day when it was my turn»)."""


def sentences_of(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE.findall(text) if part.strip(f" {END}")]


def asks(said: str) -> bool:
    """Whether a message ends in a question, or nearly."""
    return any(sentence.rstrip().endswith("?") for sentence in sentences_of(said)[-_ENDING:])


def seems_to_ask(said: str) -> bool:
    """The same, also of «how long does it keep», typed without a question mark. For what is likely a question: a sentence that
    tells may have the same order of words."""
    last = (sentences_of(said) or [""])[-1]
    return asks(said) or (not last.endswith("!") and bool(_INVERTED.search(last)))


def within(text: str, *, sentences: int) -> str:
    """A trailing sentence that was cut off is dropped where whole ones stand before it, and so is what is over the limit."""
    parts = sentences_of(text)
    whole = parts if not parts or parts[-1][-1] in END else parts[:-1] or parts
    return " ".join(whole[:sentences])


@lru_cache(maxsize=4096)
def normalised(text: str) -> str:
    """Words only, in lower case: neither punctuation, nor quotes, nor spacing hides a copy."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+", re.sub(r"['’`´]", "", folded)))
