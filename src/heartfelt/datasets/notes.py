"""What a loader noticed on its way: rows that it left out, gaps, odd bytes. It says so and goes on."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

Grade: TypeAlias = Literal["odd", "broken"]
"""Odd: known of this corpus, or harmless. Broken: something is lost, so that figures would not be comparable."""


class Kind(NamedTuple):
    grade: Grade
    told: str
    """What was found, after its count."""
    done: str
    """What is done about it."""


KINDS = {
    "row": Kind("broken", "rows that cannot be read", "they are left out"),
    "empty": Kind("odd", "turns without a word", "they are left out"),
    "duplicate": Kind("broken", "turns or dialogues that come twice", "the first is kept"),
    "scattered": Kind("odd", "dialogues whose rows do not stand together", "they are gathered, which needs more memory"),
    "encoding": Kind("odd", "lines that are not UTF-8", "they are read as Windows-1252"),
    "gap": Kind("odd", "dialogues that lack turns", "what stands after a gap is not taken as an answer"),
    "label": Kind("broken", "labels that are not in the label set", "such turns stay without a label"),
    "unlabelled": Kind("odd", "turns whose label is none of the classes that are scored", "they are heard, never scored"),
    "merged": Kind("odd", "dialogues with a label that stands for two of the published ones", "either counts as right"),
    "time": Kind("odd", "times that cannot be read", "such a turn has no length"),
    "unaddressed": Kind("odd", "lines without a time or without a known speaker", "they are left out"),
    "clip": Kind("odd", "turns whose recording is missing", "they are read from the text alone"),
    "damaged clip": Kind("odd", "recordings that cannot be played", "such turns are read from the text alone"),
    "corrected clip": Kind("odd", "recordings that were published again, corrected", "the corrected ones are taken"),
    "profile": Kind("broken", "profiles that contradict themselves", "such a dialogue has no profile"),
    "history": Kind("broken", "utterances that are told in two ways", "the first is kept"),
}


@dataclass
class DatasetNotes:
    """Counts of each kind, and the first few of it."""

    keep: int = 5
    tell: Callable[[str, str], None] | None = None
    """Told the kind and the words of every note, for those who want them all."""
    counts: Counter[str] = field(default_factory=Counter[str])
    first: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def add(self, kind: str, where: str, what: str = "") -> None:
        assert kind in KINDS, kind
        words = f"{where}: {what}" if what else where
        self.counts[kind] += 1
        kept = self.first.setdefault(kind, [])
        if len(kept) < self.keep:
            kept.append(words)
        if self.tell is not None:
            self.tell(kind, words)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is lost."""
        return not any(KINDS[kind].grade == "broken" for kind in self.counts)
