"""A run's answers in the form of the AvaMERG challenge."""

from collections.abc import Iterator

from heartfelt.datasets import AnsweredTurn, Submitted
from heartfelt.errors import InputError, UnknownName
from heartfelt.evaluation.experiments.answered import AnsweredRow
from heartfelt.evaluation.experiments.results import Results
from heartfelt.records import Forecast


def submission(results: Results, condition: str) -> list[Submitted]:
    """One condition's answers, by conversation. The emotion is the one that was named for the last of its turns."""
    tasks = [name for name, asked in results.experiment.tasks.items() if asked.dataset == "avamerg"]
    rows = [
        row
        for place in results.places
        if place.task in tasks and place.condition == condition
        for row in results.answered(place)
    ]
    if not rows:
        known = dict.fromkeys(place.condition for place in results.places if place.task in tasks)
        raise UnknownName("condition", condition, known, where=f"the answers to AvaMERG at {results.folder.path}")
    missing = [row for row in rows if row.failed]
    if missing:
        raise InputError(
            f"{len(missing)} turns have no answer, such as {missing[0].item}. "
            "Ask for them again with heartfelt evaluate --again, for the challenge wants all."
        )
    return list(_conversations(results, rows))


def _conversations(results: Results, rows: list[AnsweredRow]) -> Iterator[Submitted]:
    by_dialogue: dict[str, list[AnsweredRow]] = {}
    for row in sorted(rows, key=lambda each: (results.item(each).dialogue.id, results.item(each).place)):
        by_dialogue.setdefault(results.item(row).dialogue.id, []).append(row)
    for dialogue, own in by_dialogue.items():
        named = own[-1].best.find(Forecast) if own[-1].best else None
        if named is None:
            raise InputError(f"{own[-1].place.condition} names no emotion for {dialogue}, and the challenge wants one.")
        turns = tuple(AnsweredTurn(turn_id=results.item(row).turn_id, response=row.reply) for row in own)
        yield Submitted(conversation_id=int(dialogue.rpartition("dia")[2]), emotion=named.emotion, turns=turns)
