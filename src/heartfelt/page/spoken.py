"""What was heard, with its times: word by word where there are few, sentence by sentence where there are many."""

from dataclasses import dataclass

from heartfelt.page.axis import Axis, AxisPlace, clock
from heartfelt.records import Span, Word

MOST_WORDS = 60
"""Words that are shown one by one."""
MOST_TICKS = 400
UNSURE = 0.5
"""Below this confidence a word may be misheard."""
_ENDS = (".", "?", "!", "…")
LONGEST = 30
"""Words in a sentence, for speech that comes without full stops."""


@dataclass(frozen=True)
class PageSpoken:
    text: str
    when: str
    unsure: bool


def spoken(words: tuple[Word, ...]) -> list[PageSpoken]:
    groups = [[word] for word in words] if len(words) <= MOST_WORDS else sentences(words)
    return [PageSpoken(" ".join(word.text for word in group), clock(group[0].start), _unsure(group)) for group in groups]


def sentences(words: tuple[Word, ...]) -> list[list[Word]]:
    groups: list[list[Word]] = [[]]
    for word in words:
        groups[-1].append(word)
        if word.text.endswith(_ENDS) or len(groups[-1]) >= LONGEST:
            groups.append([])
    return [group for group in groups if group]


def ticks(words: tuple[Word, ...], axis: Axis) -> list[AxisPlace]:
    """Where on the line of time somebody speaks."""
    step = -(-len(words) // MOST_TICKS) or 1
    groups = [words[at : at + step] for at in range(0, len(words), step)]
    return [axis.place(Span(start=group[0].start, end=max(group[-1].end, group[0].start))) for group in groups]


def _unsure(group: list[Word]) -> bool:
    return len(group) == 1 and group[0].confidence is not None and group[0].confidence < UNSURE
