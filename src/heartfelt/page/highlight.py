"""Finding quotes in what was said, and cutting the text so that each piece knows which quotes it belongs to."""

import re
from dataclasses import dataclass
from itertools import pairwise

from heartfelt.records import Cause, Evidence, Output

_EDGES = " .,;:!?…\"'“”‘’"
_ALIKE = {"'": "['’‘]", "’": "['’‘]", "‘": "['’‘]", '"': '["“”]', "“": '["“”]', "”": '["“”]'}


@dataclass(frozen=True)
class Quote:
    text: str
    origin: str
    """`cue` or `cause`: what the highlight looks like."""
    meaning: str


@dataclass(frozen=True)
class TextPiece:
    """A stretch of text and the quotes that cover it. The pieces of a text, put together, are the text."""

    text: str
    quotes: tuple[Quote, ...] = ()

    @property
    def origins(self) -> list[str]:
        return list(dict.fromkeys(quote.origin for quote in self.quotes))

    @property
    def meaning(self) -> str:
        return "\n".join(dict.fromkeys(quote.meaning for quote in self.quotes if quote.meaning))


def quotes_of(outputs: list[Output]) -> list[Quote]:
    """What the records quote from the dialogue, in their order."""
    quotes: list[Quote] = []
    for output in outputs:
        if isinstance(output, Evidence):
            quotes += [Quote(cue.quote, "cue", cue.meaning) for cue in output.cues if cue.source == "words"]
        if isinstance(output, Cause):
            quotes += [Quote(span, "cause", f"What set it off: {output.summary or output.category}") for span in output.spans]
    return quotes


def highlighted(texts: list[str], quotes: list[Quote]) -> list[list[TextPiece]]:
    """Each text in pieces. A quote is marked once: in the latest text that has it."""
    spans: list[list[tuple[int, int, Quote]]] = [[] for _ in texts]
    for quote in quotes:
        for index in reversed(range(len(texts))):
            if place := find(quote.text, texts[index]):
                spans[index].append((*place, quote))
                break
    return [cut(text, marks) for text, marks in zip(texts, spans, strict=True)]


def find(quote: str, text: str) -> tuple[int, int] | None:
    """Where the quote stands, but for case, spaces and the shape of quotation marks; whole words before parts of words."""
    words = quote.strip(_EDGES).split()
    if not words:
        return None
    wanted = r"\s+".join("".join(_ALIKE.get(letter, re.escape(letter)) for letter in word) for word in words)
    found = re.search(rf"(?<!\w){wanted}(?!\w)", text, re.I) or re.search(wanted, text, re.I)
    return found.span() if found else None


def cut(text: str, marks: list[tuple[int, int, Quote]]) -> list[TextPiece]:
    """The text cut wherever a mark begins or ends, so that marks may overlap."""
    edges = sorted({0, len(text), *(edge for start, end, _ in marks for edge in (start, end))})
    return [
        TextPiece(text[left:right], tuple(quote for start, end, quote in marks if start <= left and right <= end))
        for left, right in pairwise(edges)
    ]
