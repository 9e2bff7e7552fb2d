"""Captions of the film, for those who do not hear it: the reply in short pieces, each at the time when it is said."""

import base64
from collections.abc import Sequence

from heartfelt.page.score import ScoreSaid

MOST_WORDS = 8
"""Words of one caption, so that it fits on a line or two."""
_PAUSES = tuple(",;:.?!…")
_ENDS = tuple(".?!…")
_FEWEST = 4
"""Words before a mere comma ends a caption."""


def captions(words: Sequence[ScoreSaid], text: str) -> str:
    """WebVTT as a data: URL; empty where nobody knows when the words are said."""
    if not words:
        return ""
    return "data:text/vtt;base64," + base64.b64encode(vtt(words, text).encode("utf-8", "replace")).decode("ascii")


def vtt(words: Sequence[ScoreSaid], text: str) -> str:
    ends = [*(word.at for word in words[1:]), len(text)]
    pieces: list[tuple[float, float, str]] = []
    group: list[str] = []
    start = 0.0
    for word, end in zip(words, ends, strict=True):
        start = start if group else word.start
        group.append(text[word.at : end])
        if _full(group) or end == len(text):
            pieces.append((start, max(word.end, start + 0.1), " ".join("".join(group).split())))
            group = []
    return "WEBVTT\n\n" + "\n\n".join(f"{_clock(start)} --> {_clock(end)}\n{_safe(said)}" for start, end, said in pieces) + "\n"


def _full(group: list[str]) -> bool:
    said = group[-1].strip().rstrip("\"'”’)")
    return said.endswith(_ENDS) or (said.endswith(_PAUSES) and len(group) >= _FEWEST) or len(group) >= MOST_WORDS


def _clock(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes) // 60:02}:{int(minutes) % 60:02}:{rest:06.3f}"


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
