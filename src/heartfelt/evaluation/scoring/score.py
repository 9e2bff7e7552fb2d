"""Scores of the replies of a run, written beside its rows: `scores.jsonl`, a line a row, to be stopped and taken up again.

The likelihoods come from the embedded base model, which wrote none of the replies: a model finds its own words likely.
Many conditions of a run give the same reply to the same words; each is scored once.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cached_property
from typing import Protocol, TypeAlias

from heartfelt.errors import InputError
from heartfelt.evaluation import weak
from heartfelt.evaluation.experiments.answered import AnsweredRow
from heartfelt.evaluation.experiments.experiment import Experiment
from heartfelt.evaluation.experiments.folder import RunFolder
from heartfelt.evaluation.experiments.results import Scored
from heartfelt.evaluation.lines import Lines
from heartfelt.evaluation.metrics.perplexity import Given, scored
from heartfelt.evaluation.metrics.presence import BRAIN, MECHANISMS, RULE, marked
from heartfelt.evaluation.metrics.rows import Likelihood, Row
from heartfelt.evaluation.scoring.brain import Brain
from heartfelt.models.embedded.engine import Engine
from heartfelt.models.embedded.model import EmbeddedModel
from heartfelt.prompts import digest
from heartfelt.records import Dialogue, Scores
from heartfelt.text import sentences_of

SCORER = "smollm2-135m"
_GIVEN: tuple[Given, ...] = ("response-only", "after-context")
Progress = Callable[[int, int], None]


class Scorer(Protocol):
    """Gives some named scores to a reply."""

    @property
    def names(self) -> tuple[str, ...]: ...

    def scores(self, dialogue: Dialogue, reply: str) -> Scored: ...

    def close(self) -> None: ...


Wanted: TypeAlias = Callable[[Scorer, AnsweredRow], bool]


def score(folder: RunFolder, *, only_tables: bool = False, progress: Progress | None = None) -> None:
    """Add what is missing in `scores.jsonl`; `only_tables` leaves out what no table of the experiment shows.

    `progress` is told how many rows are done, of how many.
    """
    scorers: list[Scorer] = [Likelihoods(), ByRule(), ByBrain()]
    with ExitStack() as stack:
        for each in scorers:
            stack.callback(each.close)
        score_with(folder, scorers, progress, wanted=_shown(folder.experiment) if only_tables else _always)


def _always(_scorer: Scorer, _row: AnsweredRow) -> bool:
    return True


def _shown(experiment: Experiment) -> Wanted:
    """Whether a table has a column for any of a scorer's scores, and the row's condition among its lines."""
    columns = {
        (column.metric.removeprefix("judged/").removeprefix("ppl_corpus/").removeprefix("ppl_response/"), task, condition)
        for table in experiment.tables
        for column in table.columns
        for task in table.tasks or experiment.tasks
        for condition in table.conditions or experiment.conditions
    }
    return lambda scorer, row: any((name, row.place.task, row.place.condition) in columns for name in scorer.names)


def score_with(folder: RunFolder, scorers: list[Scorer], progress: Progress | None = None, *, wanted: Wanted = _always) -> None:
    lines, items = Lines(folder.path / "scores.jsonl", Scored), folder.items()
    before = {each.id: each for each in lines}
    asked = (row for row in _answered(folder) if any(wanted(each, row) for each in scorers))
    rows = [(row, items[row.place.task][row.item].dialogue) for row in asked]
    known = _known(rows, before)
    with lines.writing() as pen:
        for number, (row, dialogue) in enumerate(rows, 1):
            held, key = before.get(row.id, Scored(id=row.id)), _key(dialogue, row.reply)
            known[key] = _completed(
                _joined(held, known.get(key, held)),
                dialogue,
                row.reply,
                [each for each in _fair(scorers, row) if wanted(each, row)],
            )
            made = _own(known[key], row)
            if made != held:
                pen.add(made)
            if progress:
                progress(number, len(rows))


def _answered(folder: RunFolder) -> Iterator[AnsweredRow]:
    return (row for row in folder.rows() if row.failed is None and row.reply.strip())


def _known(rows: list[tuple[AnsweredRow, Dialogue]], before: dict[str, Scored]) -> dict[str, Scored]:
    """What earlier runs have scored, by words and reply."""
    return {_key(dialogue, row.reply): before[row.id] for row, dialogue in rows if row.id in before}


def _fair(scorers: list[Scorer], row: AnsweredRow) -> list[Scorer]:
    """Those that did not write the reply."""
    return [each for each in scorers if not (isinstance(each, Likelihoods) and row.place.model == Likelihoods.ADDRESS)]


def _own(made: Scored, row: AnsweredRow) -> Scored:
    """As the row's own, without what another row got for the same words and this one may not have."""
    likelihoods = {} if row.place.model == Likelihoods.ADDRESS else made.likelihoods
    return Scored(id=row.id, likelihoods=likelihoods, judged=made.judged)


def _completed(held: Scored, dialogue: Dialogue, reply: str, scorers: list[Scorer]) -> Scored:
    for scorer in scorers:
        if not set(scorer.names) <= {*held.likelihoods, *held.judged}:
            held = _joined(held, scorer.scores(dialogue, reply))
    return held


def _joined(one: Scored, other: Scored) -> Scored:
    return Scored(id=one.id, likelihoods=one.likelihoods | other.likelihoods, judged=one.judged | other.judged)


def _key(dialogue: Dialogue, reply: str) -> str:
    return digest("\x00".join((*(f"{turn.speaker}\x01{turn.text}" for turn in dialogue.turns), reply)))


# ── scorers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Likelihoods:
    """By the embedded base model, of the reply alone and after what was said."""

    ADDRESS = "embedded:base"
    """Of its own replies it is no judge."""

    def __init__(self) -> None:
        self._model = EmbeddedModel(adapter=None)

    @cached_property
    def engine(self) -> Engine:
        return self._model.load()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{SCORER}/{given}" for given in _GIVEN)

    def scores(self, dialogue: Dialogue, reply: str) -> Scored:
        row = Row(id="", dialogue="", reply=reply, context=tuple(turn.text for turn in dialogue.turns))
        for given in _GIVEN:
            row = next(scored([row], self.engine, SCORER, given))
        return Scored(id="", likelihoods={name: _rounded(each) for name, each in row.likelihoods.items()})

    def close(self) -> None:
        if "engine" in self.__dict__:
            self.engine.close()


class ByRule:
    @property
    def names(self) -> tuple[str, ...]:
        return marked(RULE)

    def scores(self, dialogue: Dialogue, reply: str) -> Scored:
        return Scored(id="", judged=by_rule(reply))

    def close(self) -> None:
        """There is nothing to close."""


class ByBrain:
    def __init__(self) -> None:
        self._brain = Brain()

    @property
    def names(self) -> tuple[str, ...]:
        return marked(BRAIN)

    def scores(self, dialogue: Dialogue, reply: str) -> Scored:
        try:
            return Scored(id="", judged=self._brain.presence(dialogue, reply))
        except InputError:  # longer than the model can hold: no mark, and figures say how many rows they left out
            return Scored(id="")

    def close(self) -> None:
        self._brain.close()


def _rounded(likely: Likelihood) -> Likelihood:
    """What is read together with what changes the last digits."""
    return likely.model_copy(update={"log_probability": round(likely.log_probability, 3)})


def by_rule(reply: str) -> Scores:
    """1 for each way of showing empathy that a sentence of the reply holds. A sentence can hold none: «Okay.» shows no empathy.

    How well that agrees with people is measured by `agreement.py`; the figures are in `docs/design/planted-faults.md`.
    """
    held = {mechanism for sentence in sentences_of(reply) for mechanism in _held(sentence)}
    return {f"presence/{RULE}/{mechanism}": float(mechanism in held) for mechanism in MECHANISMS}


def _held(sentence: str) -> set[str]:
    """As `strategy_of` tells them apart, but it must choose one and says ER where it finds nothing."""
    named = {"EX": sentence.rstrip("\"'”’)").endswith("?"), "IP": weak.has(sentence, "interprets")}
    return {name for name, holds in (named | {"ER": weak.has(sentence, "warm")}).items() if holds}
