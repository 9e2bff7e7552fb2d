"""The folder that words are tuned on, as lessons: to learn from, and of the writers left out."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from random import Random
from statistics import fmean

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
APART, WORTH, WRITTEN, MOST = 1.0, 3.0, 4.4, 4
"""Of two answers in a few words to the same message: how far their marks must be apart for one to be preferred, the mark that
the better one must have, what a written answer counts as (nobody marked those), and how many pairs a message gives at most."""
TWICE = 2
"""How often an answer stands in pairs of a message as the better one, and as the worse one, at most."""
READY = "short"
"""The source of ready replies that fit many people: they were marked, and nothing is to be written like them."""
BRIEFLY = 2
"""How often an answer in a few words is learnt beside a longer one: it is what the runtime asks for."""


@dataclass(frozen=True)
class Preference:
    """Two answers to the same message, and how much better the first was marked."""

    turns: tuple[str, ...]
    better: str
    worse: str
    by: float


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

    def preferences(
        self, random: Random, left_out: Collection[str] = LEFT_OUT, *, of_them: bool = False
    ) -> Iterator[Preference]:
        """Of short answers to the same message, the better before the worse, the widest apart first: of all writers but those
        left out, or `of_them` alone."""
        marks: dict[tuple[str, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for row in self.ratings:
            if row.brief and row.source != READY and (row.writer in left_out) == of_them:
                marks[row.turns][row.reply].append(row.mark)
        written = {short.turns: short.brief for short in self.briefs}
        for turns, given in marks.items():
            answers = {reply: fmean(each) for reply, each in given.items()}
            if turns in written:
                answers.setdefault(written[turns], WRITTEN)
            yield from _pairs(turns, answers, random)

    def unanswered(self, left_out: Collection[str] = LEFT_OUT) -> Iterator[Dialogue]:
        """What persons say in exchanges, up to each of their turns, to which no short answer was written or rated."""
        known = {short.turns for short in self.briefs} | {opening.turns for opening in self.openings}
        known |= {row.turns for row in self.ratings if row.brief}
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


def _pairs(turns: tuple[str, ...], answers: Mapping[str, float], random: Random) -> Iterator[Preference]:
    found = [
        Preference(turns, better, worse, answers[better] - answers[worse])
        for better, worse in permutations(answers, 2)
        if answers[better] >= WORTH and answers[better] - answers[worse] >= APART
    ]
    random.shuffle(found)
    used, kept = Counter[tuple[bool, str]](), 0
    for pair in sorted(found, key=lambda pair: -min(2.0, pair.by)):
        places = (True, pair.better), (False, pair.worse)
        if kept < MOST and all(used[place] < TWICE for place in places):
            used.update(places)
            kept += 1
            yield pair
