"""The folder that words are tuned on, as lessons: to learn from, and of the writers left out."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from heartfelt.errors import InputError
from heartfelt.records import Dialogue
from heartfelt.tuning.words.exchanges import (
    BriefExchange,
    Exchange,
    Opening,
    RatedReply,
    dialogue_of,
    read_briefs,
    read_exchanges,
    read_openings,
    read_ratings,
    read_talks,
)
from heartfelt.tuning.words.lessons import WordsLesson, WordsLessons

LEFT_OUT = ("w05", "v8", "h4", "p-i")
"""Writers of whom nothing is learnt: of exchanges, of openings with two briefs, and of plain messages."""
FILES = ("exchanges", "openings", "ratings")
BRIEFS = "brief.jsonl.gz"
BRIEFLY = 2
"""How often an answer in a few words is learnt beside a longer one: it is what the runtime asks for."""


@dataclass(frozen=True)
class WordsCorpus:
    exchanges: tuple[Exchange, ...]
    openings: tuple[Opening, ...]
    """With the messages of talks; without those to choose by and for the last look."""
    ratings: tuple[RatedReply, ...]
    briefs: tuple[BriefExchange, ...] = ()
    """Answers in a few words, where the folder has any."""

    @classmethod
    def read(cls, folder: Path, talks: Iterable[Path] = ()) -> "WordsCorpus":
        paths = [folder / f"{name}.jsonl.gz" for name in FILES]
        if missing := [path.name for path in paths if not path.is_file()]:
            raise InputError(f"There is no {missing[0]} in {folder}. Give a folder like samples/exchanges.")
        exchanges, openings, ratings = paths
        kept = [opening for opening in read_openings(openings) if opening.set == "rate"]
        kept += [opening for path in talks for talk in read_talks(path) for opening in talk.openings()]
        briefs = tuple(read_briefs(folder / BRIEFS)) if (folder / BRIEFS).is_file() else ()
        return cls(tuple(read_exchanges(exchanges)), tuple(kept), tuple(read_ratings(ratings)), briefs)

    def lessons(
        self, lessons: WordsLessons, random: Random, left_out: Collection[str] = LEFT_OUT
    ) -> tuple[list[WordsLesson], list[WordsLesson]]:
        """To learn from, and to look at while learning."""
        learnt: list[WordsLesson] = []
        looked: list[WordsLesson] = []
        for writer, lesson in self._taught(lessons, random):
            (looked if writer in left_out else learnt).append(lesson)
        return learnt, looked

    def unanswered(self, left_out: Collection[str] = LEFT_OUT) -> Iterator[Dialogue]:
        """What persons say in exchanges, up to each of their turns, that nobody answered in a few words."""
        known = {short.turns for short in self.briefs} | {opening.turns for opening in self.openings}
        for exchange in self.exchanges:
            for end in range(1, len(exchange.turns) + 1, 2):
                turns = exchange.turns[:end]
                if exchange.writer not in left_out and turns not in known:
                    known.add(turns)
                    yield dialogue_of(turns)

    def _taught(self, lessons: WordsLessons, random: Random) -> Iterator[tuple[str, WordsLesson]]:
        """Every lesson, with who wrote what it is about."""
        for exchange in self.exchanges:
            for lesson in lessons.of(exchange, random):
                yield exchange.writer, lesson
        for opening in self.openings:
            dialogue = dialogue_of(opening.turns)
            if opening.close:
                yield opening.writer, lessons.reply(dialogue, opening.close)
            if opening.message:
                yield opening.writer, lessons.kind(dialogue, opening.message, opening.emotion)
        for short in self.briefs:
            dialogue = dialogue_of(short.turns)
            for _ in range(BRIEFLY):
                yield short.writer, lessons.brief(dialogue, short.brief)
            if short.reply:
                yield short.writer, lessons.reply(dialogue, short.reply)
        for row in self.ratings:
            yield row.writer, lessons.rated(dialogue_of(row.turns), row.reply, row.mark, brief=row.brief)
