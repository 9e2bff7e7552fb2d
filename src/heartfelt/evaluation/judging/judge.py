"""Put every pair to the judge, in both orders, and write each answer down before the next question."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from heartfelt.errors import HeartfeltError
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.experiments.results import Results
from heartfelt.evaluation.judging.answer import Question, answer
from heartfelt.evaluation.judging.asking import JudgeManner, prompts_digest
from heartfelt.evaluation.judging.criteria import wanted
from heartfelt.evaluation.judging.families import family_of, kinship
from heartfelt.evaluation.judging.pairs import Pairs, pairs_of
from heartfelt.evaluation.judging.rulings import Key, Ruling, RulingsHeader, asked, file_of, lines_of, read, refuse_another
from heartfelt.evaluation.lines import Pen
from heartfelt.models.seam import Model
from heartfelt.version import VERSION


class JudgeRequest(JudgeManner):
    """What is to be judged, and how."""

    a: str
    b: str
    judge: str
    """The address of the model that judges."""
    tasks: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    """Empty: all that these replies can be judged on."""
    limit: int | None = Field(default=None, ge=1)
    repeats: int = Field(default=1, ge=1, le=50)
    at_once: int = Field(default=1, ge=1, le=64)
    """Questions under way at the same time, for servers that can."""
    again: bool = False
    """Ask again what failed before."""
    name: str = ""
    """Of the file, where it is not `A-vs-B`."""


class Bench(NamedTuple):
    """A comparison that is ready to be made."""

    path: Path
    head: RulingsHeader
    pairs: Pairs
    questions: list[Question]
    waiting: list[Question]
    """Those of the questions that have no answer yet."""


Told = Callable[[Ruling], None]


def prepare(folder: RunFolder, wish: JudgeRequest) -> Bench:
    """Read the run and what was judged before. Nothing is asked or written yet."""
    results = Results(folder)
    pairs = pairs_of(results, wish.a, wish.b, tasks=wish.tasks, limit=wish.limit, seed=wish.seed)
    path, head = file_of(folder, wish.a, wish.b, wish.name), _head(results, wish)
    done = _done(path, head, again=wish.again)
    questions = [*_questions(pairs, wish)]
    return Bench(path, head, pairs, questions, [each for each in questions if each.key not in done])


async def judge(bench: Bench, wish: JudgeRequest, model: Model, told: Told = lambda _: None) -> None:
    """Ask what is waiting. Stopped at any moment, it is gone on with by preparing and judging again."""
    lines = lines_of(bench.path)
    with lines.writing() as pen:
        if not any(lines):
            pen.add(bench.head)
        waiting = iter(bench.waiting)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(wish.at_once):
                    group.create_task(_work(waiting, model, wish, pen, told))
        except* HeartfeltError as errors:
            raise _first(errors) from None


async def _work(
    waiting: Iterator[Question], model: Model, wish: JudgeRequest, pen: Pen[RulingsHeader | Ruling], told: Told
) -> None:
    for question in waiting:
        ruling = await answer(question, model, wish)
        pen.add(ruling)
        told(ruling)


def _questions(pairs: Pairs, wish: JudgeRequest) -> Iterator[Question]:
    """Pair after pair, so that a judgement that is broken off is whole for the pairs that it reached."""
    criteria = wanted(wish.criteria, performed=any(pair.performed for pair in pairs.pairs))
    for pair in pairs.pairs:
        for criterion in criteria:
            if pair.performed or not criterion.needs:
                for repeat in range(wish.repeats):
                    yield Question(pair, criterion, "a", repeat)
                    yield Question(pair, criterion, "b", repeat)


def _head(results: Results, wish: JudgeRequest) -> RulingsHeader:
    generators = _generators(results, (wish.a, wish.b))
    return RulingsHeader(
        kind="head",
        a=wish.a,
        b=wish.b,
        judge=wish.judge,
        judge_family=family_of(wish.judge),
        generators={each: family_of(each) for each in generators},
        warning=kinship(wish.judge, generators),
        prompts=prompts_digest(),
        seed=wish.seed,
        version=VERSION,
    )


def _generators(results: Results, conditions: tuple[str, str]) -> list[str]:
    """All models that had a hand in the replies: the grid's, those of single steps, and the voters."""
    found = [place.model for place in results.places if place.condition in conditions]
    for name in conditions:
        condition = results.experiment.conditions.get(name)
        found += [*condition.models.values(), *condition.voters] if condition else []
    return list(dict.fromkeys(found))


def _done(path: Path, head: RulingsHeader, *, again: bool) -> set[Key]:
    if not any(lines_of(path)):
        return set()
    before = read(path)
    refuse_another(before.head, head, path)
    return asked(before.rulings, again=again)


def _first(errors: BaseExceptionGroup[HeartfeltError]) -> HeartfeltError:
    first = errors.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
