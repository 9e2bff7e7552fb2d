"""The folder that words are tuned on, as lessons: to learn from, and of the writers left out."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from heartfelt.errors import InputError
from heartfelt.tuning.words.exchanges import (
    Exchange,
    Opening,
    RatedReply,
    dialogue_of,
    read_exchanges,
    read_openings,
    read_ratings,
    read_talks,
)
from heartfelt.tuning.words.lessons import WordsLesson, WordsLessons

LEFT_OUT = ("w05", "v8", "h4")
"""Writers of whom nothing is learnt: two with one brief, one with another."""
FILES = ("exchanges", "openings", "ratings")


@dataclass(frozen=True)
class WordsCorpus:
    exchanges: tuple[Exchange, ...]
    openings: tuple[Opening, ...]
    """With the messages of talks; without those to choose by and for the last look."""
    ratings: tuple[RatedReply, ...]

    @classmethod
    def read(cls, folder: Path, talks: Iterable[Path] = ()) -> "WordsCorpus":
        paths = [folder / f"{name}.jsonl.gz" for name in FILES]
        if missing := [path.name for path in paths if not path.is_file()]:
            raise InputError(f"There is no {missing[0]} in {folder}. Give a folder like samples/exchanges.")
        exchanges, openings, ratings = paths
        kept = [opening for opening in read_openings(openings) if opening.set == "rate"]
        kept += [opening for path in talks for talk in read_talks(path) for opening in talk.openings()]
        return cls(tuple(read_exchanges(exchanges)), tuple(kept), tuple(read_ratings(ratings)))

    def lessons(
        self, lessons: WordsLessons, random: Random, left_out: Collection[str] = LEFT_OUT
    ) -> tuple[list[WordsLesson], list[WordsLesson]]:
        """To learn from, and to look at while learning."""
        learnt: list[WordsLesson] = []
        looked: list[WordsLesson] = []
        for exchange in self.exchanges:
            (looked if exchange.writer in left_out else learnt).extend(lessons.of(exchange, random))
        for opening in self.openings:
            if opening.close:
                found = lessons.reply(dialogue_of(opening.turns), opening.close)
                (looked if opening.writer in left_out else learnt).append(found)
            if opening.message:
                found = lessons.kind(dialogue_of(opening.turns), opening.message, opening.emotion)
                (looked if opening.writer in left_out else learnt).append(found)
        for row in self.ratings:
            found = lessons.rated(dialogue_of(row.turns), row.reply, row.mark)
            (looked if row.writer in left_out else learnt).append(found)
        return learnt, looked
